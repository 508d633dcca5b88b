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

// Key is what is kept of an API key: never the key itself.
type Key struct {
	ID        string
	OrgID     string
	UserID    string
	Name      string
	Prefix    string // the first characters, for people to recognize it by
	CreatedAt time.Time
	RevokedAt time.Time // zero while it is valid
	KeyLimits
	LastUsedAt time.Time // zero: never, as far as is known; the last minute's use may be missing
}

// KeyLimits restrict a key. The zero value restricts nothing.
type KeyLimits struct {
	ExpiresAt time.Time // from when on the key is refused; zero: never
	ReadOnly  bool      // the key may read and change nothing
}

// A key reads vb_<43 characters of 256 random bits><6 characters of checksum>, in base 62, so that scanners recognize
// a leaked one and a mistyped one is refused before the database is asked.
const (
	keyMark     = "vb_"
	secretChars = 43
	sumChars    = 6
	shownChars  = len(keyMark) + 8
)

// ErrKeyShape means that a string cannot be a key: wrong mark, length or checksum.
var ErrKeyShape = errors.New("not a Verbatim API key")

// FormatKey writes the key made of 256 random bits.
func FormatKey(secret [32]byte) string {
	body := base62(new(big.Int).SetBytes(secret[:]), secretChars)
	return keyMark + body + checksum(body)
}

// CheckKey refuses what has not the mark, the length and the checksum of a key; ErrKeyShape.
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

// HashKey is the form in which a key is stored. A key has 256 bits of its own, so a fast hash is enough.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// KeyPrefix is the part of a key that may be shown again.
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
