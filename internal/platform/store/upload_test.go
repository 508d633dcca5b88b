package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// intake is a response with helpers for its uploads.
type intake struct {
	t     *testing.T
	sc    storetest.Scene
	clock *storetest.Clock
	r     response.Response
}

func newIntake(t *testing.T) *intake {
	t.Helper()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	return &intake{t, sc, clock, storetest.Response(t, sc.Store, sc.Study, nil)}
}

var roomy = recording.Limits{Bytes: 1000, Uploads: 5, Lifetime: 24 * time.Hour}

func (in *intake) create(u recording.Upload) (recording.Upload, error) {
	in.t.Helper()
	u.ResponseID = in.r.ID
	err := in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(in.t.Context(), u, roomy)
		return err
	})
	return u, err
}

func (in *intake) begin(kind recording.Kind, stepID string) recording.Upload {
	in.t.Helper()
	u, err := in.create(recording.Upload{Kind: kind, StepID: stepID, Name: "f", Size: recording.Unknown})
	if err != nil {
		in.t.Fatal(err)
	}
	return u
}

// grow appends a part of so many bytes; complete completes the upload with it.
func (in *intake) grow(was recording.Upload, bytes int64, complete bool) (recording.Upload, error) {
	in.t.Helper()
	is := was
	is.MediaType, is.Received, is.Parts = "video/webm", was.Received+bytes, was.Parts+1
	if complete {
		is.Size, is.State = is.Received, recording.Complete
	}
	err := in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) error {
		is.ExpiresAt = tx.Now().Add(roomy.Lifetime)
		return tx.AppendUpload(in.t.Context(), was, is, recording.Part{Name: store.NewID(), Size: bytes}, roomy)
	})
	return is, err
}

func (in *intake) grown(was recording.Upload, bytes int64, complete bool) recording.Upload {
	in.t.Helper()
	is, err := in.grow(was, bytes, complete)
	if err != nil {
		in.t.Fatal(err)
	}
	return is
}

func (in *intake) use(stepID string, kind recording.Kind, id string) error {
	return in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) error { return tx.UseUpload(in.t.Context(), in.r.ID, stepID, kind, id) })
}

func (in *intake) end(id string) error {
	return in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) error { return tx.EndUpload(in.t.Context(), in.r.ID, id) })
}

func (in *intake) stored(id string) recording.Upload {
	in.t.Helper()
	u, err := in.sc.Store.View().Upload(in.t.Context(), in.r.ID, id)
	if err != nil {
		in.t.Fatal(err)
	}
	return u
}

func (in *intake) due() (ids []string) {
	in.t.Helper()
	all, err := in.sc.Store.View().DueUploads(in.t.Context(), 100)
	if err != nil {
		in.t.Fatal(err)
	}
	for _, u := range all {
		ids = append(ids, u.ID)
	}
	return ids
}

