package results

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store"
)

// Query selects the responses whose study link carried Parameter with exactly Value.
type Query struct {
	Parameter     string
	Value         string
	IncludeHidden bool
	Cursor        string // of the previous page; empty: the first page
	Limit         int
}

// SearchPage is one page of a search.
type SearchPage struct {
	Hits []response.Hit
	Next string // the cursor of the next page; empty on the last
}

// Search returns responses of the caller's organization, newest first; ErrBadCursor. Limit may change from page to page.
func (s *Service) Search(ctx context.Context, caller org.Caller, q Query) (SearchPage, error) {
	var after store.SearchCursor
	if q.Cursor != "" {
		var err error
		if after, err = s.openCursor(caller.OrgID, q); err != nil {
			return SearchPage{}, err
		}
	}
	hits, err := s.Store.View().For(caller).Search(ctx, caller.OrgID, q.Parameter, q.Value, q.IncludeHidden, after, q.Limit+1)
	if err != nil || len(hits) <= q.Limit {
		return SearchPage{Hits: hits}, err
	}
	hits = hits[:q.Limit]
	last := hits[len(hits)-1]
	next, err := s.sealCursor(caller.OrgID, q, store.SearchCursor{CreatedAt: last.CreatedAt, ResponseID: last.ResponseID})
	return SearchPage{Hits: hits, Next: next}, err
}

// A cursor is a position (8 bytes of microseconds, 16 of the response's id) and a signature that also covers the query, so that
// a cursor is valid for no other search and no other organization.
const (
	placeSize = 8 + 16
	purpose   = "cursor"
)

func (s *Service) sealCursor(orgID string, q Query, at store.SearchCursor) (string, error) {
	id, err := uuid.Parse(at.ResponseID)
	if err != nil {
		return "", err
	}
	place := binary.BigEndian.AppendUint64(nil, uint64(at.CreatedAt.UnixMicro()))
	place = append(place, id[:]...)
	signature := s.Keys().Sign(purpose, string(signedMessage(orgID, q, place)), s.Store.Now())
	return base64.RawURLEncoding.EncodeToString(place) + signature, nil
}

func (s *Service) openCursor(orgID string, q Query) (store.SearchCursor, error) {
	cut := min(base64.RawURLEncoding.EncodedLen(placeSize), len(q.Cursor))
	place, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor[:cut])
	ring, now := s.Keys(), s.Store.Now()
	if err == nil && len(place) == placeSize && ring.Verify(purpose, string(signedMessage(orgID, q, place)), q.Cursor[cut:], now) {
		return decodePlace(place), nil
	}
	return openCursorV1(ring.Earlier(signing.Cursor1, now), orgID, q)
}

func decodePlace(place []byte) store.SearchCursor {
	return store.SearchCursor{
		CreatedAt:  time.UnixMicro(int64(binary.BigEndian.Uint64(place))).UTC(),
		ResponseID: uuid.UUID(place[8:]).String(),
	}
}

// openCursorV1 opens a cursor of the previous version, which ends with the first 16 bytes of an HMAC under one of the secrets.
func openCursorV1(secrets [][]byte, orgID string, q Query) (store.SearchCursor, error) {
	const macSize = 16
	cursor, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err != nil || len(cursor) != placeSize+macSize {
		return store.SearchCursor{}, ErrBadCursor
	}
	for _, secret := range secrets {
		key, err := hex.DecodeString(string(secret))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(signedMessage(orgID, q, cursor[:placeSize]))
		if hmac.Equal(cursor[placeSize:], mac.Sum(nil)[:macSize]) {
			return decodePlace(cursor[:placeSize]), nil
		}
	}
	return store.SearchCursor{}, ErrBadCursor
}

// signedMessage returns what a cursor's signature covers.
func signedMessage(orgID string, q Query, place []byte) (message []byte) {
	hidden := "visible"
	if q.IncludeHidden {
		hidden = "hidden"
	}
	for _, part := range [][]byte{[]byte(orgID), []byte(q.Parameter), []byte(q.Value), []byte(hidden), place} {
		message = binary.BigEndian.AppendUint64(message, uint64(len(part))) // keeps ("a", "bc") and ("ab", "c") apart
		message = append(message, part...)
	}
	return message
}
