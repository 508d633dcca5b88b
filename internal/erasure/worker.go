package erasure

import (
	"context"

	"verbatim/internal/response"
	"verbatim/internal/store"
)

// Objects is where recordings and what was derived from them are kept.
type Objects interface {
	// DeletePrefix removes every object whose name begins with prefix. It may be repeated.
	DeletePrefix(ctx context.Context, prefix string) error
}

// Worker does the jobs of JobKind.
type Worker struct {
	Store   *store.Store
	Objects Objects // nil where nothing is recorded
}

// ObjectPrefix is how the names of all objects of a response begin.
func ObjectPrefix(responseID string) string { return "responses/" + responseID + "/" }

// Run purges what a deletion names and completes its receipt. It may be repeated, also after it was cut off halfway.
func (w *Worker) Run(ctx context.Context, job store.Job) error {
	d, err := w.Store.View().OperatorDeletion(ctx, job.Args)
	if err != nil || d.Status == response.DeletionCompleted {
		return err
	}
	if err := w.set(ctx, d.ID, response.DeletionRunning); err != nil {
		return err
	}
	if w.Objects != nil {
		if err := w.Objects.DeletePrefix(ctx, ObjectPrefix(d.ResponseID)); err != nil {
			return err
		}
	}
	if err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.Purge(ctx, d.ResponseID) }); err != nil {
		return err
	}
	if err := w.Store.Scrub(ctx); err != nil {
		return err
	}
	return w.set(ctx, d.ID, response.DeletionCompleted)
}

func (w *Worker) set(ctx context.Context, id string, status response.DeletionStatus) error {
	return w.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetDeletion(ctx, id, status) })
}

// Discard marks the deletion of a job that failed too often; the response stays out of every read.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) error {
	return tx.SetDeletion(ctx, job.Args, response.DeletionFailed)
}
