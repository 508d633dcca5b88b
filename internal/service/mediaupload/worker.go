package mediaupload

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Worker runs the jobs of jobs.KindFilm.
type Worker struct {
	Service *Service
	Find    func(context.Context) (*ffmpeg.Tool, error) // of ffmpeg.Finder
	TempDir string                                      // holds about three times the size of a film; empty: the system's
}

// encodeWithin limits the time of one attempt at a film.
const encodeWithin = time.Hour

const (
	noFFmpeg  guidemedia.Problem = "Films need ffmpeg on the server. Ask whoever runs it, or give the address of a film elsewhere."
	noFilm    guidemedia.Problem = "The film is damaged, or of a kind that cannot be played."
	tooHeavy  guidemedia.Problem = "The film has more or larger pictures than can be made ready here. Make it smaller."
	tooLong   guidemedia.Problem = "Making the film ready took too long."
	discarded guidemedia.Problem = "The film could not be made ready in several attempts."
)

// Run encodes a film and makes its poster. It may be repeated at any time.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "mediaupload.Worker.Run")
	s := w.Service
	m, err := s.Store.View().AnyGuideMedia(ctx, jobs.DecodeFilm(job).MediaID)
	if errors.Is(err, guidemedia.ErrNotFound) || err == nil && m.Stage != guidemedia.Queued {
		return nil // it was removed, or another run made it
	}
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, encodeWithin)
	defer cancel()
	err = w.encode(limited, &m)
	switch {
	case errors.Is(err, ffmpeg.ErrMissing):
		err = noFFmpeg
	case errors.Is(err, ffmpeg.ErrExcess):
		err = tooHeavy
	case errors.Is(err, ffmpeg.ErrUnreadable):
		err = noFilm
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		err = tooLong
	}
	if err != nil {
		_, err = s.fail(ctx, m, guidemedia.Queued, err)
		return err
	}
	m.Stage = guidemedia.Ready
	advanced := false
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		advanced, err = tx.AdvanceGuideMedia(ctx, m, guidemedia.Queued)
		return err
	}); err != nil {
		return err
	}
	if !advanced { // it was cancelled meanwhile, or another run was faster and made the same
		if _, err := s.Store.View().AnyGuideMedia(ctx, m.ID); errors.Is(err, guidemedia.ErrNotFound) {
			return s.Objects.DeletePrefix(ctx, m.Folder())
		}
		return nil
	}
	return s.Objects.DeletePrefix(ctx, m.PartFolder())
}

// Discard notes that a film could not be made ready.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "mediaupload.Worker.Discard")
	m, err := tx.AnyGuideMedia(ctx, jobs.DecodeFilm(job).MediaID)
	if errors.Is(err, guidemedia.ErrNotFound) {
		return nil
	}
	if err == nil {
		m.Stage, m.Problem = guidemedia.Failed, string(discarded)
		_, err = tx.AdvanceGuideMedia(ctx, m, guidemedia.Queued)
	}
	return err
}

// encode makes the film and its poster in a temporary folder, and stores them.
func (w *Worker) encode(ctx context.Context, m *guidemedia.Media) error {
	s := w.Service
	tool, err := w.Find(ctx)
	if err != nil {
		return err
	}
	parts, err := s.Store.View().GuideMediaParts(ctx, m.ID)
	if err != nil {
		return err
	}
	dir, remove, err := ffmpeg.WorkFolder(w.TempDir)
	if err != nil {
		return err
	}
	defer remove()
	arrived, joined, out := filepath.Join(dir, "arrived"), filepath.Join(dir, "joined"), filepath.Join(dir, "out")
	if err := w.fetch(ctx, parts, arrived); err != nil {
		return err
	}
	if _, err := tool.Join(ctx, []string{arrived}, joined); err != nil {
		return err
	}
	if err := errors.Join(os.Remove(arrived), os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700)); err != nil {
		return err
	}
	info, err := tool.Video(ctx, joined, out)
	if err != nil {
		return err
	}
	m.File, m.Width, m.Height, m.Duration, m.Stored = guidemedia.MP4, info.Width, info.Height, info.Duration, 0
	for made, name := range map[string]string{ffmpeg.MP4: guidemedia.MP4, ffmpeg.Poster: guidemedia.Poster} {
		size, err := w.put(ctx, filepath.Join(out, made), m.Folder()+name)
		if err != nil {
			return err
		}
		m.Stored += size
	}
	return nil
}

// fetch writes the parts of an upload to a local file.
func (w *Worker) fetch(ctx context.Context, parts []string, name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(copyParts(ctx, w.Service.Objects, parts, file), file.Close())
}

// put stores a local file as an object, and returns its size.
func (w *Worker) put(ctx context.Context, from, object string) (size int64, err error) {
	file, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), w.Service.Objects.Put(ctx, object, file, info.Size(), guidemedia.FileType(filepath.Base(object)))
}
