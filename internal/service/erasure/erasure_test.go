package erasure_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/jobs"
)

// objects is an object store that can fail.
type objects struct {
	blob.Store
	err     error
	put     []string
	deleted []string
}

func (o *objects) Put(_ context.Context, name string, _ io.Reader, _ int64, _ string) error {
	if o.err == nil {
		o.put = append(o.put, name)
	}
	return o.err
}

func (o *objects) DeletePrefix(_ context.Context, prefix string) error {
	if o.err == nil {
		o.deleted = append(o.deleted, prefix)
	}
	return o.err
}

type fixture struct {
	storetest.Scene
	*erasure.Service
	caller   org.Caller
	response response.Response
}

// newFixture makes an interview under way with a turn, a hold and a queued job.
func newFixture(t *testing.T) fixture {
	t.Helper()
	s := storetest.New(t)
	scene := storetest.NewScene(t, s)
	r := storetest.Response(t, s, scene.Study, map[string]string{"source": "mail"})
	storetest.Write(t, s, func(tx *store.Tx) error {
		if err := tx.AppendTurn(t.Context(), r.ID, 0, interview.Turn{StepID: "1", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now()}); err != nil {
			return err
		}
		if err := tx.PlaceHold(t.Context(), store.Hold{
			WalletID: scene.Wallet.ID, OrgID: scene.Org.ID, StudyID: scene.Study.ID, ResponseID: r.ID, Amount: wallet.Credit,
		}); err != nil {
			return err
		}
		if err := tx.Enqueue(t.Context(), store.Job{Kind: "analyse", Args: r.ID, ResponseID: r.ID}); err != nil {
			return err
		}
		return tx.PutDocument(t.Context(), document.Source{Response: r})
	})
	return fixture{scene, &erasure.Service{Store: s}, org.Caller{OrgID: scene.Org.ID}, r}
}

// claim claims every due job.
func (s fixture) claim(t *testing.T) (claimed []store.Job) {
	t.Helper()
	storetest.Write(t, s.Scene.Store, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimJobs(t.Context(), store.Queue{}, 10, 0)
		return err
	})
	return claimed
}

func TestRequest(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
	if err != nil || d.Status != response.DeletionQueued {
		t.Fatalf("requested %+v (%v)", d, err)
	}
	view := s.Scene.Store.View()
	w, err := view.Wallet(t.Context(), s.Wallet.ID)
	if err != nil || w.Project != s.Wallet.Project {
		t.Errorf("the hold was not released: %+v (%v)", w.Project, err)
	}
	if claimed := s.claim(t); len(claimed) != 1 || claimed[0].Kind != jobs.KindErase || claimed[0].Args != d.ID {
		t.Errorf("queued are %+v, want the purge alone", claimed)
	}
	if _, _, err := view.ParticipantResponse(t.Context(), s.response.ID); !errors.Is(err, response.ErrGone) {
		t.Errorf("the participant meets %v", err)
	}
	if got, err := s.Status(t.Context(), s.caller, d.ID); err != nil || got != d {
		t.Errorf("the receipt is %+v (%v), want %+v", got, err, d)
	}
	if _, err := s.Status(t.Context(), org.Caller{OrgID: s.Study.ID}, d.ID); !errors.Is(err, response.ErrNoDeletion) {
		t.Errorf("another organization reads %v", err)
	}
}

func TestRequestAtOnce(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	ids := make([]string, 8)
	var asked sync.WaitGroup
	for i := range ids {
		asked.Go(func() {
			d, err := s.Request(context.WithoutCancel(t.Context()), s.caller, s.Study.ID, s.response.ID)
			if err != nil {
				t.Error(err)
			}
			ids[i] = d.ID
		})
	}
	asked.Wait()
	if ids[0] == "" || len(slices.Compact(slices.Clone(ids))) != 1 {
		t.Errorf("several deletions: %v", ids)
	}
	if jobs := s.claim(t); len(jobs) != 1 {
		t.Errorf("queued are %+v", jobs)
	}
}

