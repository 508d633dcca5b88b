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

// A token is the capability to continue one interview: 6 bytes of Unix milliseconds and 20 random bytes, in lower-case base32.
// The response's id is a UUIDv7 of that time whose other bits are the first ones of the token's SHA-256. So a token leads to
// its response by primary key, and to the deletion receipt once the response is purged, although only the token's hash is
// stored. A token cannot be computed from an id.

const (
	tokenTimeBytes   = 6
	tokenRandomBytes = 20
)

var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newToken returns the token of an interview that begins now.
func newToken(now time.Time) string {
	random := make([]byte, tokenRandomBytes)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the program instead
	return encodeToken(now, random)
}

// encodeToken returns the token with the given time and random bytes.
func encodeToken(t time.Time, random []byte) string {
	raw := make([]byte, tokenTimeBytes+tokenRandomBytes)
	putMillis(raw, t)
	copy(raw[tokenTimeBytes:], random)
	return tokenEncoding.EncodeToString(raw)
}

func putMillis(raw []byte, t time.Time) {
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(t.UnixMilli()))
	copy(raw[:tokenTimeBytes], millis[8-tokenTimeBytes:])
}

// parseToken returns the id of the token's response and the token's hash; response.ErrNotFound if it is not a token.
func parseToken(token string) (responseID, hash string, err error) {
	raw, err := tokenEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenTimeBytes+tokenRandomBytes || tokenEncoding.EncodeToString(raw) != token {
		return "", "", response.ErrNotFound
	}
	sum := sha256.Sum256([]byte(token))
	var id uuid.UUID
	copy(id[:], raw[:tokenTimeBytes])
	copy(id[tokenTimeBytes:], sum[:])
	id[6] = id[6]&0x0f | 0x70 // version 7
	id[8] = id[8]&0x3f | 0x80 // the variant of RFC 9562
	return id.String(), hex.EncodeToString(sum[:]), nil
}

func sameHash(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// newSeed returns a random seed for an interview.
func newSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}
