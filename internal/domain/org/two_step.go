package org

import (
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
)

// Errors of the second step of signing in.
var (
	ErrTwoStepOn  = errors.New("the second step is on already")
	ErrTwoStepOff = errors.New("the second step is off")
)

// TwoStep is the second step of a user's sign-in. Its zero value is that of users who have none.
type TwoStep struct {
	Secret        string // shared with the authenticator app, in base32
	LastPeriod    int64  // of the newest code that was used; no code of it or before is accepted
	ConfirmedAt   time.Time
	RecoveryCodes int // that are left
}

// On reports whether signing in takes a code.
func (t TwoStep) On() bool { return !t.ConfirmedAt.IsZero() }

// Parameters of codes (RFC 6238), as every authenticator app knows them.
const (
	codePeriod   = 30 // seconds that a code is shown
	codeDigits   = otp.DigitsSix
	codeIssuer   = "Verbatim"
	clockSkew    = 1 // periods that the clocks of app and server may differ
	secretBytes  = 20
	recoverySize = 10 // bytes of a recovery code
)

// RecoveryCodes is the number of recovery codes that somebody gets at once.
const RecoveryCodes = 10

// NewTwoStepSecret returns a secret made of random bits, and the address that an authenticator app reads it from.
func NewTwoStepSecret(random [secretBytes]byte, email string) (secret, address string, err error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: codeIssuer, AccountName: email, Secret: random[:], Period: codePeriod, Digits: codeDigits})
	if err != nil {
		return "", "", err
	}
	return key.Secret(), key.URL(), nil
}

// Period returns the period whose code was given, and false if there is none near the time.
func (t TwoStep) Period(code string, at time.Time) (period int64, ok bool) {
	code = plainCode(code)
	now := at.Unix() / codePeriod
	for p := now - clockSkew; p <= now+clockSkew; p++ {
		expected, err := hotp.GenerateCodeCustom(t.Secret, uint64(p), hotp.ValidateOpts{Digits: codeDigits, Algorithm: otp.AlgorithmSHA1})
		if err == nil && subtle.ConstantTimeCompare([]byte(expected), []byte(code)) == 1 {
			period, ok = p, true
		}
	}
	return period, ok && period > t.LastPeriod
}

// plainCode returns a code without what people put between its parts.
func plainCode(given string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\u00a0' {
			return -1
		}
		return r
	}, strings.ToUpper(given))
}

// FormatRecoveryCode returns a recovery code made of random bits, as it is shown: four groups of four letters and digits.
func FormatRecoveryCode(random [recoverySize]byte) string {
	text := base32.StdEncoding.EncodeToString(random[:])
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// HashRecoveryCode returns the hash by which a recovery code is stored, however its groups are separated.
func HashRecoveryCode(code string) string { return HashKey(plainCode(code)) }
