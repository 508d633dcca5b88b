package erasure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
)

// Objects is where recordings, what was derived from them, and tombstones are kept: a blob.Store.
type Objects interface {
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	Stat(ctx context.Context, name string) (blob.Info, error)
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	// DeletePrefix removes every object whose name begins with prefix. It may be repeated.
	DeletePrefix(ctx context.Context, prefix string) error
}

// Tombstones keeps a record of each deletion beside the objects, where no backup of the database reaches: a database that was
// restored from a backup of before a deletion learns from it that the response must go.
type Tombstones struct {
	Store   *store.Store
	Objects Objects
}

// epitaph is the content of every tombstone; what there is to know stands in its name.
const tombstoneText = "A response was deleted. The name of this file is needed when a backup of the database is restored: keep it.\n"

// put writes the tombstone of a deletion. It is on the disk when put returns.
func (t Tombstones) put(ctx context.Context, d response.Deletion) error {
	return t.Objects.Put(ctx, d.Tombstone(), strings.NewReader(tombstoneText), int64(len(tombstoneText)), "text/plain")
}

// Complete writes the tombstones that are missing, as where the objects could not be reached or an earlier version deleted, and
// returns how many. It believes what the database says is written; with all it looks for each.
func (t Tombstones) Complete(ctx context.Context, all bool) (written int, err error) {
	next := func(string) ([]response.Deletion, error) {
		return t.Store.View().DeletionsWithoutTombstone(ctx, batchSize)
	}
	if all {
		next = func(after string) ([]response.Deletion, error) {
			return t.Store.View().DeletionsAfter(ctx, after, batchSize)
		}
	}
	for last := ""; ; {
		pending, err := next(last)
		if err != nil || len(pending) == 0 {
			return written, err
		}
		for _, d := range pending {
			n, err := t.complete(ctx, d)
			if err != nil {
				return written, fmt.Errorf("the tombstone of deletion %s: %w", d.ID, err)
			}
			written += n
			last = d.ID
		}
		err = t.Store.Write(ctx, func(tx *store.Tx) error {
			for _, d := range pending {
				if err := tx.NoteTombstone(ctx, d.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return written, err
		}
	}
}

// complete writes one tombstone where it is missing, and returns how many it wrote.
func (t Tombstones) complete(ctx context.Context, d response.Deletion) (int, error) {
	_, err := t.Objects.Stat(ctx, d.Tombstone())
	if errors.Is(err, blob.ErrNotFound) {
		return 1, t.put(ctx, d)
	}
	return 0, err
}

// Replayed counts what a replay did.
type Replayed struct {
	Tombstones int // that were read
	Restored   int // deletions that the database did not know, each of which is made again
	Foreign    int // tombstones of another organization's or study's response, or with an unreadable name; left alone
}

// replayedSetting holds the day of the last replay that read everything. A backup holds it as it was then, so a restored database
// reads on from there.
const replayedSetting = "tombstones_replayed"

// slack is how many days before the last replay the next one begins, for clocks that differ.
const replayOverlapDays = 3

// Replay makes the deletions again that tombstones record and the database does not know, because it was restored from a backup
// of before them. What they delete is out of every read when it returns; purges are queued. It reads the tombstones since the
// last replay that this database knows of, or with all every one. It may be repeated, and run on several nodes at once.
func (t Tombstones) Replay(ctx context.Context, all bool) (done Replayed, err error) {
	today := t.Store.Now()
	was, err := t.Store.View().Setting(ctx, replayedSetting)
	if err != nil {
		return done, err
	}
	prefixes := []string{response.Tombstones}
	if last, parseErr := time.Parse(time.DateOnly, was); parseErr == nil && !all {
		prefixes = nil
		for day := last.AddDate(0, 0, -replayOverlapDays); !day.After(today.AddDate(0, 0, 1)); day = day.AddDate(0, 0, 1) {
			prefixes = append(prefixes, response.TombstoneDay(day))
		}
	}
	for _, prefix := range prefixes {
		if err := t.replay(ctx, prefix, &done); err != nil {
			return done, err
		}
	}
	err = t.Store.Write(ctx, func(tx *store.Tx) error {
		was, err := tx.Setting(ctx, replayedSetting)
		if err != nil {
			return err
		}
		return tx.ChangeSetting(ctx, replayedSetting, was, max(was, today.Format(time.DateOnly)))
	})
	return done, err
}

func (t Tombstones) replay(ctx context.Context, prefix string, done *Replayed) error {
	var pending []response.Deletion
	flush := func() error {
		unknown, err := t.Store.View().UnknownDeletions(ctx, pending)
		if err != nil {
			return err
		}
		for _, d := range unknown {
			if err := t.restore(ctx, d, done); err != nil {
				return fmt.Errorf("deletion %s: %w", d.ID, err)
			}
		}
		pending = pending[:0]
		return nil
	}
	for name, err := range t.Objects.List(ctx, prefix) {
		if err != nil {
			return err
		}
		done.Tombstones++
		d, ok := response.ParseTombstone(name)
		if !ok {
			done.Foreign++
			continue
		}
		if pending = append(pending, d); len(pending) < batchSize {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	return flush()
}

// restore makes one deletion again and queues its purge.
func (t Tombstones) restore(ctx context.Context, d response.Deletion, done *Replayed) error {
	var restored bool
	err := t.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if restored, err = tx.RestoreDeletion(ctx, d); err != nil || !restored {
			return err
		}
		return tx.Enqueue(ctx, store.Job{Kind: JobKind, Args: d.ID})
	})
	if errors.Is(err, store.ErrForeignTombstone) {
		done.Foreign++
		return nil
	}
	if restored && err == nil {
		done.Restored++
	}
	return err
}

// Sweep removes objects of responses whose deletion is completed, which a restored copy of the objects brought back, and returns of
// how many responses.
func (t Tombstones) Sweep(ctx context.Context) (swept int, err error) {
	var ids []string // of responses, each once as long as their objects come together
	flush := func() error {
		gone, err := t.Store.View().CompletedAmong(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range gone {
			if err := t.Objects.DeletePrefix(ctx, ObjectPrefix(id)); err != nil {
				return err
			}
			swept++
		}
		ids = ids[:0]
		return nil
	}
	for name, err := range t.Objects.List(ctx, response.Objects) {
		if err != nil {
			return swept, err
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(name, response.Objects), "/")
		if len(ids) > 0 && ids[len(ids)-1] == id {
			continue
		}
		if len(ids) == batchSize {
			if err := flush(); err != nil {
				return swept, err
			}
		}
		ids = append(ids, id)
	}
	return swept, flush()
}
