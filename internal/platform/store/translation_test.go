package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestTranslationsAreKeptByRevision: the newest that is not newer than the revision is found, what is shown has a version,
// and the second of two writers is refused.
func TestTranslationsAreKeptByRevision(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx, view := t.Context(), sc.Store.View()
	g, err := guide.Decode(storetest.Guide(), guide.Options{Stored: true})
	if err != nil {
		t.Fatal(err)
	}
	save := func(s *translation.Translation, want error) {
		t.Helper()
		err := sc.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveTranslation(ctx, s) })
		if !errors.Is(err, want) {
			t.Fatalf("saving: %v, want %v", err, want)
		}
	}
	shown := func() int {
		t.Helper()
		version, err := view.ShownTranslation(ctx, sc.Study.ID, 3, "de")
		if err != nil {
			t.Fatal(err)
		}
		return version
	}
	if _, err := view.Translation(ctx, sc.Study.ID, 3, "de"); !errors.Is(err, translation.ErrNone) {
		t.Errorf("of nothing: %v", err)
	}
	translated := translation.New(g, sc.Study.ID, 3, "de")
	translated.Put("study/title", "Äpfel", "", translation.Maker{Model: "m", Prompt: "p"})
	save(translated, nil)
	save(translated, translation.ErrConflict) // as if nothing were stored yet
	stored, err := view.Translation(ctx, sc.Study.ID, 3, "de")
	if err != nil || stored.Version != 1 || stored.Shown != nil || shown() != 0 {
		t.Fatalf("%v: %+v, shown %d", err, stored, shown())
	}
	again := translation.New(g, sc.Study.ID, 3, "de")
	again.Restore(&stored)
	translated.Version = 1
	if diff := cmp.Diff(translated, again); diff != "" {
		t.Errorf("read back (-saved +read):\n%s", diff)
	}
	again.Put("item/why/text", "Warum Äpfel?", "", translation.Maker{Model: "m", Prompt: "p"})
	if err := again.Approve(); err != nil {
		t.Fatal(err)
	}
	save(again, nil)
	first := shown()
	texts, version, err := view.ShownTexts(ctx, sc.Study.ID, 3, "de")
	if err != nil || version != first || first == 0 || texts["item/why/text"] != "Warum Äpfel?" {
		t.Errorf("%v: %v, version %d and %d", err, texts, version, first)
	}
	again.Version, again.Entries[0].State = 2, translation.Edited
	save(again, nil)
	if shown() != first {
		t.Error("an edit that is not shown changes the version of what is")
	}
	again.Version, again.Shown = 3, map[string]string{"study/title": "Obst"}
	save(again, nil)
	if shown() == first {
		t.Error("other texts have the same version")
	}
	for revision, want := range map[int]int{2: 0, 3: 3, 7: 3} {
		found, err := view.Translation(ctx, sc.Study.ID, revision, "de")
		if found.Revision != want || (err != nil) != (want == 0) {
			t.Errorf("for revision %d: that of %d, %v", revision, found.Revision, err)
		}
	}
	if _, err := view.Translation(ctx, sc.Study.ID, 3, "fr"); !errors.Is(err, translation.ErrNone) {
		t.Errorf("another language: %v", err)
	}
	if _, _, err := view.ShownTexts(ctx, sc.Study.ID, 7, "de"); !errors.Is(err, translation.ErrNone) {
		t.Errorf("a revision without a translation shows another's: %v", err)
	}
}
