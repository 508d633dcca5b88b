package httpx

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"unicode/utf8"

	"verbatim/internal/domain/strictjson"
)

// Repeatable names a request that a client may repeat: its organization, path, and key, with the hash of its body. The
// key is hashed too, so that it has the same form whatever the client chose.
type IdempotencyKey struct {
	OrgID    string
	Path     string
	Key      string // empty: the client does not want repeats recognized
	BodyHash string
}

// mostKeyChars is how long an Idempotency-Key may be.
const maxKeyChars = 255

// RepeatableOf reads the header Idempotency-Key. Two bodies that are the same JSON value have the same hash. A key that is too
// long is refused.
func IdempotencyKeyOf(r *http.Request, orgID string, body []byte) (IdempotencyKey, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		return IdempotencyKey{}, nil
	}
	if utf8.RuneCountInString(key) > maxKeyChars {
		return IdempotencyKey{}, Errorf(http.StatusBadRequest, "bad_request", "An Idempotency-Key has at most %d characters.", maxKeyChars)
	}
	if value, err := strictjson.Parse(body); err == nil {
		body = strictjson.Canonical(value)
	}
	return IdempotencyKey{OrgID: orgID, Path: r.URL.Path, Key: hash([]byte(key)), BodyHash: hash(body)}, nil
}

// MarkReplayed says of an answer, before it is written, whether it is the stored one of an earlier request.
func MarkReplayed(w http.ResponseWriter, replayed bool) {
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// InFlight is the set of repeatable requests under way in this process. The zero value is ready for use.
type InFlight struct {
	mu  sync.Mutex
	set map[IdempotencyKey]bool
}

// Enter marks a request as under way until leave is called; 409 conflict when the same key is under way already.
func (f *InFlight) Enter(r IdempotencyKey) (leave func(), err error) {
	if r.Key == "" {
		return func() {}, nil
	}
	r.BodyHash = ""
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set[r] {
		return nil, Errorf(http.StatusConflict, "conflict", "The first request with this Idempotency-Key is still in flight.")
	}
	if f.set == nil {
		f.set = map[IdempotencyKey]bool{}
	}
	f.set[r] = true
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.set, r)
	}, nil
}
