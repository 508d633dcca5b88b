package panel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The parameters of a signed link that belong to the service: its signature, and the second at which it expires.
const (
	LinkSignatureParam = "_sig"
	LinkExpiryParam    = "_until"
)

// SignLink returns the signature of a study link with these parameters: all that participants could read or change, and the expiry, but
// no other parameter of the service, such as the language.
func SignLink(secret string, params map[string]string) string {
	text := "verbatim link"
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !strings.HasPrefix(name, "_") || name == LinkExpiryParam {
			text += "\n" + escape(name) + "=" + escape(params[name])
		}
	}
	return MAC(SHA256, Base64URL, secret, text)
}

// Errors of links that must be signed.
var (
	ErrUnsigned = errors.New("the study link has no signature")
	ErrForged   = errors.New("the study link was changed: its signature is not that of its parameters")
	ErrExpired  = errors.New("the study link has expired")
)

// CheckLink checks that a study link has the signature of its parameters and has not expired: ErrUnsigned, ErrForged, ErrExpired. Without a
// secret no signature is valid.
func CheckLink(secret string, params map[string]string, now time.Time) error {
	given := params[LinkSignatureParam]
	if given == "" {
		return ErrUnsigned
	}
	if secret == "" || !hmac.Equal([]byte(SignLink(secret, params)), []byte(given)) {
		return ErrForged
	}
	until, limited := params[LinkExpiryParam]
	if !limited {
		return nil
	}
	if seconds, err := strconv.ParseInt(until, 10, 64); err != nil || now.Unix() > seconds {
		return ErrExpired
	}
	return nil
}

// IsSigned reports whether the signature of a link covers a parameter, or the parameter is a part of the signature.
func IsSigned(name string) bool {
	return !strings.HasPrefix(name, "_") || name == LinkExpiryParam || name == LinkSignatureParam
}

// ParticipantHash returns the form in which a study remembers a participant. The salt is the study's own, so that the hashes of two
// studies cannot be compared.
func ParticipantHash(salt, participant string) string {
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write([]byte("participant\n" + participant))
	return hex.EncodeToString(mac.Sum(nil))
}

// codeLetters encodes bytes in letters and digits that nobody mistakes for each other.
var codeLetters = base32.NewEncoding("23456789ABCDEFGHJKLMNPQRSTUVWXYZ").WithPadding(base32.NoPadding)

// CodeOf returns the completion code of a response; empty if the study has none. The salt is the study's own: who knows the id of a
// response cannot compute its code.
func (s *Settings) CodeOf(salt, responseID string) string {
	if s == nil || !s.Code.PerResponse {
		if s == nil {
			return ""
		}
		return s.Code.Fixed
	}
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write([]byte("code\n" + responseID))
	return codeLetters.EncodeToString(mac.Sum(nil))[:10]
}
