package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestCodeFrames stores themes, changes of them, and decisions on single answers.
func TestCodeFrames(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx, view := t.Context(), sc.Store.View()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	save := func(f codeframe.Frame) {
		t.Helper()
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SaveMachineFrame(ctx, sc.Study.ID, f) })
	}
	read := func() codeframe.Frame {
		t.Helper()
		f, err := view.CodeFrame(ctx, sc.Study.ID, "why")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if _, err := view.CodeFrame(ctx, sc.Study.ID, "why"); !errors.Is(err, codeframe.ErrNone) {
		t.Errorf("before: %v", err)
	}
	made := codeframe.Made("why", "Keyword groups", "builtin", "", "4", []codeframe.Root{
		{Label: "beans", Meaning: "of beans", Words: []string{"beans"}, Stems: []string{"bean"}}, {Label: "good milk", Stems: []string{"good", "milk"}, Phrase: true},
	})
	save(made)
	want := made
	want.Version = 1
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	save(want) // the same again
	if got := read(); got.Version != 1 {
		t.Errorf("version %d after nothing changed", got.Version)
	}

	f := read()
	change := func(f *codeframe.Frame) (codeframe.Change, error) {
		if _, err := f.Rename(1, "Price", "Ada"); err != nil {
			return codeframe.Change{}, err
		}
		f.Version--
		return f.Split(2, "Oat", []string{"oat milk"}, "Ada")
	}
	err := sc.Store.Write(ctx, func(tx *store.Tx) error {
		f = want
		f.Themes = append([]codeframe.Theme(nil), want.Themes...)
		c, err := change(&f)
		if err != nil {
			return err
		}
		if err := tx.AddThemeDecision(ctx, sc.Study.ID, "why", codeframe.Decision{ResponseID: r.ID, Theme: 1, Assigned: true, Version: c.Version}); err != nil {
			return err
		}
		return tx.SaveCodeFrame(ctx, sc.Study.ID, f, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, read()); diff != "" || !f.Edited {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	err = sc.Store.Write(ctx, func(tx *store.Tx) error {
		old := want
		return tx.SaveCodeFrame(ctx, sc.Study.ID, old, old.Reset("Bob"))
	})
	if !errors.Is(err, codeframe.ErrConflict) {
		t.Errorf("a change of an old version: %v", err)
	}
	late := made
	late.Version, late.Name = f.Version, "Others"
	save(late) // a machine does not replace what somebody edited
	if got := read(); got.Name != "Keyword groups" {
		t.Errorf("a machine replaced themes that were edited: %+v", got)
	}
	changes, err := view.ThemeChanges(ctx, sc.Study.ID, "why")
	if err != nil || len(changes) != 1 || changes[0].By != "Ada" || changes[0].Action != "split" || changes[0].At.IsZero() {
		t.Errorf("changes %+v, %v", changes, err)
	}
	decisions, err := view.ThemeDecisions(ctx, sc.Study.ID, "why")
	if diff := cmp.Diff([]codeframe.Decision{{ResponseID: r.ID, ReadableID: 1, Theme: 1, Assigned: true, Version: 2}}, decisions); diff != "" || err != nil {
		t.Errorf("decisions: %v (-want +got):\n%s", err, diff)
	}

	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(ctx, r)
		return err
	})
	db, _ := sc.Store.Handles()
	var left int
	if err := db.QueryRowContext(ctx, `select count(*) from theme_decision`).Scan(&left); err != nil || left > 0 {
		t.Errorf("%d decisions are left of a deleted response, %v", left, err)
	}
	if got := read(); len(got.Themes) != 3 {
		t.Errorf("edited themes after a deletion: %+v", got)
	}
}
