package uploads

import (
	"context"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/store"
)

// sweepBatch is how many uploads the sweep reads at once.
const sweepBatch = 100

// Sweep ends the uploads that expired and that no answer names, and later removes their objects and rows; it closes those
// that an answer names and that get no more bytes; and it removes the objects that no row names, which processes that died
// left behind. It tells how many uploads it ended. Every node may run it.
func (s *Service) Sweep(ctx context.Context) (ended int, err error) {
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

// tidy does what is due of an upload, and tells whether it ended it.
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
		return err
	})
	if ended && err == nil { // what no quota counts any more does not wait for its row; what a request still puts does
		err = s.Objects.DeletePrefix(ctx, u.Folder())
	}
	return ended && err == nil, err
}

// clear removes the objects of an upload that are none of its parts.
func (s *Service) removeStrays(ctx context.Context, u recording.Upload) error {
	parts, err := s.Store.View().UploadParts(ctx, u.ID)
	if err != nil {
		return err
	}
	kept := make(map[string]bool, len(parts))
	for _, part := range parts {
		kept[u.Object(part.Name)] = true
	}
	var strays []string
	for name, err := range s.Objects.List(ctx, u.Folder()) {
		if err != nil {
			return err
		}
		if !kept[name] {
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
