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
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Objects stores recordings, what was derived from them, and tombstones; see blob.Store.
type Objects interface {
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	Stat(ctx context.Context, name string) (blob.Info, error)
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	// DeletePrefix removes every object whose name begins with prefix. It may be repeated.
	DeletePrefix(ctx context.Context, prefix string) error
}

// Tombstones stores a record of each deletion beside the objects, outside of the database's backups. A database restored from a
// backup that is older than a deletion learns from it that the response must be deleted.
type Tombstones struct {
	Store   *store.Store
	Objects Objects
}

// tombstoneText is the content of every tombstone. The facts are in its name.
const tombstoneText = "A response was deleted. The name of this file is needed when a backup of the database is restored: keep it.\n"

// put writes the tombstone of a deletion. It is durable when put returns.
func (t Tombstones) put(ctx context.Context, d response.Deletion) error {
	return t.Objects.Put(ctx, d.Tombstone(), strings.NewReader(tombstoneText), int64(len(tombstoneText)), "text/plain")
}

// Complete writes missing tombstones, because the objects could not be reached or an earlier version deleted the response, and
// returns how many. It trusts the database's notes of what is written; with all it checks each tombstone.
func (t Tombstones) Complete(ctx context.Context, all bool) (written int, err error) {
	defer operation.Wrap(&err, "erasure.Tombstones.Complete")
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

// complete writes one tombstone if it is missing, and returns how many it wrote.
func (t Tombstones) complete(ctx context.Context, d response.Deletion) (int, error) {
	_, err := t.Objects.Stat(ctx, d.Tombstone())
	if errors.Is(err, blob.ErrNotFound) {
		return 1, t.put(ctx, d)
	}
	return 0, err
}

// Replayed counts what a replay did.
type Replayed struct {
	Tombstones int // tombstones read
	Restored   int // deletions unknown to the database, which were made again
	Foreign    int // tombstones of another organization's or study's response, or with an unreadable name; ignored
}

// replayedSetting stores the day of the last complete replay. A backup contains the value of its time, so a restored database
// replays from there.
const replayedSetting = "tombstones_replayed"

// replayOverlapDays is the number of days by which a replay reaches back before the last one, because clocks differ.
const replayOverlapDays = 3

// Replay makes the deletions again that tombstones record and the database does not know, because it was restored from an older
// backup. When it returns, those responses are out of every read and their purges are queued. It reads the tombstones since the
// last replay that this database knows of, or every tombstone if all is set. It may be repeated, and run on several nodes at
// once.
func (t Tombstones) Replay(ctx context.Context, all bool) (done Replayed, err error) {
	defer operation.Wrap(&err, "erasure.Tombstones.Replay")
	today := t.Store.Now()
	lastDay, err := t.Store.View().Setting(ctx, replayedSetting)
	if err != nil {
		return done, err
	}
	prefixes := []string{response.Tombstones}
	if last, parseErr := time.Parse(time.DateOnly, lastDay); parseErr == nil && !all {
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
		lastDay, err := tx.Setting(ctx, replayedSetting)
		if err != nil {
			return err
		}
		return tx.ChangeSetting(ctx, replayedSetting, lastDay, max(lastDay, today.Format(time.DateOnly)))
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

// restore makes one deletion again and enqueues its purge.
func (t Tombstones) restore(ctx context.Context, d response.Deletion, done *Replayed) error {
	var restored bool
	err := t.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if restored, err = tx.RestoreDeletion(ctx, d); err != nil || !restored {
			return err
		}
		return jobs.Enqueue(ctx, tx, jobs.EraseArgs{DeletionID: d.ID})
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

// Sweep removes objects of responses whose deletion is completed, which a restored copy of the objects brought back. It returns
// the number of those responses.
func (t Tombstones) Sweep(ctx context.Context) (swept int, err error) {
	defer operation.Wrap(&err, "erasure.Tombstones.Sweep")
	var ids []string // of responses; each once, because List returns the objects of a folder together
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
