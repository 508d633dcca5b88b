package panel

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // panels ask for HMAC-SHA1, which is not broken
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"math/big"
	"strings"
)

// ErrNoSecret means that something must be signed and no secret is set.
var ErrNoSecret = errors.New("no secret is set for the panel")

// ErrNumber means that Dynata's signature needs numbers, and that the secret or a parameter is none.
var ErrNumber = errors.New("the secret, pid and k2 of a Dynata signature must be numbers")

// Redirect returns the address that a participant goes back to; empty if the study has none for the outcome. It fails if the address
// must be signed and cannot be: a panel takes an unsigned one for fraud.
func (s *Settings) Redirect(outcome Outcome, v Values, secret string) (string, error) {
	if s == nil || s.Redirects.Addresses[outcome] == "" {
		return "", nil
	}
	v.Status = s.Status(outcome)
	address, err := v.address(s.Redirects.Addresses[outcome])
	if err != nil || !s.Signs(outcome) {
		return address, err
	}
	return s.Signature.Sign(address, v, secret)
}

// Sign adds the signature to an address, as the last parameter of its query.
func (g *Signature) Sign(address string, v Values, secret string) (string, error) {
	if secret == "" {
		return "", ErrNoSecret
	}
	address, fragment, hasFragment := strings.Cut(address, "#")
	value, err := g.value(address, v, secret)
	if err != nil {
		return "", err
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address += separator + g.Parameter + "=" + escape(value)
	if hasFragment {
		address += "#" + fragment
	}
	return address, nil
}

// value returns the signature of an address.
func (g *Signature) value(address string, v Values, secret string) (string, error) {
	if g.Algorithm == Dynata {
		return dynata(v, secret)
	}
	v.url = address
	_, v.query, _ = strings.Cut(address, "?")
	signs := g.Signs
	if signs == "" {
		signs = "{{url}}"
	}
	text, err := v.text(signs)
	if err != nil {
		return "", err
	}
	return MAC(g.Algorithm, g.Encoding, secret, text), nil
}

// MAC returns the HMAC of a text in an encoding.
func MAC(algorithm Algorithm, encoding Encoding, secret, text string) string {
	algorithms := map[Algorithm]func() hash.Hash{SHA1: sha1.New, SHA256: sha256.New, SHA512: sha512.New}
	mac := hmac.New(algorithms[algorithm], []byte(secret))
	mac.Write([]byte(text))
	switch sum := mac.Sum(nil); encoding {
	case Base64:
		return base64.StdEncoding.EncodeToString(sum)
	case Base64URL:
		return base64.RawURLEncoding.EncodeToString(sum)
	default:
		return hex.EncodeToString(sum)
	}
}

// dynata returns secret × pid − k2, as Dynata's description of end links has it.
func dynata(v Values, secret string) (string, error) {
	var key, pid, k2 big.Int
	for number, text := range map[*big.Int]string{&key: strings.TrimSpace(secret), &pid: v.Params["pid"], &k2: v.Params["k2"]} {
		if len(text) > 40 || text == "" || strings.Trim(text, "0123456789") != "" {
			return "", ErrNumber
		}
		number.SetString(text, 10)
	}
	return key.Sub(key.Mul(&key, &pid), &k2).String(), nil
}