func TestRequestNamesBoth(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	other := storetest.Study(t, s.Scene.Store, s.Org.ID, "", "")
	wrong := func(when string) {
		t.Helper()
		for _, ask := range []struct {
			caller   org.Caller
			study    string
			response string
		}{
			{s.caller, other.ID, s.response.ID},
			{s.caller, s.Study.ID, other.ID},
			{s.caller, s.response.ID, s.response.ID},
			{org.Caller{OrgID: storetest.Org(t, s.Scene.Store).ID}, s.Study.ID, s.response.ID},
		} {
			if d, err := s.Request(t.Context(), ask.caller, ask.study, ask.response); !errors.Is(err, study.ErrNotFound) && !errors.Is(err, response.ErrNotFound) {
				t.Errorf("%s: %+v gives %+v (%v)", when, ask, d, err)
			}
		}
	}
	wrong("before")
	d, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
	if err != nil {
		t.Fatal(err)
	}
	wrong("while it is queued")
	if err := (&erasure.Worker{Store: s.Scene.Store}).Run(t.Context(), store.Job{Args: d.ID}); err != nil {
		t.Fatal(err)
	}
	wrong("after the purge")
}

func TestWorker(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	recordings := &objects{err: errors.New("the object store is down")}
	w := &erasure.Worker{Store: s.Scene.Store, Objects: recordings}
	d, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
	if err != nil {
		t.Fatal(err)
	}
	job := s.claim(t)[0]
	status := func() response.DeletionStatus {
		t.Helper()
		now, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
		if err != nil || now.ID != d.ID || now.CompletedAt.IsZero() == (now.Status == response.DeletionCompleted) {
			t.Errorf("the receipt is %+v (%v)", now, err)
		}
		return now.Status
	}

	if err := w.Run(t.Context(), job); !errors.Is(err, recordings.err) || status() != response.DeletionRunning {
		t.Errorf("with a store that is down: %v, %s", err, status())
	}
	if _, err := s.Retry(t.Context(), d.ID); !errors.Is(err, erasure.ErrNotFailed) {
		t.Errorf("retried while running: %v", err)
	}
	storetest.Write(t, s.Scene.Store, func(tx *store.Tx) error { return w.Discard(t.Context(), tx, job) })
	if status() != response.DeletionFailed {
		t.Errorf("after the last try: %s", status())
	}
	if again, err := s.Retry(t.Context(), d.ID); err != nil || again.ID != d.ID || status() != response.DeletionQueued {
		t.Errorf("retried %+v (%v)", again, err)
	}

	recordings.err = nil
	for range 2 { // a job may run again after it succeeded
		if err := w.Run(t.Context(), job); err != nil || status() != response.DeletionCompleted {
			t.Errorf("run: %v, %s", err, status())
		}
	}
	if want := []string{erasure.ObjectPrefix(s.response.ID)}; !slices.Equal(recordings.deleted, want) {
		t.Errorf("removed objects %v, want %v", recordings.deleted, want)
	}
	if want := []string{d.Tombstone()}; !slices.Equal(recordings.put, want) {
		t.Errorf("wrote tombstones %v, want %v, before the deletion was completed", recordings.put, want)
	}
	if turns, err := s.Scene.Store.View().Turns(t.Context(), s.response.ID); err != nil || len(turns) != 0 {
		t.Errorf("turns are left: %v (%v)", turns, err)
	}
	if violations, err := s.Scene.Store.View().AuditLedger(t.Context()); err != nil || len(violations) != 0 {
		t.Errorf("the ledger: %q (%v)", violations, err)
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 1 || all[0].Status != response.DeletionCompleted {
		t.Errorf("listed %+v (%v)", all, err)
	}
	if _, err := s.Retry(t.Context(), s.response.ID); !errors.Is(err, response.ErrNoDeletion) {
		t.Errorf("retried nothing: %v", err)
	}
}

// TestWorkerPurgesAllWaiting: one run, and so one scrub, completes every waiting deletion; the other jobs find nothing to do.
func TestWorkerPurgesAllWaiting(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	ids := map[string]bool{}
	for range 12 {
		r := storetest.Response(t, s.Scene.Store, s.Study, map[string]string{"source": "mail"})
		d, err := s.Request(t.Context(), s.caller, s.Study.ID, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		ids[d.ID] = true
	}
	recordings := &objects{}
	w := &erasure.Worker{Store: s.Scene.Store, Objects: recordings}
	for _, job := range s.claim(t) {
		if job.Kind != jobs.KindErase {
			continue
		}
		if err := w.Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if len(recordings.deleted) != len(ids) {
			t.Errorf("objects of %d responses were removed, want %d, once each", len(recordings.deleted), len(ids))
		}
	}
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if ids[d.ID] && d.Status != response.DeletionCompleted {
			t.Errorf("deletion %s is %s", d.ID, d.Status)
		}
	}
}
