package reporting_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/reporting"
)

// asked is a study with one open question, in which people said phrases in turn.
func asked(t *testing.T, people int) (*world, *reporting.Service) {
	t.Helper()
	w := newWorld(t, &guide.Guide{Title: "Coffee", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
	}}}})
	w.say(t, people)
	return w, &reporting.Service{Store: w.store, Now: time.Now}
}

func (w *world) say(t *testing.T, people int) {
	t.Helper()
	next := 0
	w.fill(t, people, func(*rand.Rand) string {
		next++
		return phrases[next%len(phrases)]
	})
}

func (w *world) edit(t *testing.T, s *reporting.Service, e reporting.ThemeEdit) codeframe.Frame {
	t.Helper()
	e.Question, e.By = "why", "Ada"
	f, err := s.EditThemes(t.Context(), w.study, e)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// themeCounts returns the counts of the themes of a report, by name.
func themeCounts(t *testing.T, r *tables.Report) map[string]int {
	t.Helper()
	themes := table(t, section(t, r, "why"), "themes")
	counts := map[string]int{}
	for i, label := range column(t, themes, "label") {
		counts[label], _ = strconv.Atoi(column(t, themes, "count")[i])
	}
	return counts
}

// TestEditedThemes: what people change in themes is in the next reports, with the numbers recounted, also those of new answers.
func TestEditedThemes(t *testing.T) {
	t.Parallel()
	w, s := asked(t, 70)
	first := themeCounts(t, w.report(t, nil, ""))
	frames, err := s.Frames(t.Context(), w.study)
	if err != nil || len(frames) != 1 || len(frames[0].Live()) < 2 || len(frames[0].Live())+1 != len(first) {
		t.Fatalf("%+v, %v for %v", frames, err, first)
	}
	themes := frames[0].Live()
	bigger := themes[0].Label
	w.edit(t, s, reporting.ThemeEdit{Rename: &reporting.RenameTheme{Theme: bigger, To: "Ada's theme"}})
	renamed := themeCounts(t, w.report(t, nil, ""))
	if renamed["Ada's theme"] != first[bigger] || first[bigger] == 0 {
		t.Errorf("%v was %v before it was renamed", renamed, first)
	}
	meanings := table(t, section(t, w.report(t, nil, ""), "why"), "meanings")
	if by := column(t, meanings, "named"); !slices.Contains(by, "Ada") || !slices.Contains(by, "machine") {
		t.Errorf("named by %v", by)
	}

	// The last response said "nothing": by hand it is about the theme, and another one is not.
	nothing, something := 0, 0
	for i := range 70 {
		switch said := phrases[(i+1)%len(phrases)]; {
		case said == "nothing" && i%20 != 19:
			nothing = i + 1
		case said == phrases[0] && i%20 != 19:
			something = i + 1
		}
	}
	w.edit(t, s, reporting.ThemeEdit{Recode: &reporting.RecodeAnswer{Response: nothing, Theme: "Ada's theme"}})
	if got := themeCounts(t, w.report(t, nil, ""))["Ada's theme"]; got != first[bigger]+1 {
		t.Errorf("%d people after one more, of %d", got, first[bigger])
	}
	one := themesOf(t, w, something)
	for _, theme := range one {
		w.edit(t, s, reporting.ThemeEdit{Recode: &reporting.RecodeAnswer{Response: something, Theme: theme, Remove: true}})
	}
	w.say(t, 7) // automatic coding does not bring it back
	if left := themesOf(t, w, something); len(one) == 0 || len(left) > 0 {
		t.Errorf("response %d had the themes %v, and has %v after they were removed", something, one, left)
	}

	// Merged, every answer of either counts once.
	var all []string
	for _, theme := range themes[1:] {
		all = append(all, strconv.Itoa(theme.Number))
	}
	f := w.edit(t, s, reporting.ThemeEdit{Merge: &reporting.MergeThemes{From: all, Into: "Ada's theme"}})
	r := w.report(t, nil, "")
	merged, base := themeCounts(t, r), column(t, table(t, section(t, r, "why"), "themes"), "base")[0]
	if n, _ := strconv.Atoi(base); len(merged) != 2 || merged["Ada's theme"]+merged["Other or none"] != n || n == 0 {
		t.Errorf("merged: %v of %s", merged, base)
	}
	if len(f.Live()) != 1 {
		t.Errorf("themes after the merge: %+v", f.Live())
	}

	// Split by a phrase: who says it is in the new theme, and the other has the rest.
	w.edit(t, s, reporting.ThemeEdit{Split: &reporting.SplitTheme{Theme: "1", To: "Residue", Phrases: []string{"milk residue"}}})
	split := themeCounts(t, w.report(t, nil, ""))
	if split["Residue"] == 0 || split["Residue"]+split["Ada's theme"] != merged["Ada's theme"] {
		t.Errorf("split: %v of %v", split, merged)
	}

	// A deletion takes its decisions with it.
	var gone response.Response
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		found, err := tx.StudyResponses(t.Context(), w.study.ID, nothing-1, 1)
		if err != nil {
			return err
		}
		gone = found[0]
		_, err = tx.CreateDeletion(t.Context(), gone)
		return err
	})
	decisions, err := w.store.View().ThemeDecisions(t.Context(), w.study.ID, "why")
	if err != nil || slices.ContainsFunc(decisions, func(d codeframe.Decision) bool { return d.ResponseID == gone.ID }) {
		t.Errorf("decisions after a deletion: %+v, %v", decisions, err)
	}
	if got := themeCounts(t, w.report(t, nil, "")); got["Ada's theme"] != split["Ada's theme"]-1 {
		t.Errorf("after the deletion %v, before it %v", got, split)
	}

	w.edit(t, s, reporting.ThemeEdit{Reset: true})
	if again := themeCounts(t, w.report(t, nil, "")); again["Ada's theme"] != 0 || len(again) < 3 {
		t.Errorf("after a reset: %v", again)
	}
	frames, err = s.Frames(t.Context(), w.study)
	if err != nil || len(frames) != 1 || frames[0].Edited || len(frames[0].Changes) < 6 {
		t.Errorf("after a reset: %+v, %v", frames, err)
	}
}

