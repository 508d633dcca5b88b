package uploads_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/uploads"
)

// stalledBody returns its content and then blocks until it is cut.
type stalledBody struct {
	content []byte
	dry     chan struct{} // closed when all of the content was read
	cut     chan struct{}
	once    sync.Once
	ended   sync.Once
}

func newStalledBody(content []byte) *stalledBody {
	return &stalledBody{content: content, dry: make(chan struct{}), cut: make(chan struct{})}
}

func (s *stalledBody) Read(p []byte) (int, error) {
	if n := copy(p, s.content); n > 0 {
		s.content = s.content[n:]
		return n, nil
	}
	s.once.Do(func() { close(s.dry) })
	<-s.cut
	return 0, io.ErrUnexpectedEOF
}

func (s *stalledBody) Cut() { s.ended.Do(func() { close(s.cut) }) }

func (s *stalledBody) chunk(offset, size int64) uploads.Chunk {
	return uploads.Chunk{Offset: offset, Length: recording.Unknown, Size: size, Body: s, Cut: s.Cut}
}

// TestManyChunksAtOneOffset sends twenty chunks at once, through two nodes; no connection ends by itself.
func TestManyChunksAtOneOffset(t *testing.T) {
	t.Parallel()
	s := setup(t)
	nodes := []*uploads.Service{s.Service, s.node(storetest.Open(t, s.address, store.Options{Now: s.clock.Now}), s.objects)}
	for _, n := range nodes {
		n.Renew = time.Millisecond
	}
	u := s.begin(recording.Video, "s1", 4000)
	var all sync.WaitGroup
	var stored atomic.Int32
	for i := range 20 {
		all.Go(func() {
			body := newStalledBody(recorderFile(3000))
			switch _, err := nodes[i%2].Append(t.Context(), s.r.ID, u.ID, body.chunk(0, 4000)); {
			case err == nil:
				stored.Add(1)
			case !errors.Is(err, recording.ErrOffset) && !errors.Is(err, recording.ErrLocked):
				t.Errorf("a chunk ends with %v", err)
			}
		})
	}
	all.Wait()
	u, err := s.Status(t.Context(), s.r.ID, u.ID)
	if err != nil || stored.Load() != 1 || u.Received != 3000 || s.objectCount(u) != 1 || len(s.content(u)) != 3000 {
		t.Errorf("%d chunks were stored, the upload has %d bytes in %d objects, %v; want one of each", stored.Load(), u.Received, s.objectCount(u), err)
	}
}

// TestWriterHandsOver: a sender reconnects, through the same node and another, while the server still waits for its first
// connection.
func TestWriterHandsOver(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.node(storetest.Open(t, s.address, store.Options{Now: s.clock.Now}), s.objects)
	s.Renew, other.Renew = time.Millisecond, time.Millisecond
	u := s.begin(recording.Video, "s1", recording.Unknown)
	for name, second := range map[string]*uploads.Service{"the same node": s.Service, "another node": other} {
		from := u.Received
		stalled := newStalledBody(recorderFile(600))
		ended := make(chan error, 1)
		go func() {
			_, err := s.Append(t.Context(), s.r.ID, u.ID, stalled.chunk(from, 900))
			ended <- err
		}()
		<-stalled.dry
		if _, err := second.Append(t.Context(), s.r.ID, u.ID, chunk(from, recorderFile(100))); !errors.Is(err, recording.ErrOffset) && !errors.Is(err, recording.ErrLocked) {
			t.Fatalf("%s: the second request ends with %v, want ErrMoved or ErrLocked", name, err)
		}
		if err := <-ended; err != nil {
			t.Fatalf("%s: the first request ends with %v", name, err)
		}
		var err error
		if u, err = second.Append(t.Context(), s.r.ID, u.ID, chunk(from+600, recorderFile(100))); err != nil || u.Received != from+700 {
			t.Fatalf("%s: after the bytes that arrived: at %d, %v", name, u.Received, err)
		}
	}
}

func TestLeaseOfDeadNodeExpires(t *testing.T) {
	t.Parallel()
	s := setup(t)
	u := s.begin(recording.Video, "s1", 900)
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.LeaseUpload(t.Context(), u.ID, "dead", time.Minute) })
	s.fails(recording.ErrLocked, u, chunk(0, recorderFile(900)))
	s.clock.Advance(time.Minute + time.Second)
	if u = s.add(u, recorderFile(900)); u.State != recording.Complete {
		t.Errorf("the upload is %s", u.State)
	}
}

