package fieldwork

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/domain/response"
)

// A token is the capability to continue one interview: 6 bytes of Unix milliseconds and 20 random bytes, in lower-case
// base32. The response's id is the UUIDv7 of that time whose other bits are the first ones of SHA-256 of the token. So
// a token leads to its response by primary key, and to the deletion's receipt once the response is purged, though
// nothing of the token is stored but its hash; an id leads to no token.

const (
	tokenTime   = 6
	tokenRandom = 20
)

var tokenText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newToken makes the token of an interview that begins now.
func newToken(now time.Time) string {
	random := make([]byte, tokenRandom)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	return tokenOf(now, random)
}

// tokenOf makes a token of its time and its other bytes.
func tokenOf(t time.Time, random []byte) string {
	raw := make([]byte, tokenTime+tokenRandom)
	putMillis(raw, t)
	copy(raw[tokenTime:], random)
	return tokenText.EncodeToString(raw)
}

func putMillis(raw []byte, t time.Time) {
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(t.UnixMilli()))
	copy(raw[:tokenTime], millis[8-tokenTime:])
}

// readToken gives the id of the token's response and the hash to compare with; response.ErrNotFound for what is no
// token.
func readToken(token string) (responseID, hash string, err error) {
	raw, err := tokenText.DecodeString(token)
	if err != nil || len(raw) != tokenTime+tokenRandom || tokenText.EncodeToString(raw) != token {
		return "", "", response.ErrNotFound
	}
	sum := sha256.Sum256([]byte(token))
	var id uuid.UUID
	copy(id[:], raw[:tokenTime])
	copy(id[tokenTime:], sum[:])
	id[6] = id[6]&0x0f | 0x70 // version 7
	id[8] = id[8]&0x3f | 0x80 // the variant of RFC 9562
	return id.String(), hex.EncodeToString(sum[:]), nil
}

func sameHash(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// newSeed draws the seed of an interview.
func newSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}
