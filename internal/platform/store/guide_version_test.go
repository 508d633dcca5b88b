package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestGuideVersions reads what was stored, and prunes it.
func TestGuideVersions(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	var want workingcopy.Version
	for n := range 5 {
		want = workingcopy.Version{
			StudyID: sc.Study.ID, Number: n + 1, Guide: []byte(`{"n":1}`), Valid: n%2 == 0, Revision: n, Origin: workingcopy.Restored, Restored: n, UserID: sc.User.ID,
			Summary: workingcopy.Summary{Added: n, Labels: []string{"Äpfel"}}, Began: at, At: at.Add(time.Second),
		}
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.AddVersion(ctx, want) })
	}
	want.UserName = sc.User.Name
	got, err := sc.Store.View().NewestVersion(ctx, sc.Study.ID)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	numbers := func() (all []int) {
		versions, err := sc.Store.View().Versions(ctx, sc.Study.ID, 5, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			all = append(all, v.Number)
		}
		return all
	}
	if got := numbers(); !slices.Equal(got, []int{4, 3, 2, 1}) {
		t.Errorf("below 5: %v", got)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return errors.Join(tx.DropVersion(ctx, sc.Study.ID, 2), tx.PruneVersions(ctx, sc.Study.ID, 3, 1000))
	})
	if got := numbers(); !slices.Equal(got, []int{4, 3}) {
		t.Errorf("after pruning: %v", got)
	}
	if _, err := sc.Store.View().Version(ctx, sc.Study.ID, 2); !errors.Is(err, workingcopy.ErrNoVersion) {
		t.Errorf("a dropped version: %v", err)
	}
}

// TestCountChosen counts answers by what was chosen, with regard to case, and not by keys of the answers.
func TestCountChosen(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	for _, selected := range [][]string{{"a"}, {"a", "selected"}, {"A"}, {"b%"}} {
		r := storetest.Response(t, sc.Store, sc.Study, nil)
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			return tx.AppendTurns(ctx, r, interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "q", Answer: interview.Answer{Selected: selected}, At: tx.Now()})
		})
	}
	for _, test := range []struct {
		item, option string
		want         int
	}{{"q", "a", 2}, {"q", "A", 1}, {"q", "selected", 1}, {"q", "b%", 1}, {"q", "b", 0}, {"q", "", 4}, {"p", "", 0}} {
		if n, err := sc.Store.View().CountChosen(ctx, sc.Study.ID, test.item, test.option); err != nil || n != test.want {
			t.Errorf("%q of %s: %d (%v), want %d", test.option, test.item, n, err, test.want)
		}
	}
}

// TestTrash: a study in the trash is found there alone, by those who belong to its organization.
func TestTrash(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	other := storetest.NewScene(t, sc.Store)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return errors.Join(tx.SaveFolder(ctx, sc.Study.ID, []string{"Food"}), tx.Trash(ctx, sc.Study.ID, sc.User.ID))
	})
	view := sc.Store.View()
	if _, err := view.Study(ctx, sc.Org.ID, sc.Study.ID); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("a read of a study in the trash: %v", err)
	}
	if _, err := view.PublicStudy(ctx, sc.Study.LinkID); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("its link: %v", err)
	}
	trashed, err := view.TrashedStudies(ctx, sc.Org.ID, sc.User.ID, time.Time{}.Add(time.Hour), 10)
	if err != nil || len(trashed) != 1 || trashed[0].ID != sc.Study.ID || trashed[0].TrashedAt.IsZero() || trashed[0].FolderPath[0] != "Food" || trashed[0].Granted {
		t.Errorf("the trash: %+v (%v)", trashed, err)
	}
	long := sc.Store.Now().Add(-time.Hour)
	if found, _, err := view.TrashedForUser(ctx, sc.User.ID, sc.Study.LinkID, long); err != nil || found.ID != sc.Study.ID {
		t.Errorf("by its link id: %+v (%v)", found, err)
	}
	if _, _, err := view.TrashedForUser(ctx, other.User.ID, sc.Study.ID, long); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("by a stranger: %v", err)
	}
	if folders, err := view.Folders(ctx, sc.Org.ID); err != nil || len(folders) != 0 {
		t.Errorf("folders: %v (%v)", folders, err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Untrash(ctx, sc.Study.ID, long) })
	if folders, err := view.Folders(ctx, sc.Org.ID); err != nil || len(folders) != 1 || folders[0].Studies != 1 {
		t.Errorf("folders: %v (%v)", folders, err)
	}
}