// TestStudyAndInstallationQuotas fills each quota to the byte.
func TestStudyAndInstallationQuotas(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*recording.Limits){
		"study":        func(l *recording.Limits) { l.Study = 7000 },
		"installation": func(l *recording.Limits) { l.Installation = 7000 },
	} {
		s := setup(t)
		set(&s.Limits)
		second := storetest.Response(t, s.Store, s.scene.Study, nil)
		sized := s.add(s.begin(recording.File, "s1", 3000), recorderFile(3000))
		if _, err := s.Create(t.Context(), second.ID, uploads.NewUpload{Kind: recording.Audio, StepID: "s1", Size: 4001}); !errors.Is(err, recording.ErrStorage) {
			t.Errorf("%s: one byte too many: %v, want ErrStorage", name, err)
		}
		open, err := s.Create(t.Context(), second.ID, uploads.NewUpload{Kind: recording.Audio, StepID: "s1", Size: recording.Unknown})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []uploads.Chunk{chunk(0, recorderFile(4001)), {Length: 4001, Size: 0}, {Length: recording.Unknown, Size: recording.Unknown, Body: newEndless()}} {
			if p.Body == nil {
				p.Body = newEndless()
			}
			if _, err := s.Append(t.Context(), second.ID, open.ID, p); !errors.Is(err, recording.ErrStorage) {
				t.Errorf("%s: a chunk with one byte too many (%d): %v, want ErrStorage", name, p.Size, err)
			}
		}
		if n := s.objectCount(open); n != 0 {
			t.Errorf("%s: %d objects of what was refused are kept", name, n)
		}
		if open, err = s.Append(t.Context(), second.ID, open.ID, chunk(0, recorderFile(4000))); err != nil {
			t.Errorf("%s: what just fits: %v", name, err)
		}
		total := func(want int64) {
			t.Helper()
			if got, err := s.Store.View().UploadTotal(t.Context(), s.scene.Study.ID); got != want || err != nil {
				t.Errorf("%s: the study counts %d bytes, %v, want %d", name, got, err, want)
			}
		}
		total(7000)
		if err := s.Terminate(t.Context(), s.r.ID, sized.ID); err != nil {
			t.Fatal(err)
		}
		total(4000)
		storetest.Write(t, s.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), second); return err })
		total(0)
	}
}

// newEndless returns a body that never ends.
func newEndless() io.Reader {
	first := recorderFile(600)
	return readerFunc(func(p []byte) (int, error) {
		n := copy(p, first)
		first = first[n:]
		return max(n, len(p)), nil
	})
}

func TestTooManyOpenUploads(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Limits.Open = 2
	first := s.begin(recording.File, "s1", 600)
	s.begin(recording.File, "s1", 600)
	in := uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 600}
	if _, err := s.Create(t.Context(), s.r.ID, in); !errors.Is(err, recording.ErrTooMany) {
		t.Errorf("a third: %v, want ErrTooMany", err)
	}
	s.add(first, recorderFile(600))
	if _, err := s.Create(t.Context(), s.r.ID, in); err != nil {
		t.Errorf("after one is complete: %v", err)
	}
}

// fullDisk is an object store whose disk becomes full while an object is written.
type fullDisk struct{ blob.Store }

func (fullDisk) Put(_ context.Context, _ string, r io.Reader, _ int64, _ string) error {
	_, _ = io.CopyN(io.Discard, r, 100)
	return fmt.Errorf("%w: no space left", outage.ErrObjectsFull)
}

func TestShortDisk(t *testing.T) {
	t.Parallel()
	s := setup(t)
	u := s.begin(recording.Video, "s1", 900)
	full := s.node(s.Store, fullDisk{s.objects})
	if _, err := full.Append(t.Context(), s.r.ID, u.ID, chunk(0, recorderFile(900))); !errors.Is(err, recording.ErrStorage) || s.objectCount(u) != 0 {
		t.Errorf("on a full disk: %v with %d objects, want ErrStorage and none", err, s.objectCount(u))
	}

	free, size := uint64(1899), uint64(100_000)
	s.MinFree, s.Free = 1000, func() (uint64, uint64, error) { return free, size, nil }
	s.fails(recording.ErrStorage, u, chunk(0, recorderFile(900)))
	if _, err := s.Create(t.Context(), s.r.ID, uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 900}); !errors.Is(err, recording.ErrStorage) {
		t.Errorf("an upload that does not fit: %v", err)
	}
	free++
	if u = s.add(u, recorderFile(900)); u.State != recording.Complete { // the database still works
		t.Errorf("the upload is %s", u.State)
	}
	free, size = 50, 1000 // on a small disk one twentieth is enough
	s.begin(recording.File, "s1", recording.Unknown)
}

// TestDiskFillsWhileReading: the bytes that arrived before the disk was nearly full are kept, and no more are accepted.
func TestDiskFillsWhileReading(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Limits.Video, s.Limits.Bytes = 64<<20, 64<<20
	var free atomic.Uint64
	free.Store(1 << 40)
	s.MinFree, s.Free = 1000, func() (uint64, uint64, error) { return free.Load(), 1 << 41, nil }
	u := s.begin(recording.Video, "s1", recording.Unknown)
	body := io.MultiReader(newBytes(recorderFile(1<<20)), readerFunc(func(p []byte) (int, error) {
		free.Store(999)
		return len(p), nil
	}))
	u, err := s.Append(t.Context(), s.r.ID, u.ID, uploads.Chunk{Length: recording.Unknown, Size: recording.Unknown, Body: body})
	if err != nil || u.Received < 8<<20 || u.Received > 9<<20 {
		t.Errorf("%d bytes were received, %v", u.Received, err)
	}
	s.fails(recording.ErrStorage, u, chunk(u.Received, recorderFile(10)))
}

func newBytes(b []byte) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		if len(b) == 0 {
			return 0, io.EOF
		}
		n := copy(p, b)
		b = b[n:]
		return n, nil
	})
}
