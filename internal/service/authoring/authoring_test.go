package authoring_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

func TestRevise(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	caller := org.Caller{OrgID: scene.Org.ID, UserID: scene.User.ID, Role: org.Admin}
	if err := s.Revise(t.Context(), caller, scene.Study.ID, 1, guidetest.RichPayload()); err != nil {
		t.Fatal(err)
	}
	if err := s.Revise(t.Context(), caller, scene.Study.ID, 1, guidetest.RichPayload()); !errors.Is(err, study.ErrConflict) {
		t.Errorf("over an older revision: %v", err)
	}
	if err := s.Revise(t.Context(), org.Caller{OrgID: scene.User.ID}, scene.Study.ID, 2, guidetest.RichPayload()); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("by another organization: %v", err)
	}
	if err := s.Revise(t.Context(), caller, scene.Study.ID, 2, []byte(`{}`)); err == nil {
		t.Error("a guide without anything was stored")
	}
	list, err := s.List(t.Context(), caller)
	if err != nil || len(list) != 1 {
		t.Fatalf("listed %v (%v)", list, err)
	}
	if got := list[0]; got.Title != guidetest.Rich().Title || got.Revision != 2 || got.PublishedRevision != 1 || got.Status != study.Live {
		t.Errorf("the revised study is %+v", got)
	}
	if g := latest(t, s, caller, scene.Study.LinkID); len(g.Blocks) != len(guidetest.Rich().Blocks) {
		t.Errorf("the latest guide is %+v", g)
	}
}

// latest returns the latest guide of a study.
func latest(t *testing.T, s *authoring.Service, caller org.Caller, ref string) (seen *guide.Guide) {
	t.Helper()
	found, err := s.Find(t.Context(), caller, ref)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.EncodedGuide(t.Context(), found, t.Name()+uuid.NewString(), func(g *guide.Guide) []byte {
		seen = g
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return seen
}

// TestARevisionIsReadOnce: the encoding of a revision is cached under its form's name, and a new revision is encoded anew.
func TestARevisionIsReadOnce(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	caller := org.Caller{OrgID: scene.Org.ID, UserID: scene.User.ID, Role: org.Admin}
	made := 0
	show := func(form string) string {
		found, err := s.Find(t.Context(), caller, scene.Study.ID)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := s.EncodedGuide(t.Context(), found, form, func(g *guide.Guide) []byte {
			made++
			return []byte(form + g.Title)
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(shown)
	}
	first := show("a")
	if again := show("a"); again != first || made != 1 {
		t.Errorf("%q, then %q, made %d times", first, again, made)
	}
	if other := show("b"); other == first || made != 2 {
		t.Errorf("another form shows %q, made %d times", other, made)
	}
	if err := s.Revise(t.Context(), caller, scene.Study.ID, 1, guidetest.RichPayload()); err != nil {
		t.Fatal(err)
	}
	if revised := show("a"); revised != "a"+guidetest.Rich().Title || made != 3 {
		t.Errorf("after an edit %q, made %d times", revised, made)
	}
}

func TestRenameLink(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	other := storetest.Study(t, s.Store, scene.Org.ID, "", "")
	caller := org.Caller{OrgID: scene.Org.ID}
	for linkID, want := range map[string]error{
		"ab": authoring.ErrBadLinkID, "with blank": authoring.ErrBadLinkID, scene.Study.ID: authoring.ErrBadLinkID,
		other.LinkID: study.ErrLinkTaken,
	} {
		if err := s.RenameLink(t.Context(), caller, scene.Study.ID, linkID); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", linkID, err, want)
		}
	}
	if err := s.RenameLink(t.Context(), caller, scene.Study.ID, "apples-2026"); err != nil {
		t.Fatal(err)
	}
	// The study may return to its old link id.
	if err := s.RenameLink(t.Context(), caller, other.ID, scene.Study.LinkID); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Store.View().StudyByRef(t.Context(), scene.Org.ID, scene.Study.LinkID); err != nil || got.ID != other.ID {
		t.Errorf("the old link leads to %+v (%v)", got, err)
	}
}

// TestCreateIsAllOrNothing: if saving the idempotent result fails, no study is left.
func TestCreateIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	caller := org.Caller{OrgID: o.ID, UserID: storetest.User(t, s.Store, o.ID, org.Admin).ID}
	defer func() {
		if recover() == nil {
			t.Error("the answer was rendered")
		}
		if list, err := s.List(t.Context(), caller); err != nil || len(list) != 0 {
			t.Errorf("half a creation is left: %v (%v)", list, err)
		}
	}()
	_, _, _ = s.Create(t.Context(), caller, guidetest.RichPayload(), org.IdempotencyKey{}, func(study.Study) []byte { panic("no answer") })
}
