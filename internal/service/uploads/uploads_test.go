package uploads_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/uploads"
)

// fixture is a response and the service that receives its uploads.
type fixture struct {
	*uploads.Service
	t       *testing.T
	clock   *storetest.Clock
	scene   storetest.Scene
	objects blob.Store
	address string
	r       response.Response
}

func setup(t *testing.T) *fixture {
	t.Helper()
	s := &fixture{t: t, clock: storetest.NewClock(), address: storetest.Address(t), objects: blobtest.Folder(t)}
	s.scene = storetest.NewScene(t, storetest.Open(t, s.address, store.Options{Now: s.clock.Now}))
	s.r = storetest.Response(t, s.scene.Store, s.scene.Study, nil)
	s.Service = s.node(s.scene.Store, s.objects)
	return s
}

// node returns another server on the same data.
func (s *fixture) node(db *store.Store, objects uploads.Objects) *uploads.Service {
	return &uploads.Service{
		Store: db, Objects: objects,
		Limits: recording.Limits{Audio: 5000, Video: 5000, ScreenVideo: 5000, File: 3000, Bytes: 8000, Uploads: 10, Parts: 8, Lifetime: 24 * time.Hour},
	}
}

// recorderFile returns the start of a recorder's file, filled to size with random bytes.
func recorderFile(size int) []byte {
	content := make([]byte, size)
	_, _ = rand.Read(content)
	copy(content, "\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm")
	return content
}

