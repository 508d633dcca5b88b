package store_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// named collects the names that a sequence of objects yields.
func (in *intake) named() (names []string) {
	in.t.Helper()
	for name, err := range in.sc.Store.View().UploadObjects(in.t.Context()) {
		if err != nil {
			in.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func TestUploadObjects(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	in.grown(in.begin(recording.Audio, "s1"), 10, true) // no answer uses it
	var want []string
	for _, step := range []string{"s2", "s3"} {
		u := in.grown(in.grown(in.begin(recording.Audio, step), 10, false), 10, true)
		if err := in.use(step, recording.Audio, u.ID); err != nil {
			t.Fatal(err)
		}
		parts, err := in.sc.Store.View().UploadParts(t.Context(), u.ID)
		if err != nil || len(parts) != 2 {
			t.Fatalf("parts are %v, %v", parts, err)
		}
		want = append(want, u.Object(parts[0].Name), u.Object(parts[1].Name))
	}
	if diff := cmp.Diff(want, in.named()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range in.sc.Store.View().UploadObjects(t.Context()) {
		break // a caller may stop early
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), in.r); return err })
	if names := in.named(); len(names) > 0 {
		t.Errorf("of a deleted response: %v", names)
	}
}

func TestStrays(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx := t.Context()
	u := in.grown(in.begin(recording.Audio, "s1"), 10, true)
	parts, err := in.sc.Store.View().UploadParts(ctx, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return errors.Join(
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s1", Kind: recording.Audio}),
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s2", Kind: recording.Audio, Row: 1}),
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s3", Kind: recording.Audio, Row: 2}),
		)
	})
	all, err := in.sc.Store.View().Recordings(ctx, in.r.ID)
	if err != nil || len(all) != 3 {
		t.Fatalf("recordings are %v, %v", all, err)
	}
	ready, waiting, failed := all[0], all[1], all[2]
	made := ready.Folder() + "run2/"
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return errors.Join(
			tx.FinishRecording(ctx, ready, recording.Rendition{MediaType: "video/mp4", Object: made + "video.mp4", Playlist: made + "hls/index.m3u8"}),
			tx.FailRecording(ctx, failed.ID, "It is damaged."),
		)
	})
	base := response.Objects + in.r.ID + "/"
	strays := []string{
		u.Object("another"), base + "uploads/" + store.NewID() + "/p", ready.Folder() + "run1/video.mp4", base + "recordings/" + store.NewID() + "/run/video.mp4", failed.Folder() + "run/video.mp4",
	}
	needed := []string{
		u.Object(parts[0].Name), made + "video.mp4", made + "hls/s000.m4s", waiting.Folder() + "run/audio.m4a", base + "notes/1/a", base + "loose", "others/uploads/1/a",
	}
	got, err := in.sc.Store.View().StrayObjects(ctx, slices.Concat(needed, strays))
	if diff := cmp.Diff(strays, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := in.sc.Store.View().StrayObjects(ctx, nil); len(got) > 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

// TestOneRunFinishes: of two runs that make the same recording playable, the first wins.
func TestOneRunFinishes(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx := t.Context()
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s1", Kind: recording.Audio})
	})
	all, err := in.sc.Store.View().Recordings(ctx, in.r.ID)
	if err != nil {
		t.Fatal(err)
	}
	finish := func(object string) error {
		return in.sc.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.FinishRecording(ctx, all[0], recording.Rendition{MediaType: "audio/mp4", Object: object})
		})
	}
	if err := finish("first"); err != nil {
		t.Fatal(err)
	}
	if err := finish("second"); !errors.Is(err, recording.ErrNoRecording) {
		t.Errorf("the second run: %v, want ErrNoRecording", err)
	}
	if all, err = in.sc.Store.View().Recordings(ctx, in.r.ID); err != nil || all[0].Object != "first" {
		t.Errorf("played from %q, %v", all[0].Object, err)
	}
}
