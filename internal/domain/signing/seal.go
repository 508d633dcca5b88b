package signing

import (
	"encoding/base64"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20poly1305"
)

// NonceBytes is the size of the random number that Seal needs. It must never be used twice.
const NonceBytes = chacha20poly1305.NonceSizeX

// Seal encrypts a text for a purpose with the key that signs now (XChaCha20-Poly1305). The result begins with the id of the key, and can be
// read with Open as long as the ring has that key. It panics if no key may sign, as Sign does.
func (r Ring) Seal(purpose, text string, nonce [NonceBytes]byte, now time.Time) string {
	key, ok := r.Signer(now)
	if !ok {
		panic("signing: no key signs")
	}
	aead, err := chacha20poly1305.NewX(key.sealing(purpose))
	if err != nil {
		panic(err) // the key has the right size
	}
	return key.ID() + base64.RawURLEncoding.EncodeToString(aead.Seal(nonce[:], nonce[:], []byte(text), []byte(purpose)))
}

// Open returns what was sealed for a purpose. ok is false if it was changed, or sealed for another purpose or with a key that the ring does
// not have any more.
func (r Ring) Open(purpose, sealed string, now time.Time) (text string, ok bool) {
	for _, k := range r.keys {
		rest, own := strings.CutPrefix(sealed, k.ID())
		if !own || k.Format != Current || k.Ended(now) {
			continue
		}
		message, err := base64.RawURLEncoding.DecodeString(rest)
		if err != nil || len(message) < NonceBytes {
			return "", false
		}
		aead, err := chacha20poly1305.NewX(k.sealing(purpose))
		if err != nil {
			panic(err) // the key has the right size
		}
		opened, err := aead.Open(nil, message[:NonceBytes], message[NonceBytes:], []byte(purpose))
		return string(opened), err == nil
	}
	return "", false
}

// SealedByAnother reports whether a sealed text has to be sealed again, because another key signs now.
func (r Ring) SealedByAnother(sealed string, now time.Time) bool {
	key, ok := r.Signer(now)
	return ok && !strings.HasPrefix(sealed, key.ID())
}

// sealing derives the key that seals for a purpose, which signs nothing.
func (k Key) sealing(purpose string) []byte { return mac([]byte(k.secret), "verbatim seal "+purpose) }
