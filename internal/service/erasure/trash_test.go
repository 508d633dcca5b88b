package erasure_test

import (
	"errors"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/erasure"
)

// TestPurgeTrash: after 30 days in the trash a study is gone with its responses, and until then it comes back as it was.
func TestPurgeTrash(t *testing.T) {
	t.Parallel()
	ctx, clock := t.Context(), storetest.NewClock()
	s := storetest.NewAt(t, clock)
	sc := storetest.NewScene(t, s)
	responses := []response.Response{storetest.Response(t, s, sc.Study, nil), storetest.Response(t, s, sc.Study, nil)}
	caller := org.Caller{OrgID: sc.Org.ID, UserID: sc.User.ID, Role: org.Admin}
	author, erase := &authoring.Service{Store: s}, &erasure.Service{Store: s}
	trash := func() {
		if _, err := author.TrashStudy(ctx, caller, sc.Study); err != nil {
			t.Fatal(err)
		}
	}
	purge := func(want int) {
		t.Helper()
		if n, err := erase.PurgeTrash(ctx); err != nil || n != want {
			t.Errorf("purged %d studies (%v), want %d", n, err, want)
		}
	}
	trash()
	clock.Advance(study.TrashFor - time.Minute)
	purge(0)
	if _, err := author.UntrashStudy(ctx, caller, sc.Study); err != nil {
		t.Fatal(err)
	}
	if _, err := s.View().Response(ctx, sc.Org.ID, responses[0].ID); err != nil {
		t.Errorf("a response of a restored study: %v", err)
	}
	trash()
	clock.Advance(study.TrashFor + time.Minute)
	if _, err := author.UntrashStudy(ctx, caller, sc.Study); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("restoring it too late: %v", err)
	}
	purge(1)
	purge(0)
	for _, r := range responses {
		if d, err := s.View().DeletionOf(ctx, sc.Org.ID, r.ID); err != nil || d.StudyID != sc.Study.ID {
			t.Errorf("the receipt of %s: %+v, %v", r.ID, d, err)
		}
	}
	if _, err := (&erasure.Worker{Store: s}).Finish(ctx); err != nil {
		t.Error(err)
	}
	if _, err := s.View().StudyGuide(ctx, sc.Org.ID, sc.Study.ID, 1); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("the guide: %v", err)
	}
	if _, err := s.View().NewestVersion(ctx, sc.Study.ID); !errors.Is(err, workingcopy.ErrNoVersion) {
		t.Errorf("its versions: %v", err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { // the link id is free again
		other, err := tx.CreateStudy(ctx, study.Study{OrgID: sc.Org.ID, Title: "Other"}, storetest.Guide())
		if err != nil {
			return err
		}
		return tx.RenameLink(ctx, sc.Org.ID, other.ID, sc.Study.LinkID)
	})
}
