package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestStudyRoundTrip(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := storetest.Org(t, s)
	u := storetest.User(t, s, o.ID, org.Member)
	for name, folder := range map[string][]string{"no folder": nil, "the root": {}, "a folder": {"2026", "Äpfel / Birnen"}} {
		var made study.Study
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			made, err = tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, CreatorID: u.ID, Title: "T", FolderPath: folder}, []byte(`{"a":1}`))
			return err
		})
		if made.Status != study.Draft || made.Revision != 1 || !study.ValidLinkID(made.LinkID) || !study.IsUUID(made.ID) {
			t.Errorf("%s: created %+v", name, made)
		}
		got, err := s.View().Study(t.Context(), o.ID, made.ID)
		if diff := cmp.Diff(made, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-created +read):\n%s", name, err, diff)
		}
	}
}

func TestStudiesNewestFirst(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := storetest.Org(t, s)
	u := storetest.User(t, s, o.ID, org.Member)
	storetest.NewScene(t, s) // another organization's
	old := storetest.Draft(t, s, o.ID, "")
	mid := storetest.Draft(t, s, o.ID, u.ID)
	latest := storetest.Draft(t, s, o.ID, "")
	want := []study.Listed{{Study: latest}, {Study: mid, Creator: &study.Creator{Name: u.Name, Email: u.Email}}, {Study: old}}
	for limit := 1; limit <= 3; limit++ {
		got, err := s.View().Studies(t.Context(), o.ID, limit)
		if diff := cmp.Diff(want[:limit], got); diff != "" || err != nil {
			t.Errorf("limit %d: %v (-want +got):\n%s", limit, err, diff)
		}
	}
}

func TestRevisionsCompareAndSet(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := storetest.Org(t, s)
	st := storetest.Draft(t, s, o.ID, "")
	revise := func(st study.Study, guide string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.ReviseStudy(t.Context(), st, []byte(guide)) })
	}
	edited := st
	edited.Title = "Pears"
	if err := revise(edited, `{"n":2}`); err != nil {
		t.Fatal(err)
	}
	if err := revise(st, `{"n":"lost"}`); !errors.Is(err, study.ErrConflict) {
		t.Errorf("an edit of a revision that is not the latest: %v, want ErrConflict", err)
	}
	foreign := edited
	foreign.Revision, foreign.OrgID = 2, store.NewID()
	if err := revise(foreign, `{}`); !errors.Is(err, study.ErrConflict) {
		t.Errorf("an edit from another organization: %v, want ErrConflict", err)
	}
	got, err := s.View().Study(t.Context(), o.ID, st.ID)
	if err != nil || got.Revision != 2 || got.Title != "Pears" || !got.UpdatedAt.After(st.UpdatedAt) {
		t.Errorf("study = %+v, %v, want revision 2", got, err)
	}
	for revision, want := range map[int]string{1: string(storetest.Guide()), 2: `{"n":2}`} {
		if g, err := s.View().StudyGuide(t.Context(), o.ID, st.ID, revision); err != nil || string(g) != want {
			t.Errorf("guide of revision %d = %s, %v, want %s", revision, g, err, want)
		}
	}
	if _, err := s.View().StudyGuide(t.Context(), store.NewID(), st.ID, 1); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("guide for another organization: %v, want ErrNotFound", err)
	}
	publish := func(st study.Study) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.Publish(t.Context(), st, "") })
	}
	if err := publish(st); !errors.Is(err, study.ErrConflict) {
		t.Errorf("publishing what was edited meanwhile: %v, want ErrConflict", err)
	}
	if err := publish(got); err != nil {
		t.Errorf("publishing: %v", err)
	}
	if err := publish(got); !errors.Is(err, study.ErrConflict) {
		t.Errorf("publishing twice: %v, want ErrConflict", err)
	}
	if live, err := s.View().Study(t.Context(), o.ID, st.ID); err != nil || live.Status != study.Live || live.PublishedRevision != 2 || live.LaunchedAt.IsZero() {
		t.Errorf("the live study = %+v, %v", live, err)
	}
}

func TestLinkIDs(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	o, foreign := storetest.Org(t, s), storetest.Org(t, s)
	a, b := storetest.Draft(t, s, o.ID, ""), storetest.Draft(t, s, foreign.ID, "")
	rename := func(st study.Study, link string) error {
		return s.Write(ctx, func(tx *store.Tx) error { return tx.RenameLink(ctx, st.OrgID, st.ID, link) })
	}
	resolves := func(link, want string) {
		t.Helper()
		if got, err := s.View().PublicStudy(ctx, link); err != nil || got.ID != want {
			t.Errorf("link %q leads to %s, %v, want %s", link, got.ID, err, want)
		}
	}
	for _, link := range []string{"apples", "apples-2"} {
		if err := rename(a, link); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.View().Study(ctx, o.ID, a.ID); err != nil || got.LinkID != "apples-2" {
		t.Errorf("LinkID = %q, %v, want the latest", got.LinkID, err)
	}
	for _, link := range []string{a.LinkID, "apples", "apples-2"} {
		resolves(link, a.ID)
		if got, err := s.View().StudyByRef(ctx, o.ID, link); err != nil || got.ID != a.ID {
			t.Errorf("StudyByRef(%q) = %s, %v", link, got.ID, err)
		}
		if _, err := s.View().StudyByLink(ctx, foreign.ID, link); !errors.Is(err, study.ErrNotFound) {
			t.Errorf("StudyByLink(%q) of another organization: %v, want ErrNotFound", link, err)
		}
	}
	if err := rename(b, "apples-2"); !errors.Is(err, study.ErrLinkTaken) {
		t.Errorf("taking a current link id: %v, want ErrLinkTaken", err)
	}
	if err := rename(b, "apples"); err != nil {
		t.Errorf("taking over an old link id: %v", err)
	}
	resolves("apples", b.ID)
	resolves(b.LinkID, b.ID)
	resolves("apples-2", a.ID)
	if err := rename(a, a.LinkID); err != nil {
		t.Errorf("going back to an old link id of one's own: %v", err)
	}
	resolves("apples-2", a.ID)
	foreignStudy := a
	foreignStudy.OrgID = foreign.ID
	if err := rename(foreignStudy, "stolen"); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("renaming another organization's study: %v, want ErrNotFound", err)
	}
	for _, ref := range []string{store.NewID(), "no-such-link", "", "two words"} {
		if _, err := s.View().StudyByRef(ctx, o.ID, ref); !errors.Is(err, study.ErrNotFound) {
			t.Errorf("StudyByRef(%q): %v, want ErrNotFound", ref, err)
		}
	}
}

func TestStudyGrantsAreForMembers(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	nonMember := storetest.NewScene(t, sc.Store).User
	for _, tt := range []struct {
		user string
		want error
	}{{sc.User.ID, nil}, {sc.User.ID, nil}, {nonMember.ID, study.ErrNotFound}} {
		err := sc.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.GrantStudy(t.Context(), sc.Study.ID, tt.user, org.StartRecruitment)
		})
		if !errors.Is(err, tt.want) {
			t.Errorf("GrantStudy = %v, want %v", err, tt.want)
		}
		granted, err := sc.Store.View().HasStudyGrant(t.Context(), sc.Study.ID, tt.user, org.StartRecruitment)
		if err != nil || granted != (tt.want == nil) {
			t.Errorf("HasStudyGrant = %v, %v", granted, err)
		}
	}
}
