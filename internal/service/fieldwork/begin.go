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

// errBegun ends the transaction of a begin whose key another one has used.
var errBegun = errors.New("an interview was begun under this key")

// begin is the key of one begin within its study. The token of the interview is made of the key and a random salt; of these only
// the salt is stored, so the database gives no token away, and a key that was used again after its row was removed gives another
// token.
type begin struct {
	studyID, key string
	salt         []byte
}

// beginKey returns the key of a begin, with a salt of its own.
func beginKey(studyID, key string) begin {
	salt := make([]byte, sha256.Size)
	_, _ = rand.Read(salt) // never fails: crypto/rand ends the program instead
	return begin{studyID: studyID, key: key, salt: salt}
}

func (b begin) given() bool { return b.key != "" }

// hash is the key as it is stored.
func (b begin) hash() string {
	sum := sha256.Sum256([]byte(b.studyID + "\x00" + b.key))
	return hex.EncodeToString(sum[:])
}

// token makes the token of the interview that began at a time under the key and the salt.
func (b begin) token(t time.Time) string {
	mac := hmac.New(sha256.New, b.salt)
	mac.Write([]byte(b.studyID + "\x00" + b.key))
	return tokenOf(t, mac.Sum(nil)[:tokenRandom])
}

// keep stores the key with its response; errBegun where another begin came first. Without a key it does nothing.
func (b begin) keep(ctx context.Context, tx *store.Tx, responseID string) error {
	if !b.given() {
		return nil
	}
	first, err := tx.KeepBegin(ctx, store.Begin{StudyID: b.studyID, KeyHash: b.hash(), Salt: hex.EncodeToString(b.salt), ResponseID: responseID})
	if err == nil && !first {
		err = errBegun
	}
	return err
}

// begun returns the interview that was begun under a key, where it stands now, and whether there is one.
func (s *Service) begun(ctx context.Context, studyID, key string) (token string, view View, found bool, err error) {
	if key == "" {
		return "", View{}, false, nil
	}
	b := begin{studyID: studyID, key: key}
	kept, found, err := s.Store.View().FindBegin(ctx, studyID, b.hash())
	if err != nil || !found {
		return "", View{}, false, err
	}
	if b.salt, err = hex.DecodeString(kept.Salt); err != nil {
		return "", View{}, false, fmt.Errorf("the salt of a begin: %w", err)
	}
	at, err := beganAt(kept.ResponseID)
	if err != nil {
		return "", View{}, false, err
	}
	token = b.token(at)
	if id, _, err := readToken(token); err != nil || id != kept.ResponseID {
		return "", View{}, false, fmt.Errorf("the begin of response %s does not give its token", kept.ResponseID)
	}
	view, err = s.Current(ctx, token)
	return token, view, err == nil, err
}

// beganAt returns the time that the id of a response that has a token was made of.
func beganAt(responseID string) (time.Time, error) {
	id, err := uuid.Parse(responseID)
	if err != nil {
		return time.Time{}, fmt.Errorf("the response of a begin: %w", err)
	}
	var millis int64
	for _, b := range id[:tokenTime] {
		millis = millis<<8 | int64(b)
	}
	return time.UnixMilli(millis), nil
}
