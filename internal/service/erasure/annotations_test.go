package erasure_test

import (
	"testing"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
)

// TestAnnotationsGo: highlights, notes, their tags and corrections of a deleted response are gone at once and for good. The vocabulary and
// what was noted about others stay.
func TestAnnotationsGo(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	ctx := t.Context()
	other := storetest.Response(t, s.Scene.Store, s.Study, nil)
	tag := annotation.Tag{ID: store.NewID(), OrgID: s.Org.ID, Name: "Price", Colour: "teal"}
	storetest.Write(t, s.Scene.Store, func(tx *store.Tx) error {
		if err := tx.CreateTag(ctx, tag, ""); err != nil {
			return err
		}
		for _, id := range []string{s.response.ID, other.ID} {
			a := annotation.Annotation{ID: store.NewID(), StudyID: s.Study.ID, ResponseID: id, Row: 1, Words: "secret words", End: 12, Note: "secret note", Tags: []string{tag.ID}}
			if err := tx.AddAnnotation(ctx, s.Org.ID, a); err != nil {
				return err
			}
			if err := tx.AddCorrection(ctx, store.Correction{ID: store.NewID(), ResponseID: id, StepID: "s0", Words: "secret", Before: "secrets"}); err != nil {
				return err
			}
		}
		return nil
	})
	view := s.Scene.Store.View()
	count := func(when string, want int) {
		t.Helper()
		tags, err := view.Tags(ctx, s.Org.ID, s.Study.ID)
		if err != nil || len(tags) != 1 || tags[0].Uses != want {
			t.Errorf("%s: the vocabulary is %+v, %v; want %d uses", when, tags, err, want)
		}
		corrections, err := view.Corrections(ctx, s.response.ID)
		if err != nil || len(corrections) != want-1 {
			t.Errorf("%s: the corrections are %+v, %v", when, corrections, err)
		}
	}
	count("before", 2)
	if _, err := s.Request(ctx, s.caller, s.Study.ID, s.response.ID); err != nil {
		t.Fatal(err)
	}
	count("at once", 1)
	if _, err := (&erasure.Worker{Store: s.Scene.Store}).Finish(ctx); err != nil {
		t.Fatal(err)
	}
	count("after the purge", 1)
}
