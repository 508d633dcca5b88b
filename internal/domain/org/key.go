package org

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math/big"
	"strings"
	"time"
)

// Key is the stored form of an API key. It does not contain the key itself.
type Key struct {
	ID        string
	OrgID     string
	UserID    string
	Name      string
	Prefix    string // the first characters, by which people recognize it
	CreatedAt time.Time
	RevokedAt time.Time // zero while it is valid
	KeyLimits
	LastUsedAt time.Time // zero: never, as far as is known; use within the last minute may be missing
}

// KeyLimits restrict a key. The zero value restricts nothing.
type KeyLimits struct {
	ExpiresAt time.Time // the key is refused from then on; zero: never
	ReadOnly  bool      // the key may read but not change anything
}

// A key has the form vb_<43 characters of 256 random bits><6 characters of checksum>, in base 62, so that secret scanners
// recognize a leaked one and a mistyped one is refused without asking the database.
const (
	keyMark     = "vb_"
	secretChars = 43
	sumChars    = 6
	shownChars  = len(keyMark) + 8
)

// ErrKeyShape reports that a string cannot be a key: wrong prefix, length or checksum.
var ErrKeyShape = errors.New("not a Verbatim API key")

// FormatKey returns the key made of 256 random bits.
func FormatKey(secret [32]byte) string {
	body := base62(new(big.Int).SetBytes(secret[:]), secretChars)
	return keyMark + body + checksum(body)
}

// CheckKey returns ErrKeyShape for a string without the prefix, the length or the checksum of a key.
func CheckKey(key string) error {
	rest, found := strings.CutPrefix(key, keyMark)
	if !found || len(rest) != secretChars+sumChars {
		return ErrKeyShape
	}
	if checksum(rest[:secretChars]) != rest[secretChars:] {
		return ErrKeyShape
	}
	return nil
}

// HashKey returns the form in which a key is stored. A key has 256 random bits, so a fast hash is enough.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// KeyPrefix returns the part of a key that may be shown again.
func KeyPrefix(key string) string { return key[:min(len(key), shownChars)] }

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), sumChars)
}

func base62(n *big.Int, width int) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	out := make([]byte, width)
	base, digit := big.NewInt(int64(len(digits))), new(big.Int)
	n = new(big.Int).Set(n)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = digits[digit.Int64()]
	}
	return string(out)
}
