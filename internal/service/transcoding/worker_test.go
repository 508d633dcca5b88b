package transcoding_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/transcoding"
)

// recorderFile makes a recorder's file from ffmpeg arguments.
func recorderFile(t *testing.T, words string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ffmpeg", strings.Fields("-nostdin -v error "+words+" -f webm -live 1 pipe:1")...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v", err)
	}
	return out
}

const (
	sine   = "-f lavfi -i sine=f=440:r=48000:d=2"
	camera = "-f lavfi -i testsrc=s=160x90:r=10:d=2 " + sine + " -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus"
	voice  = sine + " -c:a libopus"
)

// fixture is a response and a worker.
type fixture struct {
	t       *testing.T
	sc      storetest.Scene
	r       response.Response
	objects blob.Store
	worker  *transcoding.Worker
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	sc := storetest.NewScene(t, storetest.New(t))
	objects, err := blob.OpenFolder(t.TempDir(), blob.Links{})
	if err != nil {
		t.Fatal(err)
	}
	s := &fixture{t: t, sc: sc, r: storetest.Response(t, sc.Store, sc.Study, nil), objects: objects}
	s.worker = &transcoding.Worker{Store: sc.Store, Objects: objects, Find: ffmpeg.Finder(""), TempDir: t.TempDir()}
	return s
}

// upload uploads a session in parts of at most 20,000 bytes, and names it in an answer.
func (s *fixture) upload(kind recording.Kind, mediaType string, content []byte) {
	s.t.Helper()
	ctx := s.t.Context()
	var u recording.Upload
	storetest.Write(s.t, s.sc.Store, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(ctx, recording.Upload{ResponseID: s.r.ID, Kind: kind, StepID: "1", Size: recording.Unknown}, recording.Defaults)
		return err
	})
	for part := range slices.Chunk(content, 20_000) {
		name := store.NewID()
		if err := s.objects.Put(ctx, u.Object(name), bytes.NewReader(part), int64(len(part)), "application/octet-stream"); err != nil {
			s.t.Fatal(err)
		}
		is := u
		is.MediaType, is.Parts, is.Received, is.ExpiresAt = mediaType, u.Parts+1, u.Received+int64(len(part)), u.ExpiresAt
		if is.Received == int64(len(content)) {
			is.Size, is.State = is.Received, recording.Complete
		}
		storetest.Write(s.t, s.sc.Store, func(tx *store.Tx) error {
			return tx.AppendUpload(ctx, u, is, recording.Part{Name: name, Size: int64(len(part))}, recording.Defaults)
		})
		u = is
	}
	storetest.Write(s.t, s.sc.Store, func(tx *store.Tx) error { return tx.UseUpload(ctx, s.r.ID, "1", kind, u.ID) })
}

// produce answers, runs the job and returns the recording.
func (s *fixture) produce(kind recording.Kind) recording.Recording {
	s.t.Helper()
	job := s.answer(kind)
	if err := s.worker.Run(s.t.Context(), job); err != nil {
		s.t.Fatal(err)
	}
	return s.recording()
}

func (s *fixture) answer(kind recording.Kind) (job store.Job) {
	s.t.Helper()
	ctx := s.t.Context()
	storetest.Write(s.t, s.sc.Store, func(tx *store.Tx) error {
		if err := tx.AddRecording(ctx, recording.Recording{OrgID: s.r.OrgID, ResponseID: s.r.ID, StepID: "1", Kind: kind, Row: 1}); err != nil {
			return err
		}
		return jobs.EnqueueRecordings(ctx, tx, s.r.ID)
	})
	storetest.Write(s.t, s.sc.Store, func(tx *store.Tx) error {
		claimed, err := tx.ClaimJobs(ctx, store.Queue{Name: jobs.QueueOf(jobs.KindTranscode)}, 10, 0)
		if err == nil && len(claimed) != 1 {
			s.t.Fatalf("the jobs are %+v, want one", claimed)
		}
		job = claimed[0]
		return err
	})
	return job
}