func TestUploadRoundTrip(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx, view := t.Context(), in.sc.Store.View()
	u, err := in.create(recording.Upload{Kind: recording.File, StepID: "s3", Name: "Äpfel.png", Metadata: "filename w4Q=", Size: 300})
	if err != nil || u.OrgID != in.sc.Org.ID || u.State != recording.Open || !u.ExpiresAt.Equal(u.CreatedAt.Add(24*time.Hour)) {
		t.Fatalf("created %+v, %v", u, err)
	}
	if diff := cmp.Diff(u, in.stored(u.ID)); diff != "" {
		t.Errorf("read again (-created +read):\n%s", diff)
	}
	if _, err := view.Upload(ctx, store.NewID(), u.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("the upload of another response: %v, want ErrNotFound", err)
	}
	is := u
	is.Head, is.Received, is.Parts, is.ExpiresAt, is.Allotted = []byte{0, 255, 7}, 3, 1, u.ExpiresAt.Add(time.Minute), 3
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return tx.AppendUpload(ctx, u, is, recording.Part{Name: "p1", Size: 3}, roomy)
	})
	if diff := cmp.Diff(is, in.stored(u.ID)); diff != "" {
		t.Errorf("after the first part (-want +got):\n%s", diff)
	}
	finished := is
	finished.Head, finished.MediaType, finished.Received, finished.Parts, finished.State, finished.Allotted = nil, "image/png", 300, 2, recording.Complete, 300
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return tx.AppendUpload(ctx, is, finished, recording.Part{Name: "p2", Size: 297}, roomy)
	})
	if diff := cmp.Diff(finished, in.stored(u.ID)); diff != "" {
		t.Errorf("complete (-want +got):\n%s", diff)
	}
	parts, err := view.UploadParts(ctx, u.ID)
	if diff := cmp.Diff([]recording.Part{{Name: "p1", Size: 3}, {Name: "p2", Size: 297}}, parts); diff != "" || err != nil {
		t.Errorf("parts: %v (-want +got):\n%s", err, diff)
	}
	second := in.begin(recording.Audio, "s1")
	list, err := view.Uploads(ctx, in.r.ID)
	if diff := cmp.Diff([]recording.Upload{finished, second}, list); diff != "" || err != nil {
		t.Errorf("Uploads: %v (-want +got):\n%s", err, diff)
	}
}

func TestUploadQuota(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	sized := func(size int64) error { // all of it arrives
		u, err := in.create(recording.Upload{Kind: recording.File, StepID: "s1", Size: size})
		if err == nil && size > 0 {
			in.grown(u, size, true)
		}
		return err
	}
	if err := sized(900); err != nil {
		t.Fatal(err)
	}
	if err := sized(101); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("too many bytes: %v, want ErrQuota", err)
	}
	if err := sized(60); err != nil {
		t.Fatal(err)
	}
	open := in.begin(recording.Audio, "s1")
	if _, err := in.grow(in.grown(open, 40, false), 1, false); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("a part beyond the bytes: %v, want ErrQuota", err)
	}
	if count, bytes, err := in.sc.Store.View().UploadUsage(t.Context(), in.r.ID); count != 3 || bytes != 1000 || err != nil {
		t.Errorf("usage is %d, %d, %v", count, bytes, err)
	}
	if err := sized(1); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("one more byte: %v, want ErrQuota", err)
	}
	if err := in.end(open.ID); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := sized(0); err != nil {
			t.Fatal(err)
		}
	}
	if err := sized(0); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("too many uploads: %v, want ErrQuota", err)
	}
}

// TestDeclaredSizesFillNoQuota declares all that an interview may have, and more of it than the study's uploads may have.
func TestDeclaredSizesFillNoQuota(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	for range roomy.Uploads - 1 {
		if _, err := in.create(recording.Upload{Kind: recording.File, StepID: "s1", Size: roomy.Bytes}); err != nil {
			t.Fatal(err)
		}
	}
	view := in.sc.Store.View()
	_, used, err := view.UploadUsage(t.Context(), in.r.ID)
	total, err2 := view.UploadTotal(t.Context(), in.sc.Study.ID)
	if used != 0 || total != 0 || err != nil || err2 != nil {
		t.Errorf("no byte arrived, and %d count for the interview, %d for the study; %v, %v", used, total, err, err2)
	}
	if _, err := in.create(recording.Upload{Kind: recording.File, StepID: "s1", Size: roomy.Bytes + 1}); !errors.Is(err, recording.ErrQuota) {
		t.Errorf("what can never be stored: %v, want ErrQuota", err)
	}
	honest, err := in.create(recording.Upload{Kind: recording.File, StepID: "s1", Size: 1000})
	if err != nil {
		t.Fatal(err)
	}
	in.grown(honest, 1000, true)
}

