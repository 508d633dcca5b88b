package transcoding

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Worker runs the jobs of jobs.KindTranscode.
type Worker struct {
	Store   *store.Store
	Objects blob.Store
	Find    func(context.Context) (*ffmpeg.Tool, error) // of ffmpeg.Finder; if it returns ffmpeg.ErrMissing a file is played as the browser made it
	TempDir string                                      // holds about four times the size of a recording while it is encoded; empty: the system's
	Within  time.Duration                               // timeout for any recording; 0: 6 hours
	Watch   time.Duration                               // how often a run checks that its recording was not deleted; 0: 2 s
}

// The timeout of a recording depends on its size and, once it is known, on its duration, so that a few bytes cannot keep a
// worker busy: baseTime, and timePerSecond for each second. A recording counts for at most as many seconds as its bytes last at
// minRate. After a timeout there is one more attempt with half of the time: the machine may have been busy.
const (
	baseTime      = 2 * time.Minute
	timePerSecond = 4
	minRate       = 512 // bytes per second; a voice recording has eight times as many
	maxAttempts   = 2
)

// budget returns the timeout of an attempt at a recording. duration is 0 if it is not known.
func (w *Worker) budget(bytes int64, duration time.Duration, attempt int) time.Duration {
	limit := w.Within
	if limit == 0 {
		limit = 6 * time.Hour
	}
	lasts := time.Duration(bytes/minRate) * time.Second
	if duration > 0 {
		lasts = min(lasts, duration)
	}
	within := min(limit, baseTime+timePerSecond*lasts)
	if attempt > 1 {
		within /= 2
	}
	return within
}

// reason says to a researcher why a recording cannot be made playable, now or later.
type reason string

// Error implements error.
func (r reason) Error() string { return string(r) }

const (
	notReceived     reason = "Nothing of the recording arrived."
	unreadable      reason = "The recording is damaged, or of a kind that cannot be played."
	severalSegments reason = "The recording was made in several parts, which this service cannot join without ffmpeg."
	tooLong         reason = "Making the recording playable took too long."
	excessive       reason = "The recording has more or larger pictures than a browser records, or takes too much memory or disk."
	discarded       reason = "The recording could not be made playable in several attempts."
)

// Run makes the recording of a job playable. It may be repeated at any time, also while it runs
// elsewhere: each run makes objects of its own, one run wins, and that run removes the objects of the others. A recording that
// is ready, has failed, or whose response was deleted is left unchanged.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "transcoding.Worker.Run")
	rec, err := w.Store.View().Recording(ctx, jobs.DecodeTranscode(job).RecordingID)
	if errors.Is(err, recording.ErrNoRecording) || err == nil && rec.Stage != recording.Queued {
		return nil
	}
	if err != nil {
		return err
	}
	sessions, err := w.sessions(ctx, &rec)
	if err != nil {
		return err
	}
	var bytes int64
	for _, s := range sessions {
		bytes += s.bytes
	}
	limited, cancel := context.WithTimeout(ctx, w.budget(bytes, 0, job.Attempt))
	defer cancel()
	limited, unwatch := w.watch(limited, rec.ID)
	defer unwatch()
	folder := rec.Folder() + store.NewID() + "/"
	made, err := w.produce(limited, run{recording: &rec, sessions: sessions, folder: folder, bytes: bytes, attempt: job.Attempt})
	if context.Cause(limited) == errDeleted && err != nil {
		return w.Objects.DeletePrefix(ctx, folder)
	}
	switch { // a file may be crafted to keep a machine busy; the first timeout may be due to load
	case err == nil || ctx.Err() != nil || job.Attempt < maxAttempts:
	case limited.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		err = tooLong
	case errors.Is(err, ffmpeg.ErrExcess):
		err = excessive
	}
	if cause, final := errors.AsType[reason](err); final {
		return w.Store.Write(ctx, func(tx *store.Tx) error { return tx.FailRecording(ctx, rec.ID, string(cause)) })
	}
	if err != nil {
		return fmt.Errorf("recording %s: %w", rec.ID, err)
	}
	err = w.Store.Write(ctx, func(tx *store.Tx) error { return tx.FinishRecording(ctx, rec, made) })
	if errors.Is(err, recording.ErrNoRecording) { // the response was deleted meanwhile, perhaps before the last object was stored
		return w.Objects.DeletePrefix(ctx, folder)
	}
	if err != nil {
		return err
	}
	return w.removeStrays(ctx, rec.Folder(), folder)
}

