package uploads

import (
	"context"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// sweepBatch is the number of uploads that the sweep reads at once.
const sweepBatch = 100

// Sweep ends expired uploads that no answer names, and later removes their objects and rows. It finishes complete uploads that
// an answer names. It removes objects that no row names, which processes that died left behind. It returns how many uploads it
// ended. Every node may run it.
func (s *Service) Sweep(ctx context.Context) (ended int, err error) {
	defer operation.Wrap(&err, "uploads.Sweep")
	for {
		due, err := s.Store.View().DueUploads(ctx, sweepBatch)
		if err != nil {
			return ended, err
		}
		for _, u := range due {
			wasEnded, err := s.sweepUpload(ctx, u)
			if err != nil {
				return ended, err
			}
			if wasEnded {
				ended++
			}
		}
		if len(due) < sweepBatch {
			return ended, nil
		}
	}
}

// sweepUpload does what is due for an upload, and reports whether it ended it.
func (s *Service) sweepUpload(ctx context.Context, u recording.Upload) (ended bool, err error) {
	switch {
	case u.State == recording.Ended:
		if err := s.Objects.DeletePrefix(ctx, u.Folder()); err != nil {
			return false, err
		}
		return false, s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropUpload(ctx, u.ID) })
	case u.State == recording.Complete && u.Used:
		if err := s.removeStrays(ctx, u); err != nil {
			return false, err
		}
		return false, s.Store.Write(ctx, func(tx *store.Tx) error { return tx.FinishUpload(ctx, u.ID) })
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		now, done, err := tx.ExpireUpload(ctx, u.ID)
		ended = done && now.State == recording.Ended
		if err == nil && done && now.Used {
			err = jobs.EnqueueRecordings(ctx, tx, now.ResponseID)
		}
		return err
	})
	if ended && err == nil { // no quota counts these objects any more, so they go now; what a running request still stores goes with the row
		err = s.Objects.DeletePrefix(ctx, u.Folder())
	}
	return ended && err == nil, err
}

// removeStrays removes the objects in an upload's folder that are not among its parts.
func (s *Service) removeStrays(ctx context.Context, u recording.Upload) error {
	parts, err := s.Store.View().UploadParts(ctx, u.ID)
	if err != nil {
		return err
	}
	isPart := make(map[string]bool, len(parts))
	for _, part := range parts {
		isPart[u.Object(part.Name)] = true
	}
	var strays []string
	for name, err := range s.Objects.List(ctx, u.Folder()) {
		if err != nil {
			return err
		}
		if !isPart[name] {
			strays = append(strays, name)
		}
	}
	for _, name := range strays {
		if err := s.Objects.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