// themesOf returns the themes of one response: those that count one person less while it is hidden.
func themesOf(t *testing.T, w *world, readableID int) (themes []string) {
	t.Helper()
	before := themeCounts(t, w.report(t, nil, ""))
	found, err := w.store.View().StudyResponses(t.Context(), w.study.ID, readableID-1, 1)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	hide := func(hidden bool) {
		storetest.Write(t, w.store, func(tx *store.Tx) error {
			return tx.HideResponse(t.Context(), w.study.OrgID, found[0].ID, hidden)
		})
	}
	hide(true)
	after := themeCounts(t, w.report(t, nil, ""))
	hide(false)
	for label, n := range before {
		if label != "Other or none" && after[label] == n-1 {
			themes = append(themes, label)
		}
	}
	return themes
}

// TestConcurrentEdits: of edits at once none is lost, and one of a version that is no longer there is refused.
func TestConcurrentEdits(t *testing.T) {
	t.Parallel()
	w, s := asked(t, 21)
	w.report(t, nil, "")
	frames, err := s.Frames(t.Context(), w.study)
	if err != nil {
		t.Fatal(err)
	}
	const editors = 6
	var all sync.WaitGroup
	errs := make([]error, editors)
	for i := range editors {
		all.Go(func() {
			_, errs[i] = s.EditThemes(t.Context(), w.study, reporting.ThemeEdit{
				Question: "why", By: fmt.Sprint("editor ", i), Split: &reporting.SplitTheme{Theme: "1", To: fmt.Sprint("part ", i), Phrases: []string{"beans"}},
			})
		})
	}
	all.Wait()
	made := 0
	for _, err := range errs {
		switch {
		case err == nil:
			made++
		case !errors.Is(err, codeframe.ErrConflict):
			t.Error(err)
		}
	}
	now, err := s.Frames(t.Context(), w.study)
	if err != nil || made == 0 || len(now[0].Live()) != len(frames[0].Live())+made || len(now[0].Changes) != made {
		t.Errorf("%d edits were made, and the themes are %+v with %d changes, %v", made, now[0].Live(), len(now[0].Changes), err)
	}
	_, err = s.EditThemes(t.Context(), w.study, reporting.ThemeEdit{Question: "why", Version: frames[0].Version, By: "Ada", Rename: &reporting.RenameTheme{Theme: "1", To: "x"}})
	if !errors.Is(err, codeframe.ErrConflict) {
		t.Errorf("an edit of an old version: %v", err)
	}
}

// TestMachineThemesAreForgotten: words that a machine stored of people leave with any of them, for they may be those of one.
func TestMachineThemesAreForgotten(t *testing.T) {
	t.Parallel()
	w, s := asked(t, 21)
	w.report(t, nil, "")
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(t.Context(), w.taken[0].Response)
		return err
	})
	frames, err := s.Frames(t.Context(), w.study)
	if err != nil || len(frames) != 0 {
		t.Errorf("%+v, %v", frames, err)
	}
	if _, err := s.EditThemes(t.Context(), w.study, reporting.ThemeEdit{Question: "why", By: "Ada", Reset: true}); !errors.Is(err, codeframe.ErrNone) {
		t.Errorf("an edit: %v", err)
	}
	w.report(t, nil, "")
	if frames, err = s.Frames(t.Context(), w.study); err != nil || len(frames) != 1 {
		t.Errorf("after the next report: %+v, %v", frames, err)
	}
}