func (s *fixture) begin(kind recording.Kind, stepID string, size int64) recording.Upload {
	s.t.Helper()
	u, err := s.Create(s.t.Context(), s.r.ID, uploads.NewUpload{Kind: kind, StepID: stepID, Name: "C:\\me\\take 1.webm", Size: size, Metadata: "kind dmlkZW8="})
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

func chunk(offset int64, content []byte) uploads.Chunk {
	return uploads.Chunk{Offset: offset, Length: recording.Unknown, Size: int64(len(content)), Body: bytes.NewReader(content)}
}

// add appends a chunk; it must succeed.
func (s *fixture) add(u recording.Upload, content []byte) recording.Upload {
	s.t.Helper()
	u, err := s.Append(s.t.Context(), s.r.ID, u.ID, chunk(u.Received, content))
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

func (s *fixture) use(stepID string, kind recording.Kind, id string) {
	s.t.Helper()
	storetest.Write(s.t, s.Store, func(tx *store.Tx) error { return tx.UseUpload(s.t.Context(), s.r.ID, stepID, kind, id) })
}

// content returns the content of an upload.
func (s *fixture) content(u recording.Upload) []byte {
	s.t.Helper()
	parts, err := s.Store.View().UploadParts(s.t.Context(), u.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	var all []byte
	for _, part := range parts {
		r, err := s.objects.Get(s.t.Context(), u.Object(part.Name), 0, blob.ToEnd)
		if err != nil {
			s.t.Fatal(err)
		}
		one, err := io.ReadAll(r)
		if err != nil || int64(len(one)) != part.Size {
			s.t.Fatalf("a part of %d bytes has %d: %v", part.Size, len(one), err)
		}
		r.Close()
		all = append(all, one...)
	}
	return all
}

// objectCount returns the number of an upload's objects.
func (s *fixture) objectCount(u recording.Upload) (n int) {
	s.t.Helper()
	for _, err := range s.objects.List(s.t.Context(), u.Folder()) {
		if err != nil {
			s.t.Fatal(err)
		}
		n++
	}
	return n
}

func (s *fixture) fails(want error, u recording.Upload, p uploads.Chunk) {
	s.t.Helper()
	if _, err := s.Append(s.t.Context(), s.r.ID, u.ID, p); !errors.Is(err, want) {
		s.t.Fatalf("error is %v, want %v", err, want)
	}
}

func TestUploadInChunks(t *testing.T) {
	t.Parallel()
	s := setup(t)
	all := recorderFile(2500)
	u := s.begin(recording.Video, "s1", recording.Unknown)
	if u.Name != "take 1.webm" || u.Size != recording.Unknown || u.Metadata != "kind dmlkZW8=" {
		t.Errorf("begun as %+v", u)
	}
	u = s.add(u, all[:5]) // too few bytes to detect the type
	if u.MediaType != "" {
		t.Errorf("the type is %s before it can be known", u.MediaType)
	}
	u = s.add(u, all[5:1000])
	if u.MediaType != "video/webm" || u.Received != 1000 || u.Parts != 2 {
		t.Errorf("after two chunks: %+v", u)
	}
	last := chunk(1000, all[1000:])
	last.Length = 2500
	u, err := s.Append(t.Context(), s.r.ID, u.ID, last)
	if err != nil || u.State != recording.Complete || u.Size != 2500 {
		t.Fatalf("after the last chunk: %+v, %v", u, err)
	}
	if !bytes.Equal(s.content(u), all) {
		t.Error("the stored content is not what was sent")
	}
	again := s.add(u, nil)
	if diff := cmp.Diff(u, again); diff != "" {
		t.Errorf("an empty chunk at the end (-before +after):\n%s", diff)
	}
	s.fails(recording.ErrTooLarge, u, chunk(2500, []byte("x")))
}

func TestLengthWithoutContent(t *testing.T) {
	t.Parallel()
	s := setup(t)
	u := s.add(s.begin(recording.Audio, "s1", recording.Unknown), recorderFile(100))
	u, err := s.Append(t.Context(), s.r.ID, u.ID, uploads.Chunk{Offset: 100, Length: 100, Size: 0, Body: strings.NewReader("")})
	if err != nil || u.State != recording.Complete || u.MediaType != "audio/webm" || u.Head != nil || u.Parts != 1 {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := t.Context()
	for name, c := range map[string]struct {
		in   uploads.NewUpload
		want error
	}{
		"a large file":   {uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 3001}, recording.ErrTooLarge},
		"an empty file":  {uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 0}, recording.ErrType},
		"an unknown one": {uploads.NewUpload{Kind: "other", StepID: "s1", Size: 1}, recording.ErrTooLarge},
	} {
		if _, err := s.Create(ctx, s.r.ID, c.in); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	sized, open := s.begin(recording.File, "s1", 1000), s.begin(recording.Video, "s1", recording.Unknown)
	s.fails(recording.ErrOffset, sized, chunk(1, recorderFile(10)))
	s.fails(recording.ErrTooLarge, sized, chunk(0, recorderFile(1001)))
	hidden := chunk(0, recorderFile(1001))
	hidden.Size = recording.Unknown
	s.fails(recording.ErrTooLarge, sized, hidden)
	s.fails(recording.ErrLength, sized, uploads.Chunk{Length: 999, Body: strings.NewReader("")})
	s.fails(recording.ErrTooLarge, open, uploads.Chunk{Length: 5001, Body: strings.NewReader("")})
	s.fails(recording.ErrTooLarge, open, chunk(0, recorderFile(5001)))
	s.fails(recording.ErrNotFound, recording.Upload{ID: store.NewID()}, chunk(0, nil))
	open = s.add(open, recorderFile(600))
	s.fails(recording.ErrLength, open, uploads.Chunk{Offset: 600, Length: 599, Body: strings.NewReader("")})
	if n := s.objectCount(sized) + s.objectCount(open); n != 1 {
		t.Errorf("%d objects are kept, want that of the chunk that fits", n)
	}
	s.add(sized, recorderFile(1000))
	s.add(s.begin(recording.Video, "s1", 5000), recorderFile(5000))
	s.fails(recording.ErrQuota, open, chunk(600, recorderFile(1401))) // 1000 and 5000 are there
	s.fails(recording.ErrQuota, open, uploads.Chunk{Offset: 600, Length: 2001, Body: strings.NewReader("")})
	if _, err := s.Create(ctx, s.r.ID, uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 1401}); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("an upload beyond the quota: %v", err)
	}
	for range 7 {
		open = s.add(open, []byte("x"))
	}
	s.fails(recording.ErrQuota, open, chunk(open.Received, []byte("x"))) // of parts
}

// TestQuotaIsAllottedAsBytesArrive announces an upload of the full quota, sends part of it, and breaks off.
func TestQuotaIsAllottedAsBytesArrive(t *testing.T) {
	t.Parallel()
	const all = 64 << 20
	s := setup(t)
	s.Limits.Video, s.Limits.Bytes, s.Limits.Study = all, all, all
	counts := func(when string, least, limit int64) {
		t.Helper()
		if got, err := s.Store.View().UploadTotal(t.Context(), s.scene.Study.ID); got < least || got > limit || err != nil {
			t.Errorf("%s the study counts %d bytes, %v; want %d to %d", when, got, err, least, limit)
		}
	}
	u := s.begin(recording.Video, "s1", all)
	counts("when it is announced", 0, 0)
	for _, sent := range []int64{600, 1 << 20} {
		for _, announced := range []int64{all - u.Received, recording.Unknown} {
			body := newStalledBody(recorderFile(int(sent)))
			done := make(chan error, 1)
			before := u.Received
			go func() {
				_, err := s.Append(t.Context(), s.r.ID, u.ID, body.chunk(before, announced))
				done <- err
			}()
			<-body.dry
			counts("while it is sent", before+sent, 2*(before+sent)+128<<10)
			body.Cut()
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			var err error
			if u, err = s.Status(t.Context(), s.r.ID, u.ID); u.Received != before+sent || err != nil {
				t.Fatalf("%d bytes are there, %v", u.Received, err)
			}
			counts("when it broke off", u.Received, u.Received)
		}
	}
	s.fails(recording.ErrTooLarge, u, chunk(u.Received, recorderFile(int(all-u.Received)+1)))
	if u = s.add(u, recorderFile(int(all-u.Received))); u.State != recording.Complete { // to the byte
		t.Errorf("the upload is %s", u.State)
	}
	counts("when it is complete", all, all)
	if _, err := s.Create(t.Context(), s.r.ID, uploads.NewUpload{Kind: recording.File, StepID: "s1", Size: 1}); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("one byte more: %v, want ErrQuota", err)
	}
}

