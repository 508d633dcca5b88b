package results

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/org"
	"verbatim/internal/store"
)

// Query asks for the responses whose study link carried Parameter with exactly Value.
type Query struct {
	Parameter     string
	Value         string
	IncludeHidden bool
	Cursor        string // of the page before; empty: from the start
	Limit         int
}

// Found is one page of a search.
type Found struct {
	Hits []store.Hit
	Next string // the cursor of the next page; empty on the last
}

// Search finds responses of the caller's organization, newest first; ErrBadCursor. Limit may change from page to page.
func (s *Service) Search(ctx context.Context, caller org.Caller, q Query) (Found, error) {
	secret, err := s.cursorSecret(ctx)
	if err != nil {
		return Found{}, err
	}
	var after store.SearchPlace
	if q.Cursor != "" {
		if after, err = openCursor(secret, caller.OrgID, q); err != nil {
			return Found{}, err
		}
	}
	hits, err := s.Store.View().Search(ctx, caller.OrgID, q.Parameter, q.Value, q.IncludeHidden, after, q.Limit+1)
	if err != nil || len(hits) <= q.Limit {
		return Found{Hits: hits}, err
	}
	hits = hits[:q.Limit]
	last := hits[len(hits)-1]
	next, err := sealCursor(secret, caller.OrgID, q, store.SearchPlace{CreatedAt: last.CreatedAt, ResponseID: last.ResponseID})
	return Found{Hits: hits, Next: next}, err
}

// cursorSecret is the installation's own, made at the first search ever and the same on every node.
func (s *Service) cursorSecret(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.secret != nil {
		return s.secret, nil
	}
	var kept string
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		kept, err = tx.Setting(ctx, "cursor_secret", func() string {
			var fresh [32]byte
			_, _ = rand.Read(fresh[:]) // never fails: crypto/rand ends the program instead
			return hex.EncodeToString(fresh[:])
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	s.secret, err = hex.DecodeString(kept)
	return s.secret, err
}

// A cursor is a place (8 bytes of microseconds, 16 of the response's id) and the first 16 bytes of its HMAC, which also
// covers what the search asks for, so that a cursor serves no other search and no other organization.
const (
	placeSize = 8 + 16
	macSize   = 16
)

func sealCursor(secret []byte, orgID string, q Query, at store.SearchPlace) (string, error) {
	id, err := uuid.Parse(at.ResponseID)
	if err != nil {
		return "", err
	}
	cursor := binary.BigEndian.AppendUint64(nil, uint64(at.CreatedAt.UnixMicro()))
	cursor = append(cursor, id[:]...)
	return base64.RawURLEncoding.EncodeToString(append(cursor, sign(secret, orgID, q, cursor)...)), nil
}

func openCursor(secret []byte, orgID string, q Query) (store.SearchPlace, error) {
	cursor, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err != nil || len(cursor) != placeSize+macSize {
		return store.SearchPlace{}, ErrBadCursor
	}
	place, mac := cursor[:placeSize], cursor[placeSize:]
	if !hmac.Equal(mac, sign(secret, orgID, q, place)) {
		return store.SearchPlace{}, ErrBadCursor
	}
	return store.SearchPlace{
		CreatedAt:  time.UnixMicro(int64(binary.BigEndian.Uint64(place))).UTC(),
		ResponseID: uuid.UUID(place[8:]).String(),
	}, nil
}

func sign(secret []byte, orgID string, q Query, place []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	hidden := "visible"
	if q.IncludeHidden {
		hidden = "hidden"
	}
	var size [8]byte
	for _, part := range [][]byte{[]byte(orgID), []byte(q.Parameter), []byte(q.Value), []byte(hidden), place} {
		binary.BigEndian.PutUint64(size[:], uint64(len(part))) // keeps ("a", "bc") and ("ab", "c") apart
		mac.Write(size[:])
		mac.Write(part)
	}
	return mac.Sum(nil)[:macSize]
}
