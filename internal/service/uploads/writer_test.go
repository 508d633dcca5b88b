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

// slow is the body of a sender that brings its content and then neither goes on nor leaves, until it is cut.
type slow struct {
	content []byte
	dry     chan struct{} // closed when all of the content was read
	cut     chan struct{}
	once    sync.Once
	ended   sync.Once
}

func newSlow(content []byte) *slow {
	return &slow{content: content, dry: make(chan struct{}), cut: make(chan struct{})}
}

func (s *slow) Read(p []byte) (int, error) {
	if n := copy(p, s.content); n > 0 {
		s.content = s.content[n:]
		return n, nil
	}
	s.once.Do(func() { close(s.dry) })
	<-s.cut
	return 0, io.ErrUnexpectedEOF
}

func (s *slow) Cut() { s.ended.Do(func() { close(s.cut) }) }

func (s *slow) piece(offset, size int64) uploads.Chunk {
	return uploads.Chunk{Offset: offset, Length: recording.Unknown, Size: size, Body: s, Cut: s.Cut}
}

// TestManyPiecesAtOneOffset sends twenty at once, by two nodes; none of their connections ends by itself.
func TestManyPiecesAtOneOffset(t *testing.T) {
	t.Parallel()
	s := setup(t)
	nodes := []*uploads.Service{s.Service, s.node(storetest.Open(t, s.address, store.Options{Now: s.clock.Now}), s.objects)}
	for _, n := range nodes {
		n.Renew = time.Millisecond
	}
	u := s.begin(recording.Video, "s1", 4000)
	var all sync.WaitGroup
	var won atomic.Int32
	for i := range 20 {
		all.Go(func() {
			body := newSlow(film(3000))
			switch _, err := nodes[i%2].Append(t.Context(), s.r.ID, u.ID, body.piece(0, 4000)); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, recording.ErrMoved) && !errors.Is(err, recording.ErrLocked):
				t.Errorf("a piece ends with %v", err)
			}
		})
	}
	all.Wait()
	u, err := s.Status(t.Context(), s.r.ID, u.ID)
	if err != nil || won.Load() != 1 || u.Received != 3000 || s.kept(u) != 1 || len(s.content(u)) != 3000 {
		t.Errorf("%d pieces won, the upload has %d bytes in %d objects, %v; want one of each", won.Load(), u.Received, s.kept(u), err)
	}
}

// TestAWriterHandsOver has a sender come again, by this node and by another, while the server still waits for its first connection.
func TestAWriterHandsOver(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.node(storetest.Open(t, s.address, store.Options{Now: s.clock.Now}), s.objects)
	s.Renew, other.Renew = time.Millisecond, time.Millisecond
	u := s.begin(recording.Video, "s1", recording.Unknown)
	for name, second := range map[string]*uploads.Service{"the same node": s.Service, "another node": other} {
		from := u.Received
		dead := newSlow(film(600))
		ended := make(chan error, 1)
		go func() {
			_, err := s.Append(t.Context(), s.r.ID, u.ID, dead.piece(from, 900))
			ended <- err
		}()
		<-dead.dry
		if _, err := second.Append(t.Context(), s.r.ID, u.ID, piece(from, film(100))); !errors.Is(err, recording.ErrMoved) && !errors.Is(err, recording.ErrLocked) {
			t.Fatalf("%s: the second request ends with %v, want ErrMoved or ErrLocked", name, err)
		}
		if err := <-ended; err != nil {
			t.Fatalf("%s: the first request ends with %v", name, err)
		}
		var err error
		if u, err = second.Append(t.Context(), s.r.ID, u.ID, piece(from+600, film(100))); err != nil || u.Received != from+700 {
			t.Fatalf("%s: behind what arrived: at %d, %v", name, u.Received, err)
		}
	}
}

func TestTheLeaseOfADeadNodeRunsOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	u := s.begin(recording.Video, "s1", 900)
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.LeaseUpload(t.Context(), u.ID, "dead", time.Minute) })
	s.fails(recording.ErrLocked, u, piece(0, film(900)))
	s.clock.Advance(time.Minute + time.Second)
	if u = s.add(u, film(900)); u.State != recording.Complete {
		t.Errorf("the upload is %s", u.State)
	}
}

