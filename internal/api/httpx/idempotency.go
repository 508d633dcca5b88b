package httpx

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"unicode/utf8"

	"verbatim/internal/domain/strictjson"
)

// IdempotencyKey identifies a request that a client may repeat: its organization, path and key, with the hash of its body.
// The key is stored hashed, so that it has the same form whatever the client chose.
type IdempotencyKey struct {
	OrgID    string
	Path     string
	Key      string // hashed; empty if the client sent none
	BodyHash string
}

// maxKeyChars is the maximum length of an Idempotency-Key, in characters.
const maxKeyChars = 255

// IdempotencyKeyOf reads the header Idempotency-Key; 400 bad_request if it is too long. Bodies that are the same JSON
// value have the same hash.
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

// MarkReplayed sets Idempotency-Replayed on an answer that was stored for an earlier request. Call it before the answer is
// written.
func MarkReplayed(w http.ResponseWriter, replayed bool) {
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// InFlight is the set of requests with an idempotency key that this process is serving. The zero value is ready to use.
type InFlight struct {
	mu  sync.Mutex
	set map[IdempotencyKey]bool
}

// EnterRequest reads the idempotency key of a request as IdempotencyKeyOf does, and enters it as Enter does.
func (f *InFlight) EnterRequest(r *http.Request, orgID string, body []byte) (key IdempotencyKey, leave func(), err error) {
	if key, err = IdempotencyKeyOf(r, orgID, body); err == nil {
		leave, err = f.Enter(key)
	}
	return key, leave, err
}

// Enter adds a request until leave is called. It returns 409 conflict while another request with the same key is being
// served.
func (f *InFlight) Enter(key IdempotencyKey) (leave func(), err error) {
	if key.Key == "" {
		return func() {}, nil
	}
	key.BodyHash = ""
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set[key] {
		return nil, Errorf(http.StatusConflict, "conflict", "The first request with this Idempotency-Key is still being processed.")
	}
	if f.set == nil {
		f.set = map[IdempotencyKey]bool{}
	}
	f.set[key] = true
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.set, key)
	}, nil
}