// TestConcurrentRecordingsShareQuota: two recorders send at once, and the quota suffices for one of them.
func TestConcurrentRecordingsShareQuota(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.add(s.begin(recording.File, "s1", 3000), recorderFile(3000)) // of 8000
	recordings := []recording.Upload{s.begin(recording.Audio, "s1", recording.Unknown), s.begin(recording.Video, "s1", recording.Unknown)}
	errs := make([]error, len(recordings))
	var all sync.WaitGroup
	for i, u := range recordings {
		p := chunk(0, recorderFile(4000))
		all.Go(func() { _, errs[i] = s.Append(t.Context(), s.r.ID, u.ID, p) })
	}
	all.Wait()
	refused := slices.IndexFunc(errs, func(err error) bool { return errors.Is(err, recording.ErrQuota) })
	if refused < 0 || errs[1-refused] != nil {
		t.Fatalf("the recordings end with %v; want one ErrQuota", errs)
	}
	if s.objectCount(recordings[refused]) != 0 || s.objectCount(recordings[1-refused]) != 1 {
		t.Errorf("%d objects of the refused recording are kept", s.objectCount(recordings[refused]))
	}
	if _, used, err := s.Store.View().UploadUsage(t.Context(), s.r.ID); used != 7000 || err != nil {
		t.Errorf("%d bytes are allotted, %v", used, err)
	}
}