func (s *fixture) recording() recording.Recording {
	s.t.Helper()
	all, err := s.sc.Store.View().Recordings(s.t.Context(), s.r.ID)
	if err != nil || len(all) != 1 {
		s.t.Fatalf("the recordings are %+v, %v", all, err)
	}
	return all[0]
}

// objectNames returns the names of a recording's objects without the run's folder, and of HLS only the playlist.
func (s *fixture) objectNames(c recording.Recording) (names []string) {
	s.t.Helper()
	for name, err := range s.objects.List(s.t.Context(), c.Folder()) {
		if err != nil {
			s.t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".m4s") && !strings.HasSuffix(name, "init.mp4") {
			names = append(names, withoutRun(c, name))
		}
	}
	slices.Sort(names)
	return names
}

func withoutRun(c recording.Recording, name string) string {
	_, name, _ = strings.Cut(strings.TrimPrefix(name, c.Folder()), "/")
	return name
}

func (s *fixture) wantNoTempFiles() {
	s.t.Helper()
	if left, err := os.ReadDir(s.worker.TempDir); err != nil || len(left) > 0 {
		s.t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

func TestTranscoding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		kind     recording.Kind
		sessions []string
		made     []string
		kindOf   string
		seconds  float64
	}{
		{"a voice", recording.Audio, []string{voice}, []string{"audio.m4a", "waveform.json"}, "audio/mp4", 2},
		{"a camera", recording.Video, []string{camera}, []string{"hls/index.m3u8", "poster.jpg", "video.mp4", "waveform.json"}, "video/mp4", 2},
		{"a camera in two sessions", recording.Video, []string{camera, camera}, []string{"hls/index.m3u8", "poster.jpg", "video.mp4", "waveform.json"}, "video/mp4", 4},
		{"a slip of the finger", recording.Video, []string{"-f lavfi -i testsrc=s=161x91:r=10:d=0.1 -c:v libvpx"}, []string{"hls/index.m3u8", "poster.jpg", "video.mp4"}, "video/mp4", 0.2},
		{"a slip, then a take", recording.Video, []string{"-f lavfi -i testsrc=s=160x90:r=10:d=0.1 -c:v libvpx", camera}, []string{"hls/index.m3u8", "poster.jpg", "video.mp4", "waveform.json"}, "video/mp4", 2},
		{"a camera without a picture", recording.Video, []string{voice}, []string{"audio.m4a", "waveform.json"}, "audio/mp4", 2},
		{"a screen without sound", recording.ScreenVideo, []string{"-f lavfi -i testsrc=s=160x90:r=10:d=2 -c:v libvpx"}, []string{"hls/index.m3u8", "poster.jpg", "video.mp4"}, "video/mp4", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newFixture(t)
			for _, words := range tt.sessions {
				s.upload(tt.kind, "video/webm", recorderFile(t, words))
			}
			job := s.answer(tt.kind)
			for range 2 { // at least once
				if err := s.worker.Run(t.Context(), job); err != nil {
					t.Fatal(err)
				}
			}
			c := s.recording()
			if c.Stage != recording.Ready || c.Error != "" || c.MediaType != tt.kindOf || c.Duration.Seconds() < tt.seconds-0.3 || c.Duration.Seconds() > tt.seconds+0.4 {
				t.Errorf("%+v", c)
			}
			if diff := cmp.Diff(tt.made, s.objectNames(c)); diff != "" {
				t.Errorf("the objects: %s", diff)
			}
			named := c.Objects()
			for i := range named {
				named[i] = withoutRun(c, named[i])
			}
			slices.Sort(named)
			if diff := cmp.Diff(tt.made, named); diff != "" {
				t.Errorf("the names: %s", diff)
			}
			if info, err := s.objects.Stat(t.Context(), c.Object); err != nil || info.ContentType != tt.kindOf {
				t.Errorf("the object: %+v, %v", info, err)
			}
			s.wantNoTempFiles()
		})
	}
}