// TestStudyAndInstallationQuotas fills each to the byte.
func TestStudyAndInstallationQuotas(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*recording.Limits){
		"study":        func(l *recording.Limits) { l.Study = 7000 },
		"installation": func(l *recording.Limits) { l.Installation = 7000 },
	} {
		s := setup(t)
		set(&s.Limits)
		second := storetest.Response(t, s.Store, s.scene.Study, nil)
		sized := s.add(s.begin(recording.File, "s1", 3000), film(3000))
		if _, err := s.Create(t.Context(), second.ID, uploads.New{Kind: recording.Audio, StepID: "s1", Size: 4001}); !errors.Is(err, recording.ErrStorage) {
			t.Errorf("%s: one byte too many: %v, want ErrStorage", name, err)
		}
		open, err := s.Create(t.Context(), second.ID, uploads.New{Kind: recording.Audio, StepID: "s1", Size: recording.Unknown})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []uploads.Chunk{piece(0, film(4001)), {Length: 4001, Size: 0}, {Length: recording.Unknown, Size: recording.Unknown, Body: newEndless()}} {
			if p.Body == nil {
				p.Body = newEndless()
			}
			if _, err := s.Append(t.Context(), second.ID, open.ID, p); !errors.Is(err, recording.ErrStorage) {
				t.Errorf("%s: a piece of one byte too many (%d): %v, want ErrStorage", name, p.Size, err)
			}
		}
		if n := s.kept(open); n != 0 {
			t.Errorf("%s: %d objects of what was refused are kept", name, n)
		}
		if open, err = s.Append(t.Context(), second.ID, open.ID, piece(0, film(4000))); err != nil {
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

// newEndless is a body that never ends.
func newEndless() io.Reader {
	first := film(600)
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
	in := uploads.New{Kind: recording.File, StepID: "s1", Size: 600}
	if _, err := s.Create(t.Context(), s.r.ID, in); !errors.Is(err, recording.ErrTooMany) {
		t.Errorf("a third: %v, want ErrTooMany", err)
	}
	s.add(first, film(600))
	if _, err := s.Create(t.Context(), s.r.ID, in); err != nil {
		t.Errorf("after one is complete: %v", err)
	}
}

// fullDisk is a store of objects whose disk runs full while an object is written.
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
	if _, err := full.Append(t.Context(), s.r.ID, u.ID, piece(0, film(900))); !errors.Is(err, recording.ErrStorage) || s.kept(u) != 0 {
		t.Errorf("on a full disk: %v with %d objects, want ErrStorage and none", err, s.kept(u))
	}

	free, size := uint64(1899), uint64(100_000)
	s.MinFree, s.Free = 1000, func() (uint64, uint64, error) { return free, size, nil }
	s.fails(recording.ErrStorage, u, piece(0, film(900)))
	if _, err := s.Create(t.Context(), s.r.ID, uploads.New{Kind: recording.File, StepID: "s1", Size: 900}); !errors.Is(err, recording.ErrStorage) {
		t.Errorf("an upload for which there is no room: %v", err)
	}
	free++
	if u = s.add(u, film(900)); u.State != recording.Complete { // and the database has gone on
		t.Errorf("the upload is %s", u.State)
	}
	free, size = 50, 1000 // of a small disk a twentieth is enough
	s.begin(recording.File, "s1", recording.Unknown)
}

// TestADiskThatRunsShort keeps what came until then, and takes no more.
func TestADiskThatRunsShort(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Limits.Video, s.Limits.Bytes = 64<<20, 64<<20
	var free atomic.Uint64
	free.Store(1 << 40)
	s.MinFree, s.Free = 1000, func() (uint64, uint64, error) { return free.Load(), 1 << 41, nil }
	u := s.begin(recording.Video, "s1", recording.Unknown)
	body := io.MultiReader(newBytes(film(1<<20)), readerFunc(func(p []byte) (int, error) {
		free.Store(999)
		return len(p), nil
	}))
	u, err := s.Append(t.Context(), s.r.ID, u.ID, uploads.Chunk{Length: recording.Unknown, Size: recording.Unknown, Body: body})
	if err != nil || u.Received < 8<<20 || u.Received > 9<<20 {
		t.Errorf("%d bytes were taken, %v", u.Received, err)
	}
	s.fails(recording.ErrStorage, u, piece(u.Received, film(10)))
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
