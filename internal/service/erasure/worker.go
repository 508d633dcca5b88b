package erasure

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Worker runs the jobs of jobs.KindErase.
type Worker struct {
	Store   *store.Store
	Objects Objects // nil if there are no recordings

	mu sync.Mutex // one scrub at a time: a waiting job finds its deletion completed by the previous one
}

// ObjectPrefix returns the prefix of the names of all objects of a response.
func ObjectPrefix(responseID string) string { return response.Objects + responseID + "/" }

// batchSize limits the deletions that share one scrub. On some engines a scrub reads the complete database, so it must not
// run once per deletion.
const batchSize = 500

// Run purges the response of a deletion, and those of all other deletions that wait, and completes their receipts; the jobs of
// the others find nothing left to do. It may be repeated, also after it was interrupted.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "erasure.Worker.Run")
	w.mu.Lock()
	defer w.mu.Unlock()
	d, err := w.Store.View().OperatorDeletion(ctx, jobs.DecodeErase(job).DeletionID)
	if err != nil || d.Status == response.DeletionCompleted {
		return err
	}
	waiting, err := w.Store.View().WaitingDeletions(ctx, batchSize)
	if err != nil {
		return err
	}
	if !slices.Contains(waiting, d) {
		waiting = append(waiting, d)
	}
	for _, deletion := range waiting {
		if err := w.purge(ctx, deletion); err != nil {
			return fmt.Errorf("deletion %s: %w", deletion.ID, err)
		}
	}
	if err := w.Store.Scrub(ctx); err != nil {
		return err
	}
	return w.Store.Write(ctx, func(tx *store.Tx) error {
		for _, deletion := range waiting {
			if err := tx.SetDeletion(ctx, deletion.ID, response.DeletionCompleted); err != nil {
				return err
			}
		}
		return nil
	})
}

// purge removes everything of one response but its receipt, after writing the tombstone.
func (w *Worker) purge(ctx context.Context, d response.Deletion) error {
	if err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetDeletion(ctx, d.ID, response.DeletionRunning) }); err != nil {
		return err
	}
	if w.Objects != nil {
		if err := (Tombstones{w.Store, w.Objects}).put(ctx, d); err != nil {
			return err
		}
		if err := w.Objects.DeletePrefix(ctx, ObjectPrefix(d.ResponseID)); err != nil {
			return err
		}
		if err := w.removeExports(ctx, d.StudyID); err != nil {
			return err
		}
	}
	return w.Store.Write(ctx, func(tx *store.Tx) error {
		if w.Objects != nil {
			if err := tx.NoteTombstone(ctx, d.ID); err != nil {
				return err
			}
		}
		return tx.Purge(ctx, d.ResponseID)
	})
}

// Finish completes every waiting deletion, for commands that cannot leave it to a server, and returns how many.
func (w *Worker) Finish(ctx context.Context) (n int, err error) {
	defer operation.Wrap(&err, "erasure.Worker.Finish")
	for {
		waiting, err := w.Store.View().WaitingDeletions(ctx, batchSize)
		if err != nil || len(waiting) == 0 {
			return n, err
		}
		if err := w.Run(ctx, jobs.New(jobs.EraseArgs{DeletionID: waiting[0].ID})); err != nil {
			return n, err
		}
		n += len(waiting)
	}
}

// Discard marks the deletion as failed after its last attempt; the response stays out of every read.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "erasure.Worker.Discard")
	return tx.SetDeletion(ctx, jobs.DecodeErase(job).DeletionID, response.DeletionFailed)
}
