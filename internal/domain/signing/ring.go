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

// MinSecret is how many characters a secret must have at least. They should be random: head -c 32 /dev/urandom | base64.
const MinSecret = 32

// maxKeys bounds a ring: each key that might have signed is tried.
const maxKeys = 16

// Key is one secret of a ring, with the time in which it counts.
type Key struct {
	secret string
	From   time.Time // signs from then on; zero: at once. It verifies before, too, for another server may be ahead
	Until  time.Time // neither signs nor verifies from then on; zero: no end
	Format Format
}

// Format says what a key may verify.
type Format string

// The formats. Keys of the earlier ones sign nothing.
const (
	Current Format = ""          // what Sign makes
	Links1  Format = "links-1"   // links as they were before there were rings
	Cursor1 Format = "cursors-1" // cursors as they were before there were rings
)

// NewKey returns a key of a secret; an error made for operators where it is too short or cannot be written in a file.
func NewKey(secret string) (Key, error) {
	if len(secret) < MinSecret {
		return Key{}, fmt.Errorf("a secret for signing must have at least %d characters, and this one has %d", MinSecret, len(secret))
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r == '#' }) {
		return Key{}, errors.New("a secret for signing must be of printable ASCII characters without blanks, commas and #")
	}
	return Key{secret: secret}, nil
}

// ID names the key without giving it away.
func (k Key) ID() string {
	sum := sha256.Sum256([]byte("verbatim signing key\n" + k.secret))
	return base64.RawURLEncoding.EncodeToString(sum[:idSize])
}

// idSize is a multiple of three, so that ids have no bits to spare in base64.
const idSize = 6

// Secret is the key's secret, for formats that this package does not know.
func (k Key) Secret() []byte { return []byte(k.secret) }

// String hides the secret.
func (k Key) String() string { return "signing key " + k.ID() }

// Ended reports whether the key's time is over.
func (k Key) Ended(now time.Time) bool { return !k.Until.IsZero() && !now.Before(k.Until) }

// signs reports whether the key may sign now.
func (k Key) signs(now time.Time) bool {
	return k.Format == Current && !k.Ended(now) && !now.Before(k.From)
}

// Ring is the keys of an installation. The first one that may sign now signs. The zero ring can neither sign nor verify.
type Ring struct{ keys []Key }

// NewRing returns a ring of keys in their order.
func NewRing(keys ...Key) Ring { return Ring{slices.Clone(keys)} }

// Fixed returns a source of a ring that never changes; it panics for a secret that NewKey refuses.
func Fixed(secret string) func() Ring {
	key, err := NewKey(secret)
	if err != nil {
		panic("signing: " + err.Error()) // a mistake in the wiring, and one that would let anybody in
	}
	return func() Ring { return NewRing(key) }
}

// Keys lists the ring's keys, the one that was added last first.
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

// Sign returns the signature of a message for a purpose: the id of the key, and HMAC-SHA256 in base64 of URLs. It panics where no key
// signs, which is a mistake in the wiring.
func (r Ring) Sign(purpose, message string, now time.Time) string {
	key, ok := r.Signer(now)
	if !ok {
		panic("signing: no key signs")
	}
	return key.sign(purpose, message)
}

// Verify reports whether a key of the ring signed the message for the purpose. The signature is compared as it is written:
// no second spelling of it is valid.
func (r Ring) Verify(purpose, message, signature string, now time.Time) bool {
	for _, k := range r.keys {
		if k.Format == Current && !k.Ended(now) && strings.HasPrefix(signature, k.ID()) {
			return hmac.Equal([]byte(signature), []byte(k.sign(purpose, message)))
		}
	}
	return false
}

// Earlier returns the secrets that signed an earlier format and still count.
func (r Ring) Earlier(format Format, now time.Time) (secrets [][]byte) {
	for _, k := range r.keys {
		if k.Format == format && !k.Ended(now) {
			secrets = append(secrets, k.Secret())
		}
	}
	return secrets
}

// sign uses a key of its own for each purpose, so that no signature of one serves another.
func (k Key) sign(purpose, message string) string {
	return k.ID() + base64.RawURLEncoding.EncodeToString(mac(mac([]byte(k.secret), "verbatim "+purpose), message))
}

func mac(key []byte, message string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(message))
	return m.Sum(nil)
}

// Rotated returns the ring with a fresh key that signs from a time on. The others end at another time, unless they end before.
// Keys whose time was over at from are left out.
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

// Ending returns the ring's keys with an end, unless they end before it.
func (r Ring) Ending(until time.Time) Ring {
	keys := r.Keys()
	for i := range keys {
		if keys[i].Until.IsZero() || keys[i].Until.After(until) {
			keys[i].Until = until
		}
	}
	return Ring{keys}
}

// With returns the ring with the keys of another behind its own, without those that are in both or whose time is over.
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
