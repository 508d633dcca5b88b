package maintenance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// batchSize is the number of responses that are read and encoded at a time.
const batchSize = 64

// maxWriteTime bounds a transaction. A pause as long as the transaction follows, so that answers written meanwhile do not wait long:
// SQLite has one writer, and a server waits for another program's lock by trying again.
const maxWriteTime = 10 * time.Millisecond

// Rebuilt is the result of a rebuild.
type Rebuilt struct {
	Responses int // responses that were checked
	Documents int // documents that were written again
	Searches  int // responses whose search entries were written again
	Strays    int // responses that do not exist and whose documents or search entries were removed
	Studies   int // studies whose counts were made again

	Left []string // responses whose rows contradict each other, and what is wrong with each: they are not changed
}

// Rebuild makes every document, search entry and count again from the rows. A server may run at the same time. No updatedAt
// changes, and what is right already is not written. A response whose rows contradict each other is left out and named in the
// result. progress is called with the number of responses checked so far and their total.
func Rebuild(ctx context.Context, s *store.Store, progress func(done, total int)) (done Rebuilt, err error) {
	defer operation.Wrap(&err, "maintenance.Rebuild")
	view := s.View()
	total, err := view.CountResponses(ctx)
	if err != nil {
		return done, err
	}
	if done.Strays, err = dropStrays(ctx, s); err != nil {
		return done, err
	}
	enc := &encoder{view: view}
	for after := ""; ; {
		batch, err := view.ResponsesAfter(ctx, after, batchSize)
		if err != nil {
			return done, err
		}
		if len(batch) == 0 {
			break
		}
		after = batch[len(batch)-1].ID
		if err := rebuildBatch(ctx, s, enc, batch, &done); err != nil {
			return done, err
		}
		done.Responses += len(batch)
		progress(done.Responses, max(total, done.Responses)) // interviews may begin meanwhile
	}
	studies, err := view.AllStudyIDs(ctx)
	if err != nil {
		return done, err
	}
	for _, id := range studies {
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.Recount(ctx, id) }); err != nil {
			return done, err
		}
		done.Studies++
	}
	return done, nil
}

// rebuildBatch encodes a batch outside a transaction and writes it in as few as maxWriteTime allows. A response that changed in between is encoded
// again, because its documents would be older than its last answers.
func rebuildBatch(ctx context.Context, s *store.Store, enc *encoder, batch []response.Response, done *Rebuilt) error {
	for len(batch) > 0 {
		items, sound := make([]store.Item, 0, len(batch)), make([]response.Response, 0, len(batch))
		for _, r := range batch {
			item, err := enc.item(ctx, r)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				done.Left = append(done.Left, fmt.Sprintf("response %s: %v", r.ID, err))
				continue
			}
			items, sound = append(items, item), append(sound, r)
		}
		batch = sound
		var changed []response.Response
		for len(batch) > 0 {
			begun := time.Now()
			wrote, again, err := rebuildSome(ctx, s, batch, items, done)
			if err != nil {
				return err
			}
			changed = append(changed, again...)
			batch, items = batch[wrote:], items[wrote:]
			if err := pause(ctx, time.Since(begun)); err != nil {
				return err
			}
		}
		batch = changed
	}
	return nil
}

// rebuildSome writes the first of some responses, in one transaction of about maxWriteTime. It returns how many it has looked at, and
// which of them have changed since their items were encoded.
func rebuildSome(ctx context.Context, s *store.Store, batch []response.Response, items []store.Item, done *Rebuilt) (looked int, changed []response.Response, err error) {
	var documents, searches int
	err = s.Write(ctx, func(tx *store.Tx) error {
		begun := time.Now()
		looked, changed, documents, searches = 0, nil, 0, 0
		for i, r := range batch {
			if i > 0 && time.Since(begun) > maxWriteTime {
				break
			}
			looked++
			now, err := tx.LockResponse(ctx, r.ID)
			if errors.Is(err, response.ErrNotFound) {
				continue // it was deleted meanwhile
			}
			if err != nil {
				return err
			}
			if !sameState(r, now) {
				changed = append(changed, now)
				continue
			}
			if err := repairItem(ctx, tx, now, items[i], &documents, &searches); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		done.Documents += documents
		done.Searches += searches
	}
	return looked, changed, err
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sameState reports whether documents made of one reading are right for the other: every change of their contents moves
// updatedAt, or hides the response.
func sameState(a, b response.Response) bool {
	return a.UpdatedAt.Equal(b.UpdatedAt) && a.TurnCount == b.TurnCount && a.Hidden == b.Hidden
}

// repairItem writes the documents and search entries of a response that are not right.
func repairItem(ctx context.Context, tx *store.Tx, r response.Response, want store.Item, documents, searches *int) error {
	have, err := tx.ItemByResponse(ctx, r.StudyID, r.ID)
	if err != nil && !errors.Is(err, response.ErrNotFound) {
		return err
	}
	if err != nil || !sameItem(have, want) {
		if !bytes.Equal(have.List, want.List) {
			if err := tx.SaveSource(ctx, r.ID); err != nil {
				return err
			}
		}
		if err := tx.PutItem(ctx, want); err != nil {
			return err
		}
		*documents++
	}
	repaired, err := tx.RepairSearch(ctx, r)
	if repaired {
		*searches++
	}
	return err
}

func sameItem(a, b store.Item) bool {
	return a.ReadableID == b.ReadableID && a.UpdatedAt.Equal(b.UpdatedAt) && a.Analysed == b.Analysed && a.Hidden == b.Hidden &&
		a.Version == b.Version && bytes.Equal(a.List, b.List) && bytes.Equal(a.Single, b.Single)
}

func dropStrays(ctx context.Context, s *store.Store) (int, error) {
	strays, err := s.View().OrphanedItems(ctx)
	if err != nil {
		return 0, err
	}
	for _, id := range strays {
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.DropOrphan(ctx, id) }); err != nil {
			return 0, err
		}
	}
	return len(strays), nil
}
