package org

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// PasswordCost holds the parameters of argon2id (RFC 9106): memory in KiB, passes over it, and threads.
type PasswordCost struct {
	Memory  uint32
	Passes  uint32
	Threads uint8
}

// DefaultPasswordCost is the first choice of OWASP's password storage cheat sheet for argon2id: 19 MiB, two passes, one thread.
var DefaultPasswordCost = PasswordCost{Memory: 19 << 10, Passes: 2, Threads: 1}

// Sizes in bytes. RFC 9106 recommends both.
const (
	SaltBytes    = 16
	passwordHash = 32
)

// maxPasswordCost bounds the cost that a stored hash may ask for, so that a changed row cannot use up the memory.
var maxPasswordCost = PasswordCost{Memory: 1 << 20, Passes: 16, Threads: 16}

// The length of a password, in characters. There are no rules for its kinds of characters: they make passwords worse (NIST SP
// 800-63B, 3.1.1.2).
const (
	MinPassword = 12
	MaxPassword = 256
	minDistinct = 5 // different characters
)

// ErrWeakPassword refuses a new password. Its text is shown to people.
var ErrWeakPassword = errors.New("a password has from 12 to 256 characters, at least 5 of them different, and is not the mail address")

// errHashShape means that a stored hash cannot be read.
var errHashShape = errors.New("the stored hash of a password is damaged")

// CheckPassword returns ErrWeakPassword for a new password that is too short, too long, too monotonous, or the mail address.
func CheckPassword(password, email string) error {
	n := utf8.RuneCountInString(password)
	distinct := map[rune]bool{}
	for _, r := range password {
		distinct[r] = true
	}
	if n < MinPassword || n > MaxPassword || len(distinct) < minDistinct || strings.EqualFold(password, email) {
		return ErrWeakPassword
	}
	return nil
}

// HashPassword returns the hash of a password in the PHC string format: $argon2id$v=19$m=…,t=…,p=…$salt$hash.
func HashPassword(password string, salt [SaltBytes]byte, cost PasswordCost) string {
	sum := argon2.IDKey([]byte(password), salt[:], cost.Passes, cost.Memory, cost.Threads, passwordHash)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, cost.Memory, cost.Passes, cost.Threads, encode(salt[:]), encode(sum))
}

// CheckPasswordHash reports whether a password has the hash. It takes as long for a wrong password as for the right one.
func CheckPasswordHash(password, hash string) (bool, error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return false, errHashShape
	}
	var cost PasswordCost
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &cost.Memory, &cost.Passes, &cost.Threads); err != nil {
		return false, errHashShape
	}
	limit := maxPasswordCost
	if cost.Memory == 0 || cost.Passes == 0 || cost.Threads == 0 || cost.Memory > limit.Memory || cost.Passes > limit.Passes || cost.Threads > limit.Threads {
		return false, errHashShape
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, errHashShape
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) != passwordHash {
		return false, errHashShape
	}
	got := argon2.IDKey([]byte(password), salt, cost.Passes, cost.Memory, cost.Threads, passwordHash)
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
