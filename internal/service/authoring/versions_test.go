package authoring_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

// editor edits a study.
type editor struct {
	*authoring.Service
	t      *testing.T
	study  study.Study
	caller org.Caller
	clock  *storetest.Clock
}

func newEditor(t *testing.T) *editor {
	t.Helper()
	clock := storetest.NewClock()
	s := &authoring.Service{Store: storetest.NewAt(t, clock)}
	scene := storetest.NewScene(t, s.Store)
	return &editor{s, t, scene.Study, org.Caller{OrgID: scene.Org.ID, UserID: scene.User.ID, Role: org.Admin}, clock}
}

// asking returns a guide that asks one question; an empty one is an error.
func asking(text string) []byte {
	return []byte(`{"title":"T","studyGuide":[{"type":"flat","title":"","externalId":"b","items":[{"type":"open_ended","externalId":"q","text":"` + text + `"}]}]}`)
}

func (e *editor) save(text string) authoring.Draft {
	e.t.Helper()
	now, err := e.CurrentDraft(e.t.Context(), e.study.OrgID, e.study.ID)
	if err != nil {
		e.t.Fatal(err)
	}
	d, err := e.SaveDraft(e.t.Context(), e.caller, e.study.ID, now.Number, asking(text))
	if err != nil {
		e.t.Fatal(err)
	}
	return d
}

func (e *editor) history() (versions []string) {
	e.t.Helper()
	for before := 0; ; {
		page, err := e.Versions(e.t.Context(), e.found(), before)
		if err != nil {
			e.t.Fatal(err)
		}
		for _, v := range page.List {
			versions = append(versions, fmt.Sprint(v.Number, v.Origin))
		}
		if before = page.Next; before == 0 {
			return versions
		}
	}
}

func (e *editor) found() study.Study {
	e.t.Helper()
	of, err := e.Store.View().Study(e.t.Context(), e.study.OrgID, e.study.ID)
	if err != nil {
		e.t.Fatal(err)
	}
	return of
}

// TestVersionsOfAnHour: the edits of a minute are one version, those of others and what was published are not merged with them.
func TestVersionsOfAnHour(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	other := storetest.User(t, e.Store, e.study.OrgID, org.Member)
	e.save("a") // 2
	e.clock.Advance(30 * time.Second)
	e.save("ab") // 3, with 2
	e.clock.Advance(31 * time.Second)
	e.save("abc") // 4: more than a minute after 2
	first := e.caller
	e.caller = org.Caller{OrgID: first.OrgID, UserID: other.ID, Role: org.Member}
	e.save("abcd") // 5: another person
	e.caller = first
	if _, err := e.LaunchVersion(t.Context(), e.caller, e.study.ID, "", 5); err != nil {
		t.Fatal(err)
	}
	e.caller.UserID = other.ID
	e.save("abcde") // 6: participants get 5
	if got := strings.Join(e.history(), " "); got != "6edit 5edit 4edit 3edit 1created" {
		t.Errorf("the history is %s", got)
	}
	v, err := e.Version(t.Context(), e.found(), 5)
	if err != nil || !v.Published || v.Summary.Changed != 1 {
		t.Errorf("version 5 is %+v (%v)", v, err)
	}
}

// TestGuideChangedByAProgram: a change by another way is a new version, based on which people go on.
func TestGuideChangedByAProgram(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	e.save("a")
	e.save("") // 3: has errors
	of := e.found()
	if err := e.Revise(t.Context(), e.caller, e.study.ID, of.Revision, guidetest.RichPayload()); err != nil {
		t.Fatal(err)
	}
	now, err := e.CurrentDraft(t.Context(), of.OrgID, of.ID)
	if err != nil || now.Number != 4 || now.Origin != workingcopy.ByProgram || !now.Valid || now.Summary.Added == 0 {
		t.Fatalf("the working copy is %+v (%v)", now.Version, err)
	}
	_, err = e.SaveDraft(t.Context(), e.caller, e.study.ID, 3, asking("b"))
	if conflict, ok := errors.AsType[*authoring.VersionError](err); !ok || conflict.Newest.Number != 4 {
		t.Errorf("an edit of the version before: %v", err)
	}
	if d := e.save("b"); d.Number != 5 || !d.Unpublished {
		t.Errorf("saved %+v", d.Version)
	}
	if got := strings.Join(e.history(), " "); got != "5edit 4program 3edit 1created" {
		t.Errorf("the history is %s", got)
	}
}

// TestHistoryIsBounded: old versions and revisions go, and those that are in use stay.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	for n := range 210 {
		e.clock.Advance(2 * time.Minute)
		e.save(fmt.Sprint("question ", n))
	}
	if got := e.history(); len(got) != 200 || got[0] != "211edit" || got[199] != "12edit" {
		t.Errorf("%d versions, from %s to %s", len(got), got[len(got)-1], got[0])
	}
	of := e.found()
	for revision, kept := range map[int]bool{of.PublishedRevision: true, of.Revision: true, of.Revision - 19: true, of.Revision - 20: false} {
		if _, err := e.Store.View().StudyGuide(t.Context(), of.OrgID, of.ID, revision); (err == nil) != kept {
			t.Errorf("revision %d of %d: %v", revision, of.Revision, err)
		}
	}
	storetest.Write(t, e.Store, func(tx *store.Tx) error { return tx.PruneVersions(t.Context(), of.ID, 10, 300) })
	if got := e.history(); len(got) != 2 {
		t.Errorf("of 300 characters %d versions are left", len(got))
	}
	storetest.Write(t, e.Store, func(tx *store.Tx) error { return tx.PruneVersions(t.Context(), of.ID, 10, 1) })
	if got := e.history(); len(got) != 1 {
		t.Errorf("%d versions are left instead of the newest", len(got))
	}
}

// TestChangesCountAnswers: what was removed is shown with how many chose it.
func TestChangesCountAnswers(t *testing.T) {
	t.Parallel()
	e := newEditor(t)
	storetest.Response(t, e.Store, e.study, nil)
	changes, more, err := e.Changes(t.Context(), e.found(), authoring.Published, 0)
	if err != nil || len(changes) != 0 || more != 0 {
		t.Errorf("before any edit: %v, %d (%v)", changes, more, err)
	}
	e.save("other")
	changes, _, err = e.Changes(t.Context(), e.found(), authoring.Published, 0)
	counted := map[workingcopy.ChangeKind]int{}
	for _, c := range changes {
		if c.Part == workingcopy.PartItem {
			counted[c.Kind] = c.Answers
		}
	}
	if err != nil || counted[workingcopy.Removed] != 0 || counted[workingcopy.Added] != -1 {
		t.Errorf("changes %+v (%v)", changes, err)
	}
	if _, _, err := e.Changes(t.Context(), e.found(), 7, 0); !errors.Is(err, workingcopy.ErrNoVersion) {
		t.Errorf("from an unknown version: %v", err)
	}
}