func TestContentOfAWrongTypeEndsTheUpload(t *testing.T) {
	t.Parallel()
	s := setup(t)
	page := []byte("<!doctype html>" + strings.Repeat(" ", 600))
	for name, chunks := range map[string][][]byte{"at once": {page}, "in chunks": {page[:4], page[4:]}} {
		u := s.begin(recording.File, "s1", int64(len(page)))
		for _, one := range chunks[:len(chunks)-1] {
			u = s.add(u, one)
		}
		s.fails(recording.ErrType, u, chunk(u.Received, chunks[len(chunks)-1]))
		if _, err := s.Status(t.Context(), s.r.ID, u.ID); !errors.Is(err, recording.ErrGone) {
			t.Errorf("%s: the upload gives %v afterwards, want ErrGone", name, err)
		}
		if n := s.objectCount(u); n > 0 {
			t.Errorf("%s: %d objects are kept", name, n)
		}
	}
	u := s.begin(recording.File, "s1", recording.Unknown)
	s.fails(recording.ErrType, u, uploads.Chunk{Length: 0, Body: strings.NewReader("")})
}

// brokenBody returns its content and then fails, like the body of a request whose sender has disconnected.
func brokenBody(content []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(content), failingReader{})
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBytesBeforeDisconnectAreKept(t *testing.T) {
	t.Parallel()
	s := setup(t)
	all := recorderFile(3000)
	u := s.begin(recording.Video, "s1", 3000)
	for _, end := range []int64{3, 3, 700, 2999, 3000} {
		ctx, cancel := context.WithCancel(t.Context())
		body := io.MultiReader(brokenBody(all[u.Received:end]))
		p := uploads.Chunk{Offset: u.Received, Length: recording.Unknown, Size: 3000 - u.Received, Body: readerFunc(func(b []byte) (int, error) {
			n, err := body.Read(b)
			if err != nil {
				cancel() // as the server does when the connection is gone
			}
			return n, err
		})}
		if _, err := s.Append(ctx, s.r.ID, u.ID, p); err != nil {
			t.Fatal(err)
		}
		cancel()
		var err error
		if u, err = s.Status(t.Context(), s.r.ID, u.ID); err != nil || u.Received != end {
			t.Fatalf("stands at %d, %v, want %d", u.Received, err, end)
		}
	}
	if u.State != recording.Complete || !bytes.Equal(s.content(u), all) {
		t.Errorf("in the end it is %s with %d bytes", u.State, u.Received)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestOneOfManyChunksWins sends different chunks for the same offset through two nodes at once.
func TestOneOfManyChunksWins(t *testing.T) {
	t.Parallel()
	s := setup(t)
	nodes := []*uploads.Service{s.Service, s.node(storetest.Open(t, s.address, store.Options{Now: s.clock.Now}), s.objects)}
	u := s.begin(recording.Video, "s1", 1800)
	var want []byte
	for u.State == recording.Open {
		var mu sync.Mutex
		var stored [][]byte
		var all sync.WaitGroup
		gate := make(chan struct{})
		for i := range 6 {
			all.Go(func() {
				content := recorderFile(600)
				content[20] = byte(i)
				<-gate
				switch _, err := nodes[i%2].Append(t.Context(), s.r.ID, u.ID, chunk(u.Received, content)); {
				case err == nil:
					mu.Lock()
					defer mu.Unlock()
					stored = append(stored, content)
				case !errors.Is(err, recording.ErrOffset) && !errors.Is(err, recording.ErrLocked):
					t.Errorf("error is %v, want ErrMoved or ErrLocked", err)
				}
			})
		}
		close(gate)
		all.Wait()
		if len(stored) != 1 {
			t.Fatalf("%d chunks were stored, want 1", len(stored))
		}
		want = append(want, stored[0]...)
		var err error
		if u, err = nodes[1].Status(t.Context(), s.r.ID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(s.content(u), want) {
		t.Error("the upload does not consist of the stored chunks")
	}
	if n := s.objectCount(u); n != 3 {
		t.Errorf("%d objects are kept, want 3: those that were refused must be removed", n)
	}
}

// crashingObjects simulates a process that dies after an object is stored and before the row advances.
type crashingObjects struct{ blob.Store }

func (d crashingObjects) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error {
	if err := d.Store.Put(ctx, name, r, size, contentType); err != nil {
		return err
	}
	panic("killed")
}

func TestKilledBetweenObjectAndRow(t *testing.T) {
	t.Parallel()
	s := setup(t)
	all := recorderFile(1500)
	u := s.begin(recording.Video, "s1", 1500)
	other := s.node(s.Store, crashingObjects{s.objects})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nothing died")
			}
		}()
		_, _ = other.Append(t.Context(), s.r.ID, u.ID, chunk(0, recorderFile(900)))
	}()
	if u, err := s.Status(t.Context(), s.r.ID, u.ID); err != nil || u.Received != 0 || s.objectCount(u) != 1 {
		t.Fatalf("stands at %d with %d objects, %v; want a stray", u.Received, s.objectCount(u), err)
	}
	u = s.add(s.add(u, all[:800]), all[800:])
	s.use("s1", recording.Video, u.ID)
	s.clock.Advance(2 * time.Hour)
	if ended, err := s.Sweep(t.Context()); ended != 0 || err != nil {
		t.Fatalf("swept %d, %v", ended, err)
	}
	if n := s.objectCount(u); n != 2 || !bytes.Equal(s.content(u), all) {
		t.Errorf("%d objects are kept, want the two parts", n)
	}
}

func TestChunkOfErasedResponseLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, purged := range map[string]bool{"deleted": false, "purged": true} {
		s := setup(t)
		u := s.begin(recording.Video, "s1", 1500)
		content := recorderFile(900)
		body := readerFunc(func(p []byte) (int, error) {
			if len(content) == 0 {
				storetest.Write(t, s.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), s.r); return err })
				if purged { // during the write of the chunk
					if err := s.objects.DeletePrefix(t.Context(), u.Folder()); err != nil {
						t.Error(err)
					}
				}
				return 0, io.EOF
			}
			n := copy(p, content)
			content = content[n:]
			return n, nil
		})
		_, err := s.Append(t.Context(), s.r.ID, u.ID, uploads.Chunk{Length: recording.Unknown, Size: 900, Body: body})
		if !errors.Is(err, response.ErrGone) {
			t.Errorf("%s: %v, want ErrGone", name, err)
		}
		if n := s.objectCount(u); n > 0 {
			t.Errorf("%s: %d objects are left of an erased response", name, n)
		}
	}
}