func TestWhatCannotBePlayedFails(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"damaged": []byte(strings.Repeat("no video ", 9000)), "nothing": nil} {
		s := newFixture(t)
		if content != nil {
			s.upload(recording.Video, "video/webm", content)
		}
		c := s.produce(recording.Video)
		if c.Stage != recording.Failed || c.Error == "" || len(s.objectNames(c)) > 0 || len(c.Objects()) > 0 {
			t.Errorf("%s: %+v", name, c)
		}
		s.wantNoTempFiles()
	}
}

func TestWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	missing := func(context.Context) (*ffmpeg.Tool, error) { return nil, ffmpeg.ErrMissing }
	content := bytes.Repeat([]byte("what a browser made "), 3000)
	s := newFixture(t)
	s.worker.Find = missing
	s.upload(recording.Video, "video/webm", content)
	c := s.produce(recording.Video)
	if c.Stage != recording.Ready || c.MediaType != "video/webm" || c.Playlist != "" {
		t.Errorf("%+v", c)
	}
	object, err := s.objects.Get(t.Context(), c.Object, 0, blob.ToEnd)
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	if got, err := io.ReadAll(object); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the object has %d bytes, %v; want the %d that were sent", len(got), err, len(content))
	}

	s = newFixture(t)
	s.worker.Find = missing
	s.upload(recording.Audio, "audio/webm", content)
	s.upload(recording.Audio, "audio/webm", content)
	if c := s.produce(recording.Audio); c.Stage != recording.Failed || !strings.Contains(c.Error, "ffmpeg") {
		t.Errorf("in two parts: %+v", c)
	}
}

// TestTwoNodes: two nodes run the same job at once, and a node that died left objects behind. The objects of one run stay.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	c := s.recording()
	died := c.Folder() + "died/audio.m4a"
	if err := s.objects.Put(t.Context(), died, strings.NewReader("half"), 4, "audio/mp4"); err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup // until both are at work, neither goes on
	both.Add(2)
	find := s.worker.Find
	s.worker.Find = func(ctx context.Context) (*ffmpeg.Tool, error) {
		both.Done()
		both.Wait()
		return find(ctx)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if err := s.worker.Run(t.Context(), job); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c = s.recording()
	if diff := cmp.Diff([]string{"audio.m4a", "waveform.json"}, s.objectNames(c)); diff != "" || c.Stage != recording.Ready {
		t.Errorf("%s, the objects: %s", c.Stage, diff)
	}
	for _, name := range c.Objects() {
		if _, err := s.objects.Stat(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.wantNoTempFiles()
}

// TestTooLong: a recording that takes too long is tried once more, and then fails.
func TestTooLong(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	s.worker.Within = time.Nanosecond
	job.Attempt = 1
	if err := s.worker.Run(t.Context(), job); !errors.Is(err, context.DeadlineExceeded) || s.recording().Stage != recording.Queued {
		t.Errorf("the first time: %v, stage %s; want another attempt", err, s.recording().Stage)
	}
	job.Attempt = 2
	stopped, stop := context.WithCancel(t.Context())
	stop() // the node is told to stop: that is not a failure of the recording
	if err := s.worker.Run(stopped, job); !errors.Is(err, context.Canceled) || s.recording().Stage != recording.Queued {
		t.Errorf("when the node stops: %v, stage %s", err, s.recording().Stage)
	}
	if err := s.worker.Run(t.Context(), job); err != nil {
		t.Error(err)
	}
	if c := s.recording(); c.Stage != recording.Failed || !strings.Contains(c.Error, "too long") {
		t.Errorf("the second time: %+v", c)
	}
	s.wantNoTempFiles()
}

// TestDeletedMeanwhile: a response that is deleted while its recording is encoded leaves nothing behind.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	c := s.recording()
	s.worker.Find = func(ctx context.Context) (*ffmpeg.Tool, error) {
		storetest.Write(t, s.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(ctx, s.r); return err })
		return ffmpeg.Finder("")(ctx)
	}
	if err := s.worker.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if left := s.objectNames(c); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if err := s.worker.Run(t.Context(), job); err != nil {
		t.Errorf("once more: %v", err)
	}
}