// errDeleted cancels a run whose recording, or its response, was deleted.
var errDeleted = errors.New("the recording was deleted")

// watch returns a context that is canceled with errDeleted once the recording is gone: withdrawn data must not stay in a work
// folder until ffmpeg has finished. stop ends the watching and cancels the context.
func (w *Worker) watch(ctx context.Context, id string) (watched context.Context, stop func()) {
	every := w.Watch
	if every == 0 {
		every = 2 * time.Second
	}
	watched, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
			}
			if _, err := w.Store.View().Recording(watched, id); errors.Is(err, recording.ErrNoRecording) {
				cancel(errDeleted)
				return
			} // on a database error, try again
		}
	})
	return watched, func() {
		cancel(nil)
		watching.Wait()
	}
}

// removeStrays removes the objects below a recording's folder that are not below kept. Runs that died or finished later leave
// them behind.
func (w *Worker) removeStrays(ctx context.Context, folder, kept string) error {
	var strays []string
	for name, err := range w.Objects.List(ctx, folder) {
		if err != nil {
			return err
		}
		if !strings.HasPrefix(name, kept) {
			strays = append(strays, name)
		}
	}
	for _, name := range strays {
		if err := w.Objects.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// Discard marks a recording as failed after its last attempt.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "transcoding.Worker.Discard")
	return tx.FailRecording(ctx, jobs.DecodeTranscode(job).RecordingID, string(discarded))
}

// session is one upload: the objects of its parts, in order.
type session struct {
	objects   []string
	bytes     int64
	mediaType string
}

// sessions returns a recording's complete uploads that answers name, in the order they were created.
func (w *Worker) sessions(ctx context.Context, rec *recording.Recording) (all []session, err error) {
	view := w.Store.View()
	uploads, err := view.Uploads(ctx, rec.ResponseID)
	if err != nil {
		return nil, err
	}
	for _, u := range uploads {
		if u.StepID != rec.StepID || u.Kind != rec.Kind || !u.Used || u.State != recording.Complete || u.Received == 0 {
			continue
		}
		parts, err := view.UploadParts(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		s := session{bytes: u.Received, mediaType: u.MediaType}
		for _, p := range parts {
			s.objects = append(s.objects, u.Object(p.Name))
		}
		all = append(all, s)
	}
	return all, nil
}

// run is one attempt at a recording.
type run struct {
	recording *recording.Recording
	sessions  []session
	folder    string // for the objects that the run makes
	bytes     int64  // of all sessions
	attempt   int
}

// produce stores the renditions in the run's folder of objects. It returns a reason if that is impossible.
func (w *Worker) produce(ctx context.Context, r run) (recording.Rendition, error) {
	if len(r.sessions) == 0 {
		return recording.Rendition{}, notReceived
	}
	tool, err := w.Find(ctx)
	switch {
	case ctx.Err() != nil:
		return recording.Rendition{}, ctx.Err()
	case errors.Is(err, ffmpeg.ErrMissing) && len(r.sessions) == 1:
		return w.original(ctx, r.folder, r.sessions[0])
	case errors.Is(err, ffmpeg.ErrMissing):
		return recording.Rendition{}, severalSegments
	case err != nil:
		return recording.Rendition{}, err
	}
	made, err := w.encode(ctx, tool, r)
	if errors.Is(err, ffmpeg.ErrUnreadable) {
		err = unreadable
	}
	return made, err
}

// original stores the browser's file unchanged.
func (w *Worker) original(ctx context.Context, folder string, s session) (recording.Rendition, error) {
	kind := s.mediaType
	if kind == "" {
		return recording.Rendition{}, unreadable
	}
	made := recording.Rendition{MediaType: kind, Object: folder + "original"}
	content := &objectReader{ctx: ctx, objects: w.Objects, pending: s.objects}
	defer content.Close()
	return made, w.Objects.Put(ctx, made.Object, content, s.bytes, kind)
}

// encode joins and encodes the sessions in a temporary folder, and stores the result.
func (w *Worker) encode(ctx context.Context, tool *ffmpeg.Tool, r run) (made recording.Rendition, err error) {
	dir, removeDir, err := ffmpeg.WorkFolder(w.TempDir)
	if err != nil {
		return made, err
	}
	defer removeDir()
	names := make([]string, len(r.sessions))
	for i, s := range r.sessions {
		names[i] = filepath.Join(dir, fmt.Sprint("session", i))
		if err := w.fetch(ctx, s, names[i]); err != nil {
			return made, err
		}
	}
	joinedFile := filepath.Join(dir, "joined")
	joined, err := tool.Join(ctx, names, joinedFile)
	if err != nil {
		return made, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.budget(r.bytes, joined.Info.Duration, r.attempt))
	defer cancel()
	for _, name := range names { // free disk space for the output
		if err := os.Remove(name); err != nil {
			return made, err
		}
	}
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(out, ffmpeg.HLS), 0o700); err != nil {
		return made, err
	}
	if made, err = render(ctx, tool, r.recording.Kind, r.folder, joined.Info, joinedFile, out); err != nil {
		return made, err
	}
	return made, w.put(ctx, r.folder, out)
}

const (
	audioFile    = "audio.m4a"
	waveformFile = "waveform.json"
)

// render makes the files that are to be stored in folder. A camera recording without pictures becomes a sound recording.
func render(
	ctx context.Context, tool *ffmpeg.Tool, kind recording.Kind, folder string, info ffmpeg.Info, joinedFile, out string,
) (made recording.Rendition, err error) {
	var result ffmpeg.Info
	if info.VideoCodec != "" && kind != recording.Audio {
		made.MediaType, made.Object = "video/mp4", folder+ffmpeg.MP4
		made.Playlist, made.Poster = folder+ffmpeg.HLS+"/"+ffmpeg.Playlist, folder+ffmpeg.Poster
		result, err = tool.Video(ctx, joinedFile, out)
	} else {
		made.MediaType, made.Object = "audio/mp4", folder+audioFile
		result, err = tool.Audio(ctx, joinedFile, filepath.Join(out, audioFile))
	}
	made.Duration = result.Duration
	if err != nil || result.AudioCodec == "" {
		return made, err
	}
	peaks, err := tool.Waveform(ctx, joinedFile)
	if err != nil {
		return made, err
	}
	made.Waveform = folder + waveformFile
	return made, os.WriteFile(filepath.Join(out, waveformFile), peaks, 0o600)
}

// fetch writes a session's parts to one file.
func (w *Worker) fetch(ctx context.Context, s session, name string) error {
	content := &objectReader{ctx: ctx, objects: w.Objects, pending: s.objects}
	defer content.Close()
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

var mediaTypes = map[string]string{
	".mp4": "video/mp4", ".m4s": "video/mp4", ".m4a": "audio/mp4", ".m3u8": "application/vnd.apple.mpegurl", ".jpg": "image/jpeg",
	".json": "application/json",
}

// put stores every file below the local folder out in a folder of objects.
func (w *Worker) put(ctx context.Context, folder, out string) error {
	return filepath.WalkDir(out, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(out, name)
		if err != nil {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		return w.Objects.Put(ctx, folder+filepath.ToSlash(relative), file, info.Size(), mediaTypes[path.Ext(name)])
	})
}
