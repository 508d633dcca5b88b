package exporting

import (
	"context"
	"errors"
	"io"
	"time"

	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

const (
	beginAgain    = 3           // times in one run, because a response was deleted meanwhile
	progressPause = time.Second // between two notes of the progress
)

// Worker runs the jobs of jobs.KindExport.
type Worker struct {
	Service Service
}

// Run writes the file of a job, from the beginning also where an earlier run was interrupted.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "exporting.Worker.Run")
	s := w.Service.Store
	asked, err := s.View().AnyExport(ctx, jobs.DecodeExport(job).ExportID)
	if errors.Is(err, store.ErrNoExport) {
		return nil // it was removed
	}
	if err != nil || asked.Status != store.ExportQueued && asked.Status != store.ExportRunning {
		return err
	}
	st, err := s.View().Study(ctx, asked.OrgID, asked.StudyID)
	if err != nil {
		return err
	}
	f, err := fileOf(asked)
	if err != nil {
		return err
	}
	for range beginAgain {
		done, err := w.write(ctx, st, f)
		switch {
		case errors.Is(err, store.ErrNoExport):
			return nil // removed meanwhile; the sweep removes what was written
		case errors.Is(err, ErrColumns): // trying again would not help
			return s.Write(ctx, func(tx *store.Tx) error { return tx.FailStudyExport(ctx, f.ID, ErrColumns.Error(), tx.Now().Add(Kept)) })
		case err != nil || done:
			return err
		}
	}
	return errDeletions
}

// Discard notes that a file could not be written.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "exporting.Worker.Discard")
	return tx.FailStudyExport(ctx, jobs.DecodeExport(job).ExportID, "", tx.Now().Add(Kept))
}

// write writes a file. done is false if a response was deleted meanwhile.
func (w *Worker) write(ctx context.Context, st study.Study, f File) (done bool, err error) {
	s := &w.Service
	if s.Objects == nil {
		return false, errNoObjects
	}
	options, err := f.Request.options()
	if err != nil {
		return false, err
	}
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		f.Deletions, err = tx.StartStudyExport(ctx, f.ID)
		return err
	}); err != nil {
		return false, err
	}
	if err := s.Objects.DeletePrefix(ctx, store.ExportFolder(f.ID)); err != nil { // of an earlier try
		return false, err
	}
	f.Object = store.ExportFolder(f.ID) + store.NewID() + "." + string(f.Request.Format)
	kept := context.WithoutCancel(ctx)
	defer func() { // the row may be gone already, and nobody else would find what was written
		if err != nil || !done {
			err = errors.Join(err, s.Objects.DeletePrefix(kept, store.ExportFolder(f.ID)))
		}
	}()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	options.Progress = w.noteProgress(ctx, stop, f.ID)
	sum, err := s.put(ctx, st, options, f.Object)
	if err != nil {
		return false, errors.Join(err, context.Cause(ctx))
	}
	info, err := s.Objects.Stat(ctx, f.Object)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil // the export was removed and swept meanwhile, which the next try finds
	}
	if err != nil {
		return false, err
	}
	f.Size, f.Done, f.Newest, f.Unreadable, f.Cut, f.Missing = info.Size, sum.Responses, sum.newest, sum.Unreadable, sum.Cut, sum.Missing
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		f.ExpiresAt = tx.Now().Add(Kept)
		done, err = tx.CompleteStudyExport(ctx, f.StudyExport)
		return err
	})
	return done, err
}

// put writes an export into an object as it is made.
func (s *Service) put(ctx context.Context, st study.Study, o Options, object string) (sum Summary, err error) {
	from, to := io.Pipe()
	written := make(chan error, 1)
	go func() {
		var err error
		sum, err = s.Write(ctx, st, o, to)
		_ = to.CloseWithError(err) // never fails
		written <- err
	}()
	err = s.Objects.Put(ctx, object, from, blob.Unknown, o.Format.ContentType())
	_ = from.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // lets the writer end; never fails
	if failed := <-written; failed != nil && (err == nil || !errors.Is(failed, io.ErrClosedPipe)) {
		err = failed
	}
	return sum, err
}

// noteProgress returns a function that stores how far an export is, about once a second, and stops one that was removed.
func (w *Worker) noteProgress(ctx context.Context, stop context.CancelCauseFunc, id string) func(done, total int) {
	s := w.Service.Store
	var last time.Time
	return func(done, total int) {
		now := s.Now()
		if !last.IsZero() && now.Sub(last) < progressPause {
			return
		}
		last = now
		err := s.Write(ctx, func(tx *store.Tx) error { return tx.StudyExportProgress(ctx, id, done, total) })
		if errors.Is(err, store.ErrNoExport) { // what else fails only leaves out a note
			stop(err)
		}
	}
}
