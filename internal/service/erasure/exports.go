package erasure

import (
	"context"

	"verbatim/internal/platform/store"
)

// removeExports removes the files of a study's exports that a deletion ended, since the response may be in them.
func (w *Worker) removeExports(ctx context.Context, studyID string) error {
	for {
		removed, err := w.Store.View().RemovedExports(ctx, studyID, batchSize)
		if err != nil || len(removed) == 0 {
			return err
		}
		for _, e := range removed {
			if err := w.Objects.DeletePrefix(ctx, store.ExportFolder(e.ID)); err != nil {
				return err
			}
			if err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropStudyExport(ctx, e.ID) }); err != nil {
				return err
			}
		}
	}
}
