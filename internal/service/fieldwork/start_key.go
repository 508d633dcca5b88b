package fieldwork

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/platform/store"
)

// errAlreadyStarted rolls back a start whose key another request has used.
var errAlreadyStarted = errors.New("an interview was already started with this key")

// startKey is the idempotency key of a start within its study. The interview's token is derived from the key and a random salt.
// Only the salt is stored, so the database does not reveal the token, and a key that is used again after its row was removed
// yields a different token.
type startKey struct {
	studyID, key string
	salt         []byte
}

// newStartKey returns a key with a new salt.
func newStartKey(studyID, key string) startKey {
	salt := make([]byte, sha256.Size)
	_, _ = rand.Read(salt) // never fails: crypto/rand ends the program instead
	return startKey{studyID: studyID, key: key, salt: salt}
}

func (b startKey) isSet() bool { return b.key != "" }

// hash returns the form in which the key is stored.
func (b startKey) hash() string {
	sum := sha256.Sum256([]byte(b.studyID + "\x00" + b.key))
	return hex.EncodeToString(sum[:])
}

// token derives the token of the interview that began at t.
func (b startKey) token(t time.Time) string {
	mac := hmac.New(sha256.New, b.salt)
	mac.Write([]byte(b.studyID + "\x00" + b.key))
	return encodeToken(t, mac.Sum(nil)[:tokenRandomBytes])
}

// store stores the key with its response; errAlreadyStarted if another request came first. It does nothing without a key.
func (b startKey) store(ctx context.Context, tx *store.Tx, responseID string) error {
	if !b.isSet() {
		return nil
	}
	first, err := tx.SaveStart(ctx, store.KeyedStart{StudyID: b.studyID, KeyHash: b.hash(), Salt: hex.EncodeToString(b.salt), ResponseID: responseID})
	if err == nil && !first {
		err = errAlreadyStarted
	}
	return err
}

// findStarted returns the interview that was begun under key, at its current step, and whether there is one.
func (s *Service) findStarted(ctx context.Context, studyID, key string) (token string, view View, found bool, err error) {
	if key == "" {
		return "", View{}, false, nil
	}
	b := startKey{studyID: studyID, key: key}
	stored, found, err := s.Store.View().FindStart(ctx, studyID, b.hash())
	if err != nil || !found {
		return "", View{}, false, err
	}
	if b.salt, err = hex.DecodeString(stored.Salt); err != nil {
		return "", View{}, false, fmt.Errorf("decoding the salt of a start key: %w", err)
	}
	at, err := beganAt(stored.ResponseID)
	if err != nil {
		return "", View{}, false, err
	}
	token = b.token(at)
	if id, _, err := parseToken(token); err != nil || id != stored.ResponseID {
		return "", View{}, false, fmt.Errorf("the start key of response %s does not yield its token", stored.ResponseID)
	}
	view, err = s.Current(ctx, token)
	return token, view, err == nil, err
}

// beganAt returns the start time that is encoded in a response's id.
func beganAt(responseID string) (time.Time, error) {
	id, err := uuid.Parse(responseID)
	if err != nil {
		return time.Time{}, fmt.Errorf("parsing the response id of a start key: %w", err)
	}
	var millis int64
	for _, b := range id[:tokenTimeBytes] {
		millis = millis<<8 | int64(b)
	}
	return time.UnixMilli(millis), nil
}