// deletingObjects deletes the response when an object is read, and then blocks until the context ends.
type deletingObjects struct {
	blob.Store
	withdraw func()
}

func (o deletingObjects) Get(ctx context.Context, _ string, _, _ int64) (io.ReadCloser, error) {
	o.withdraw()
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestDeletionCancelsTheRun: a run that would never end, with a work folder, is canceled when the response is deleted.
func TestDeletionCancelsTheRun(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	c := s.recording()
	s.worker.Watch = time.Millisecond
	s.worker.Objects = deletingObjects{s.objects, func() {
		if work, err := os.ReadDir(s.worker.TempDir); err != nil || len(work) != 1 {
			t.Errorf("the work folders are %v, %v", work, err)
		}
		storetest.Write(t, s.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), s.r); return err })
	}}
	if err := s.worker.Run(t.Context(), job); err != nil {
		t.Errorf("Run = %v, want nil: there is nothing to retry", err)
	}
	s.wantNoTempFiles()
	if left := s.objectNames(c); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestTrouble(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	broken := errors.New("broken")
	s.worker.Find = func(context.Context) (*ffmpeg.Tool, error) { return nil, broken }
	if err := s.worker.Run(t.Context(), job); !errors.Is(err, broken) || s.recording().Stage != recording.Queued {
		t.Errorf("Run = %v, stage %s; want another attempt", err, s.recording().Stage)
	}
	s.worker.Find, s.worker.TempDir = ffmpeg.Finder(""), filepath.Join(s.worker.TempDir, "gone")
	if err := s.worker.Run(t.Context(), job); !errors.Is(err, os.ErrNotExist) || s.recording().Stage != recording.Queued {
		t.Errorf("Run = %v, stage %s; want another attempt", err, s.recording().Stage)
	}
	storetest.Write(t, s.sc.Store, func(tx *store.Tx) error { return s.worker.Discard(t.Context(), tx, job) })
	if c := s.recording(); c.Stage != recording.Failed || c.Error == "" {
		t.Errorf("discarded: %+v", c)
	}
}

// TestBudget: the timeout of a recording follows from its size or its duration, whichever is less.
func TestBudget(t *testing.T) {
	t.Parallel()
	w := &transcoding.Worker{}
	for _, tt := range []struct {
		bytes    int64
		duration time.Duration
		attempt  int
		want     time.Duration
	}{
		{60_000, 6 * time.Hour, 1, 2*time.Minute + 4*117*time.Second},
		{60_000, 6 * time.Hour, 2, time.Minute + 2*117*time.Second},
		{60_000, 10 * time.Second, 1, 2*time.Minute + 40*time.Second},
		{1 << 30, 20 * time.Minute, 1, 82 * time.Minute},
		{1 << 30, 0, 1, 6 * time.Hour},
	} {
		if got := w.Budget(tt.bytes, tt.duration, tt.attempt); got != tt.want {
			t.Errorf("%d bytes of %s, attempt %d: %s, want %s", tt.bytes, tt.duration, tt.attempt, got, tt.want)
		}
	}
}

// TestExcessIsTriedTwice: a recording beyond the limits of ffmpeg fails at the second attempt.
func TestExcessIsTriedTwice(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.upload(recording.Audio, "audio/webm", recorderFile(t, voice))
	job := s.answer(recording.Audio)
	s.worker.Find = func(context.Context) (*ffmpeg.Tool, error) { return nil, ffmpeg.ErrExcess }
	job.Attempt = 1
	if err := s.worker.Run(t.Context(), job); !errors.Is(err, ffmpeg.ErrExcess) || s.recording().Stage != recording.Queued {
		t.Errorf("the first time: %v, stage %s; want another attempt", err, s.recording().Stage)
	}
	job.Attempt = 2
	if err := s.worker.Run(t.Context(), job); err != nil || s.recording().Stage != recording.Failed || !strings.Contains(s.recording().Error, "more or larger pictures") {
		t.Errorf("the second time: %v, %+v", err, s.recording())
	}
}