// Parts that nobody declared arrive at the same time, each of which would fit alone.
func TestUploadQuotaIsExact(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	var uploads [4]recording.Upload
	for i := range uploads {
		uploads[i] = in.begin(recording.Audio, "s1")
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for _, u := range uploads {
		all.Go(func() {
			switch _, err := in.grow(u, 400, false); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, recording.ErrQuota):
				t.Errorf("%v, want ErrQuota", err)
			}
		})
	}
	all.Wait()
	if _, bytes, err := in.sc.Store.View().UploadUsage(t.Context(), in.r.ID); won.Load() != 2 || bytes != 800 || err != nil {
		t.Errorf("%d parts of 400 bytes went into 1000: %d bytes, %v", won.Load(), bytes, err)
	}
}

func TestUploadNeedsARunningInterview(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	u := in.grown(in.begin(recording.Audio, "s1"), 5, false)
	ended := in.r
	ended.EndedAt = ended.CreatedAt
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.SaveProgress(t.Context(), ended, ended.CreatedAt) })
	if _, err := in.create(recording.Upload{Kind: recording.Audio, Size: 1}); !errors.Is(err, recording.ErrEnded) {
		t.Errorf("after the end: %v, want ErrEnded", err)
	}
	if _, err := in.grow(u, 5, true); err != nil {
		t.Errorf("the rest of a recording after the end: %v", err)
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), in.r); return err })
	if _, err := in.create(recording.Upload{Kind: recording.Audio, Size: 1}); !errors.Is(err, response.ErrGone) {
		t.Errorf("after the deletion: %v, want ErrGone", err)
	}
	if _, err := in.sc.Store.View().Upload(t.Context(), in.r.ID, u.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("the upload of a deleted response: %v, want ErrNotFound", err)
	}
	if parts, err := in.sc.Store.View().UploadParts(t.Context(), u.ID); err != nil || len(parts) > 0 {
		t.Errorf("parts are left: %v, %v", parts, err)
	}
	if _, err := in.grow(u, 5, true); !errors.Is(err, recording.ErrOffset) {
		t.Errorf("a part after the deletion: %v, want ErrMoved", err)
	}
}

func TestPurgeTakesUploads(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	u := in.grown(in.begin(recording.Audio, "s1"), 5, false)
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), in.r.ID) })
	if _, err := in.sc.Store.View().Upload(t.Context(), in.r.ID, u.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("the upload of a purged response: %v, want ErrNotFound", err)
	}
}

func TestOnePartWins(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	u := in.begin(recording.Video, "s1")
	for round := range 5 {
		var won atomic.Int32
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				switch _, err := in.grow(u, 10, false); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, recording.ErrOffset):
					t.Errorf("round %d: %v, want ErrMoved", round, err)
				}
			})
		}
		all.Wait()
		if u = in.stored(u.ID); won.Load() != 1 || u.Received != int64(10*(round+1)) {
			t.Fatalf("round %d: %d won, %d bytes are there", round, won.Load(), u.Received)
		}
	}
	if parts, err := in.sc.Store.View().UploadParts(t.Context(), u.ID); err != nil || len(parts) != 5 {
		t.Errorf("parts are %v, %v", parts, err)
	}
}

