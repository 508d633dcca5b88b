package authoring_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/jobs"
)

// TestLaunchAsksForTranslations: a launch enqueues translations once, of the published revision, into each language but its
// own.
func TestLaunchAsksForTranslations(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	user := storetest.User(t, s.Store, o.ID, org.Admin)
	g := &guide.Guide{
		Title:  "Fruit",
		Config: guide.Config{QuestionLanguage: "de", AvailableLanguages: []string{"fr", "de", "ja"}},
		Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Warum?"}}}},
	}
	var draft study.Study
	storetest.Write(t, s.Store, func(tx *store.Tx) (err error) {
		draft, err = tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		return tx.ReviseStudy(t.Context(), draft, guide.Encode(g))
	})
	caller := org.Caller{OrgID: o.ID, UserID: user.ID, Role: org.Admin}
	for range 2 { // the second finds it live
		if _, _, err := s.Launch(t.Context(), caller, draft.ID, "", org.IdempotencyKey{}, func(authoring.Launched) []byte { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	var asked []string
	storetest.Write(t, s.Store, func(tx *store.Tx) error {
		claimed, err := tx.ClaimJobs(t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindTranslate)}, 10, time.Minute)
		for _, job := range claimed {
			asked = append(asked, job.Args)
		}
		return err
	})
	slices.Sort(asked)
	want := []string{
		jobs.New(jobs.TranslateArgs{StudyID: draft.ID, Revision: 2, Language: "fr"}).Args,
		jobs.New(jobs.TranslateArgs{StudyID: draft.ID, Revision: 2, Language: "ja"}).Args,
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}
