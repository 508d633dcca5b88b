package authoring_test

import (
	"errors"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

// TestClose: a live study can be closed and reopened repeatedly; a closed study cannot be launched, a draft cannot be closed.
func TestClose(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	sc := storetest.NewScene(t, s.Store)
	caller := org.Caller{OrgID: sc.Org.ID, UserID: sc.User.ID, Role: org.Admin}
	launch := func() (launched authoring.Launched, err error) {
		_, _, err = s.Launch(t.Context(), caller, sc.Study.ID, "", org.IdempotencyKey{}, func(l authoring.Launched) []byte {
			launched = l
			return nil
		})
		return launched, err
	}
	for range 2 {
		if closed, err := s.Close(t.Context(), sc.Study); err != nil || closed.Status != study.Closed {
			t.Fatal(closed.Status, err)
		}
	}
	if _, err := launch(); !errors.Is(err, study.ErrClosed) {
		t.Errorf("launching a closed study: %v", err)
	}
	for range 2 {
		if live, err := s.Reopen(t.Context(), sc.Study); err != nil || live.Status != study.Live || live.PublishedRevision != sc.Study.PublishedRevision {
			t.Fatal(live, err)
		}
	}
	if launched, err := launch(); err != nil || launched.Study.Status != study.Live || launched.Wallet == nil || launched.Wallet.ID != sc.Wallet.ID {
		t.Errorf("launching it again: %v (%v)", launched, err)
	}
	draft := storetest.Draft(t, s.Store, sc.Org.ID, sc.User.ID)
	if _, err := s.Close(t.Context(), draft); !errors.Is(err, study.ErrNotLaunched) {
		t.Errorf("closing a draft: %v", err)
	}
	if _, err := s.Reopen(t.Context(), draft); !errors.Is(err, study.ErrNotLaunched) {
		t.Errorf("reopening a draft: %v", err)
	}
}
