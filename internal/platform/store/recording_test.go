package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// answer uses an upload, as fieldwork does, and stores its recording.
func (in *intake) answer(kind recording.Kind, stepID, upload string) {
	in.t.Helper()
	ctx := in.t.Context()
	storetest.Write(in.t, in.sc.Store, func(tx *store.Tx) error {
		return errors.Join(tx.UseUpload(ctx, in.r.ID, stepID, kind, upload),
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: stepID, Kind: kind, Row: 3}))
	})
}

func (in *intake) recordings() []recording.Recording {
	in.t.Helper()
	all, err := in.sc.Store.View().Recordings(in.t.Context(), in.r.ID)
	if err != nil {
		in.t.Fatal(err)
	}
	return all
}

// queue queues the recordings that have arrived.
func (in *intake) queue() (queued []recording.Recording) {
	in.t.Helper()
	storetest.Write(in.t, in.sc.Store, func(tx *store.Tx) (err error) {
		queued, err = tx.QueueRecordings(in.t.Context(), in.r.ID)
		return err
	})
	return queued
}

// A recording is queued once, by whichever comes last: the answer, or the end of each session.
func TestRecordingIsQueuedWhenAllHasArrived(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	first, second := in.begin(recording.Audio, "s1"), in.begin(recording.Audio, "s1")
	other := in.begin(recording.Video, "s1")
	in.grown(first, 5, true)
	in.answer(recording.Audio, "s1", first.ID)
	if got := in.recordings(); len(got) != 1 || got[0].Stage != recording.Waiting || got[0].Row != 3 || len(in.queue()) > 0 {
		t.Fatalf("while the second session is under way: %+v", got)
	}
	second = in.grown(second, 5, false)
	if got := in.queue(); len(got) > 0 {
		t.Errorf("a part of the second session queued %v", got)
	}
	in.grown(second, 5, true)
	if got := in.queue(); len(got) != 1 || got[0].Stage != recording.Queued || got[0].Row != 3 || !slices.Equal(got, in.recordings()) {
		t.Errorf("when all has arrived: %+v, queued %+v", in.recordings(), got)
	}
	in.answer(recording.Audio, "s1", first.ID)
	in.grown(other, 5, true) // no answer uses it
	if got := in.queue(); len(got) > 0 || len(in.recordings()) != 1 {
		t.Errorf("later: queued %v, recordings %+v", got, in.recordings())
	}
}

// A session that never ends is used as far as it came; one without any bytes does not hold up the recording.
func TestRecordingOfASessionThatExpires(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	complete, broken, empty := in.begin(recording.Audio, "s1"), in.begin(recording.Audio, "s1"), in.begin(recording.Audio, "s1")
	in.grown(complete, 5, true)
	in.grown(broken, 5, false)
	in.answer(recording.Audio, "s1", complete.ID)
	in.clock.Advance(roomy.Lifetime + time.Hour)
	for i, id := range []string{broken.ID, empty.ID} {
		storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
			_, done, err := tx.ExpireUpload(t.Context(), id)
			if !done {
				t.Errorf("upload %d is not due", i)
			}
			return err
		})
		if got := in.queue(); len(got) != i {
			t.Errorf("after %d of two sessions expired: queued %v", i+1, got)
		}
	}
}

func TestRecordingBecomesPlayable(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx, view := t.Context(), in.sc.Store.View()
	put := func() {
		storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.PutDocument(ctx, document.Source{Response: in.r}) })
	}
	put()
	u := in.grown(in.begin(recording.Video, "s1"), 5, true)
	in.answer(recording.Video, "s1", u.ID)
	c := in.recordings()[0]
	hasMedia := func() bool {
		item, err := view.ItemByResponse(ctx, in.r.StudyID, in.r.ID)
		if err != nil {
			t.Fatal(err)
		}
		return item.HasMedia
	}
	if hasMedia() {
		t.Error("there is something to play before it was made")
	}
	made := recording.Rendition{MediaType: "video/mp4", Object: "o", Playlist: "p", Poster: "q", Waveform: "w", Duration: 1500 * time.Millisecond}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.FinishRecording(ctx, c, made) })
	want := c
	want.Stage, want.Rendition = recording.Ready, made
	if diff := cmp.Diff([]recording.Recording{want}, in.recordings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := view.Recording(ctx, c.ID); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if !hasMedia() {
		t.Error("there is nothing to play after it was made")
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.HideResponse(ctx, in.r.OrgID, in.r.ID, true) })
	in.r.Hidden = true
	put()
	in.r.Hidden = false
	put() // as an item that is counted again
	if !hasMedia() {
		t.Error("there is nothing to play after the documents were written again")
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.FailRecording(ctx, c.ID, "late") })
	if got := in.recordings()[0].Stage; got != recording.Ready {
		t.Errorf("a late failure made it %s", got)
	}
	var names []string
	for name, err := range view.RecordingObjects(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if !slices.Equal(names, []string{"o", "p", "q", "w"}) {
		t.Errorf("the objects are %v", names)
	}

	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(ctx, in.r); return err })
	if _, err := view.Recording(ctx, c.ID); !errors.Is(err, recording.ErrNoRecording) {
		t.Errorf("after the deletion: %v", err)
	}
	err := in.sc.Store.Write(ctx, func(tx *store.Tx) error { return tx.FinishRecording(ctx, c, made) })
	if !errors.Is(err, recording.ErrNoRecording) {
		t.Errorf("made after the deletion: %v", err)
	}
	for name := range view.RecordingObjects(ctx) {
		t.Errorf("%s is named after the deletion", name)
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.Purge(ctx, in.r.ID) })
}