// TestChunkOfEndedUpload: an upload that ends while a chunk is written, as when its step is answered in another window, is gone for the sender
// of the chunk.
func TestChunkOfEndedUpload(t *testing.T) {
	t.Parallel()
	s := setup(t)
	u := s.begin(recording.Video, "s1", 1500)
	content := recorderFile(900)
	body := readerFunc(func(p []byte) (int, error) {
		if len(content) == 0 {
			if err := s.Terminate(t.Context(), s.r.ID, u.ID); err != nil {
				t.Error(err)
			}
			return 0, io.EOF
		}
		n := copy(p, content)
		content = content[n:]
		return n, nil
	})
	if _, err := s.Append(t.Context(), s.r.ID, u.ID, uploads.Chunk{Length: recording.Unknown, Size: 900, Body: body}); !errors.Is(err, recording.ErrGone) {
		t.Errorf("%v, want ErrGone", err)
	}
	if n := s.objectCount(u); n > 0 {
		t.Errorf("%d objects are left", n)
	}
}

func TestTerminate(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := t.Context()
	u := s.add(s.begin(recording.Video, "s1", 1500), recorderFile(900))
	if err := s.Terminate(ctx, store.NewID(), u.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("by another response: %v", err)
	}
	if err := s.Terminate(ctx, s.r.ID, u.ID); err != nil || s.objectCount(u) != 0 {
		t.Fatalf("%v, %d objects are left", err, s.objectCount(u))
	}
	if err := s.Terminate(ctx, s.r.ID, u.ID); !errors.Is(err, recording.ErrGone) {
		t.Errorf("again: %v", err)
	}
	s.fails(recording.ErrGone, u, chunk(900, recorderFile(1)))
	named := s.begin(recording.Video, "s2", 1500)
	s.use("s2", recording.Video, named.ID)
	if err := s.Terminate(ctx, s.r.ID, named.ID); !errors.Is(err, recording.ErrUsed) {
		t.Errorf("what an answer names: %v", err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := t.Context()
	open := s.add(s.begin(recording.Audio, "s1", recording.Unknown), recorderFile(600))
	unnamed := s.add(s.begin(recording.File, "s2", 600), recorderFile(600))
	abandoned := s.add(s.begin(recording.Audio, "s3", 900), recorderFile(600)) // its tab was closed
	s.use("s3", recording.Audio, abandoned.ID)
	named := s.add(s.begin(recording.File, "s4", 600), recorderFile(600))
	s.use("s4", recording.File, named.ID)
	sweep := func(want int) {
		t.Helper()
		if ended, err := s.Sweep(ctx); ended != want || err != nil {
			t.Fatalf("swept %d, %v, want %d", ended, err, want)
		}
	}
	s.clock.Advance(23 * time.Hour)
	sweep(0)
	s.clock.Advance(2 * time.Hour)
	if _, err := s.Status(ctx, s.r.ID, open.ID); !errors.Is(err, recording.ErrGone) {
		t.Errorf("an expired upload before the sweep: %v, want ErrGone", err)
	}
	sweep(2)
	sweep(0)
	s.clock.Advance(2 * time.Hour)
	sweep(0)
	for name, c := range map[string]struct {
		u       recording.Upload
		objects int
		err     error
	}{
		"open": {open, 0, recording.ErrNotFound}, "unnamed": {unnamed, 0, recording.ErrNotFound}, "abandoned": {abandoned, 1, nil}, "named": {named, 1, nil},
	} {
		u, err := s.Status(ctx, s.r.ID, c.u.ID)
		if !errors.Is(err, c.err) || s.objectCount(c.u) != c.objects {
			t.Errorf("%s: %v with %d objects", name, err, s.objectCount(c.u))
		}
		if err == nil && (u.State != recording.Complete || u.Size != 600) {
			t.Errorf("%s is %s with %d bytes", name, u.State, u.Size)
		}
	}
	if due, err := s.Store.View().DueUploads(ctx, 10); err != nil || len(due) > 0 {
		t.Errorf("still due: %v, %v", due, err)
	}
}

// TestRecordingsAreEnqueued: an upload that an answer names may be the last of a recording to arrive, or to expire.
func TestRecordingsAreEnqueued(t *testing.T) {
	t.Parallel()
	for name, arrive := range map[string]func(*fixture, recording.Upload){
		"it becomes complete": func(s *fixture, u recording.Upload) { s.add(u, recorderFile(300)) },
		"it expires": func(s *fixture, _ recording.Upload) {
			s.clock.Advance(25 * time.Hour)
			if _, err := s.Sweep(s.t.Context()); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			u := s.add(s.begin(recording.Audio, "s1", 600), recorderFile(300))
			s.use("s1", recording.Audio, u.ID)
			storetest.Write(t, s.Store, func(tx *store.Tx) error {
				return errors.Join(
					tx.AddRecording(t.Context(), recording.Recording{OrgID: s.r.OrgID, ResponseID: s.r.ID, StepID: "s1", Kind: recording.Audio, Transcribe: true}),
					jobs.EnqueueRecordings(t.Context(), tx, s.r.ID))
			})
			enqueued := func() (kinds []string) {
				storetest.Write(t, s.Store, func(tx *store.Tx) error {
					claimed, err := tx.ClaimJobs(t.Context(), store.Queue{}, 10, 100*time.Hour)
					for _, job := range claimed {
						kinds = append(kinds, job.Kind)
					}
					return err
				})
				slices.Sort(kinds)
				return kinds
			}
			if got := enqueued(); len(got) > 0 {
				t.Errorf("while it is under way: %v", got)
			}
			arrive(s, u)
			if got := enqueued(); !slices.Equal(got, []string{jobs.KindTranscribe, jobs.KindTranscode}) {
				t.Errorf("enqueued are %v, want its transcoding and its transcription", got)
			}
		})
	}
}