func TestUseUpload(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	file, otherFile := in.begin(recording.File, "s1"), in.begin(recording.File, "s1")
	first, second := in.begin(recording.Audio, "s1"), in.begin(recording.Audio, "s1")
	elsewhere := in.begin(recording.Audio, "s2")
	for name, err := range map[string]error{
		"another step": in.use("s2", recording.File, file.ID), "another kind": in.use("s1", recording.Video, file.ID),
		"none": in.use("s1", recording.File, store.NewID()),
	} {
		if !errors.Is(err, recording.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	if err := errors.Join(in.use("s1", recording.File, file.ID), in.use("s1", recording.Audio, second.ID)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		id   string
		used bool
	}{
		"the file": {file.ID, true}, "another file": {otherFile.ID, false}, "the session": {second.ID, true},
		"the session before": {first.ID, true}, "of another step": {elsewhere.ID, false},
	} {
		if got := in.stored(c.id).Used; got != c.used {
			t.Errorf("%s is used: %t, want %t", name, got, c.used)
		}
	}
	if err := in.end(file.ID); !errors.Is(err, recording.ErrUsed) {
		t.Errorf("ending what an answer uses: %v, want ErrUsed", err)
	}
	if err := in.end(otherFile.ID); err != nil {
		t.Fatal(err)
	}
	if err := in.use("s1", recording.File, otherFile.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("using what has ended: %v, want ErrNotFound", err)
	}
	if err := in.end(otherFile.ID); !errors.Is(err, recording.ErrGone) {
		t.Errorf("ending it again: %v, want ErrGone", err)
	}
	if err := in.end(store.NewID()); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("ending none: %v, want ErrNotFound", err)
	}
}

func TestUploadsExpire(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx := t.Context()
	idle := in.grown(in.begin(recording.Audio, "s1"), 7, false)
	named := in.grown(in.begin(recording.Audio, "s2"), 7, false)
	empty := in.begin(recording.Audio, "s3")
	unnamed := in.grown(in.begin(recording.File, "s4"), 7, true)
	kept := in.grown(in.begin(recording.File, "s5"), 7, true)
	for step, id := range map[string]string{"s2": named.ID, "s3": empty.ID} {
		if err := in.use(step, recording.Audio, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.use("s5", recording.File, kept.ID); err != nil {
		t.Fatal(err)
	}
	expire := func(id string) (u recording.Upload, done bool) {
		storetest.Write(t, in.sc.Store, func(tx *store.Tx) (err error) { u, done, err = tx.ExpireUpload(ctx, id); return err })
		return u, done
	}
	in.clock.Advance(2 * time.Hour)
	if diff := cmp.Diff([]string{empty.ID, kept.ID}, in.due()); diff != "" { // an empty upload does not keep a recording waiting for a day
		t.Errorf("due after two hours (-want +got):\n%s", diff)
	}
	for name, id := range map[string]string{"not due": idle.ID, "complete and named": kept.ID} {
		if _, done := expire(id); done {
			t.Errorf("what is %s expires", name)
		}
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return errors.Join(tx.FinishUpload(ctx, kept.ID), tx.FinishUpload(ctx, idle.ID), tx.DropUpload(ctx, kept.ID))
	})
	in.clock.Advance(23 * time.Hour)
	if diff := cmp.Diff(4, len(in.due())); diff != "" {
		t.Errorf("due after a day (-want +got):\n%s", diff)
	}
	for name, c := range map[string]struct {
		id    string
		state recording.State
		size  int64
	}{
		"open": {idle.ID, recording.Ended, recording.Unknown}, "open and named": {named.ID, recording.Complete, 7},
		"open, named and empty": {empty.ID, recording.Ended, recording.Unknown}, "complete and not named": {unnamed.ID, recording.Ended, 7},
	} {
		if u, done := expire(c.id); !done || u.State != c.state || u.Size != c.size {
			t.Errorf("%s: %t, %s, %d bytes", name, done, u.State, u.Size)
		}
	}
	if ids := in.due(); len(ids) > 0 {
		t.Errorf("due at once: %v", ids)
	}
	in.clock.Advance(2 * time.Hour)
	if ids := in.due(); len(ids) != 4 {
		t.Errorf("%d are due when they have settled, want 4", len(ids))
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.DropUpload(ctx, idle.ID) })
	if _, err := in.sc.Store.View().Upload(ctx, in.r.ID, idle.ID); !errors.Is(err, recording.ErrNotFound) {
		t.Errorf("a dropped upload: %v", err)
	}
	if got := in.stored(kept.ID); got.State != recording.Complete {
		t.Errorf("the upload of the answer is %s", got.State)
	}
}
