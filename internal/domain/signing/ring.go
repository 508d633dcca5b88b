package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MinSecret is the minimum length of a secret, in characters. They should be random: head -c 32 /dev/urandom | base64.
const MinSecret = 32

// maxKeys bounds a ring: verifying tries each key that may have signed.
const maxKeys = 16

// Key is one secret of a ring, with the period in which it is valid.
type Key struct {
	secret string
	From   time.Time // signs from then on; zero: at once. It verifies earlier, too, because another server's clock may be ahead
	Until  time.Time // neither signs nor verifies from then on; zero: no end
	Format Format
}

// Format is a signature format that a key may verify.
type Format string

// The formats. Keys of earlier formats do not sign.
const (
	Current Format = ""          // produced by Sign
	Links1  Format = "links-1"   // links from before rings were introduced
	Cursor1 Format = "cursors-1" // cursors from before rings were introduced
)

// NewKey returns the key of a secret. If the secret is too short or cannot be written to a file it returns an error whose
// text is made for operators.
func NewKey(secret string) (Key, error) {
	if len(secret) < MinSecret {
		return Key{}, fmt.Errorf("a signing secret must have at least %d characters, and this one has %d", MinSecret, len(secret))
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r == '#' }) {
		return Key{}, errors.New("a signing secret must consist of printable ASCII characters without spaces, commas and #")
	}
	return Key{secret: secret}, nil
}

// ID identifies the key without revealing it.
func (k Key) ID() string {
	sum := sha256.Sum256([]byte("verbatim signing key\n" + k.secret))
	return base64.RawURLEncoding.EncodeToString(sum[:idSize])
}

// idSize is a multiple of three, so that ids need no padding in base64.
const idSize = 6

// Secret returns the key's secret, for formats that this package does not implement.
func (k Key) Secret() []byte { return []byte(k.secret) }

// String hides the secret.
func (k Key) String() string { return "signing key " + k.ID() }

// Ended reports whether the key has expired.
func (k Key) Ended(now time.Time) bool { return !k.Until.IsZero() && !now.Before(k.Until) }

// signs reports whether the key may sign now.
func (k Key) signs(now time.Time) bool {
	return k.Format == Current && !k.Ended(now) && !now.Before(k.From)
}

// Ring holds the keys of an installation. The first one that may sign now signs. The zero ring can neither sign nor verify.
type Ring struct{ keys []Key }

// NewRing returns a ring of keys in the given order.
func NewRing(keys ...Key) Ring { return Ring{slices.Clone(keys)} }

// Keys returns the ring's keys, the latest one first.
func (r Ring) Keys() []Key { return slices.Clone(r.keys) }

// String hides the secrets.
func (r Ring) String() string { return fmt.Sprintf("ring of %d signing keys", len(r.keys)) }

// Signer returns the key that signs now, if any does.
func (r Ring) Signer(now time.Time) (Key, bool) {
	for _, k := range r.keys {
		if k.signs(now) {
			return k, true
		}
	}
	return Key{}, false
}

// Sign returns the signature of a message for a purpose: the id of the key, and HMAC-SHA256 in URL-safe base64. It panics if
// no key may sign, which is a mistake in the wiring.
func (r Ring) Sign(purpose, message string, now time.Time) string {
	key, ok := r.Signer(now)
	if !ok {
		panic("signing: no key signs")
	}
	return key.sign(purpose, message)
}

// Verify reports whether a key of the ring signed the message for the purpose. The signature is compared as text: no other
// encoding of it is valid.
func (r Ring) Verify(purpose, message, signature string, now time.Time) bool {
	for _, k := range r.keys {
		if k.Format == Current && !k.Ended(now) && strings.HasPrefix(signature, k.ID()) {
			return hmac.Equal([]byte(signature), []byte(k.sign(purpose, message)))
		}
	}
	return false
}

// Earlier returns the secrets that signed an earlier format and are still valid.
func (r Ring) Earlier(format Format, now time.Time) (secrets [][]byte) {
	for _, k := range r.keys {
		if k.Format == format && !k.Ended(now) {
			secrets = append(secrets, k.Secret())
		}
	}
	return secrets
}

// sign derives a separate key for each purpose, so that a signature for one purpose is not valid for another.
func (k Key) sign(purpose, message string) string {
	return k.ID() + base64.RawURLEncoding.EncodeToString(mac(mac([]byte(k.secret), "verbatim "+purpose), message))
}

func mac(key []byte, message string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(message))
	return m.Sum(nil)
}

// Rotated returns the ring with a fresh key that signs from the time from. The other keys end at until, unless they end
// before. Keys that have expired at from are left out.
func (r Ring) Rotated(fresh Key, from, until time.Time) Ring {
	fresh.From = from
	keys := []Key{fresh}
	for _, k := range r.keys {
		if k.Until.IsZero() || k.Until.After(until) {
			k.Until = until
		}
		if !k.Ended(from) {
			keys = append(keys, k)
		}
	}
	return Ring{keys}
}

// Ending returns the ring with all keys ending at until, unless they end before.
func (r Ring) Ending(until time.Time) Ring {
	keys := r.Keys()
	for i := range keys {
		if keys[i].Until.IsZero() || keys[i].Until.After(until) {
			keys[i].Until = until
		}
	}
	return Ring{keys}
}

// With returns the ring with the keys of another appended, without duplicates and expired keys.
func (r Ring) With(other Ring, now time.Time) Ring {
	keys := r.Keys()
	for _, k := range other.keys {
		known := slices.ContainsFunc(keys, func(own Key) bool { return own.secret == k.secret && own.Format == k.Format })
		if !known && !k.Ended(now) {
			keys = append(keys, k)
		}
	}
	return Ring{keys}
}

// Equal reports whether two rings have the same keys.
func (r Ring) Equal(other Ring) bool {
	return slices.EqualFunc(r.keys, other.keys, func(a, b Key) bool {
		return a.secret == b.secret && a.Format == b.Format && a.From.Equal(b.From) && a.Until.Equal(b.Until)
	})
}
