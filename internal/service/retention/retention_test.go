package retention_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/retention"
)

const day = 24 * time.Hour

// scene is an organization with a study, whose clock the test moves.
type scene struct {
	storetest.Scene
	*retention.Service
	t     *testing.T
	clock *storetest.Clock
	store *store.Store
	files blob.Store
}

func setup(t *testing.T) *scene {
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	files := blobtest.Folder(t)
	return &scene{storetest.NewScene(t, s), &retention.Service{Store: s, Objects: files, Erasure: &erasure.Service{Store: s}}, t, clock, s, files}
}

// answered adds a response that has ended, with a recording, its upload and its transcript.
func (s *scene) answered(of study.Study) response.Response {
	s.t.Helper()
	ctx := s.t.Context()
	r := storetest.Response(s.t, s.store, of, nil)
	storetest.Write(s.t, s.store, func(tx *store.Tx) error {
		r.Progress, r.EndedAt, r.UpdatedAt = response.Complete, tx.Now(), tx.Now()
		if err := tx.SaveProgress(ctx, r, tx.Now()); err != nil {
			return err
		}
		return tx.AddRecording(ctx, recording.Recording{OrgID: of.OrgID, ResponseID: r.ID, StepID: "s1", Kind: recording.Audio, Row: 1})
	})
	recorded, err := s.store.View().Recordings(ctx, r.ID)
	if err != nil || len(recorded) != 1 {
		s.t.Fatal(recorded, err)
	}
	if err := s.files.Put(ctx, recorded[0].Folder()+"a.m4a", strings.NewReader("sound"), 5, "audio/mp4"); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// left returns how many live responses, recordings and objects there are.
func (s *scene) left() (responses, recordings, objects int) {
	s.t.Helper()
	ctx := s.t.Context()
	ids, err := s.store.View().LiveResponses(ctx, s.Study.ID, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, id := range ids {
		recorded, err := s.store.View().Recordings(ctx, id)
		if err != nil {
			s.t.Fatal(err)
		}
		recordings += len(recorded)
	}
	for _, err := range s.files.List(ctx, response.Objects) {
		if err != nil {
			s.t.Fatal(err)
		}
		objects++
	}
	return len(ids), recordings, objects
}

func (s *scene) want(what string, responses, recordings, objects int) {
	s.t.Helper()
	if r, c, o := s.left(); r != responses || c != recordings || o != objects {
		s.t.Errorf("%s: %d responses, %d recordings and %d objects are left, want %d, %d and %d", what, r, c, o, responses, recordings, objects)
	}
}

func (s *scene) set(studyRef string, wanted org.Retention) org.RetentionRule {
	s.t.Helper()
	rule, err := s.Set(s.t.Context(), org.Caller{OrgID: s.Org.ID, UserID: s.User.ID}, studyRef, wanted)
	if err != nil {
		s.t.Fatal(err)
	}
	return rule
}

func (s *scene) sweep() {
	s.t.Helper()
	if err := s.Sweep(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// TestRulesAreCarriedOut: recordings go first and responses later, with receipts and entries in the audit log, and nothing before the grace time
// is over.
func TestRulesAreCarriedOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx := t.Context()
	old := s.answered(s.Study)
	s.clock.Advance(40 * day)
	s.answered(s.Study)
	running := storetest.Response(t, s.store, s.Study, nil)
	rule := s.set("", org.Retention{RecordingDays: 7, ResponseDays: 30})
	if got := rule.EffectiveAt.Sub(s.store.Now()); got < 23*time.Hour || got > 24*time.Hour {
		t.Errorf("the rule takes effect in %v", got)
	}
	p, err := s.Preview(ctx, s.Org.ID, "", nil)
	if err != nil || len(p.Studies) != 1 || p.Studies[0].First != (retention.Amount{Responses: 1}) || p.Studies[0].Week != (retention.Amount{Responses: 1, Recordings: 1}) ||
		p.Studies[0].Month != (retention.Amount{Responses: 2}) {
		t.Errorf("%+v, %v", p, err)
	}
	s.sweep()
	s.want("in the grace time", 3, 2, 2)
	s.clock.Advance(day + time.Second)
	s.sweep()
	s.want("on the first day", 2, 1, 2)
	s.clock.Advance(7 * day)
	s.sweep()
	s.want("when the recordings are old", 2, 0, 1)
	if _, err := s.store.View().AnyResponse(ctx, old.ID); err == nil {
		if _, err := s.store.View().Response(ctx, s.Org.ID, old.ID); err == nil {
			t.Error("the old response is still read")
		}
	}
	if n, err := (&erasure.Worker{Store: s.store, Objects: s.files}).Finish(ctx); err != nil || n != 1 {
		t.Errorf("%d deletions were finished, %v", n, err)
	}
	s.clock.Advance(30 * day)
	s.sweep()
	s.want("when all are old", 1, 0, 0) // the one that is under way was not abandoned yet
	rules, err := s.Rules(ctx, s.Org.ID)
	if err != nil || len(rules.Receipts) != 3 || rules.Receipts[1].Recordings != 1 || rules.Receipts[2].Responses != 1 || rules.Organization.RanAt.IsZero() {
		t.Errorf("%+v, %v", rules, err)
	}
	log, err := s.store.View().AuditLog(ctx, s.Org.ID, org.AuditFilter{ByOperator: true, Action: org.AuditRetentionDeleted}, 0, 10)
	if err != nil || len(log) != 3 || log[1].Detail["recordings"] != "1" || log[2].Subject != s.Study.LinkID {
		t.Errorf("%+v, %v", log, err)
	}
	if _, err := s.store.View().Response(ctx, s.Org.ID, running.ID); err != nil {
		t.Errorf("an interview under way: %v", err)
	}
}

// TestLegalHold stops rules and the trash, of the organization and of one study, and ends with another grace time.
func TestLegalHold(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.answered(s.Study)
	s.set("", org.Retention{ResponseDays: 1})
	s.set(s.Study.LinkID, org.Retention{ResponseDays: 1, LegalHold: true})
	s.clock.Advance(10 * day)
	s.sweep()
	s.want("on hold", 1, 1, 1)
	storetest.Write(t, s.store, func(tx *store.Tx) error { return tx.Trash(t.Context(), s.Study.ID, s.User.ID) })
	s.clock.Advance(study.TrashFor + day)
	if n, err := s.Erasure.PurgeTrash(t.Context()); n != 0 || err != nil {
		t.Errorf("%d studies are purged on hold, %v", n, err)
	}
	storetest.Write(t, s.store, func(tx *store.Tx) error { return tx.Untrash(t.Context(), s.Study.ID, s.store.Now().Add(-365*day)) })
	if rule := s.set(s.Study.LinkID, org.Retention{ResponseDays: 1}); rule.EffectiveAt.Before(s.store.Now().Add(23 * time.Hour)) {
		t.Errorf("without the hold it takes effect at %v", rule.EffectiveAt)
	}
	s.sweep()
	s.want("in the grace time after the hold", 1, 1, 1)
	s.set("", org.Retention{ResponseDays: 1, LegalHold: true})
	s.clock.Advance(2 * day)
	s.sweep()
	s.want("on hold of the organization", 1, 1, 1)
	s.set("", org.Retention{ResponseDays: 1})
	s.clock.Advance(2 * day)
	s.sweep()
	s.want("without any hold", 0, 0, 1)
}

// failing is a store of objects that cannot be reached.
type failing struct{ erasure.Objects }

func (failing) DeletePrefix(context.Context, string) error { return errors.New("away") }

// TestInterruptedRun: where objects cannot be removed their rows stay, and the next run removes both. A rule of a study stands in place of the
// organization's, until it is removed.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ctx, caller := t.Context(), org.Caller{OrgID: s.Org.ID}
	s.answered(s.Study)
	s.set("", org.Retention{RecordingDays: 1, DropTranscripts: true})
	s.set(s.Study.ID, org.Retention{})
	s.clock.Advance(3 * day)
	s.sweep()
	s.want("kept by its own rule", 1, 1, 1)
	if err := s.Remove(ctx, caller, s.Study.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, caller, s.Study.ID); !errors.Is(err, org.ErrNoRetention) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := s.Run(ctx, s.Org.ID); err != nil {
		t.Fatal(err)
	}
	s.want("in the grace time after it was removed", 1, 1, 1)
	s.clock.Advance(day + time.Second)
	s.Objects = failing{s.files}
	if _, err := s.Run(ctx, s.Org.ID); err == nil {
		t.Error("nobody says that the objects are away")
	}
	s.want("with the objects away", 1, 1, 1)
	s.Objects = s.files
	sum, err := s.Run(ctx, s.Org.ID)
	if err != nil || sum.Recordings != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	s.want("afterwards", 1, 0, 0)
	if sum, err := s.Run(ctx, s.Org.ID); err != nil || !sum.Empty() {
		t.Errorf("again: %+v, %v", sum, err)
	}
}
