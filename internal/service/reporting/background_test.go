package reporting_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/reporting"
)

// TestReportInTheBackground: a report that is asked for twice is made once, says how far it is, begins again after a crash or a deletion, and
// leaves with any response that may be quoted in it.
func TestReportInTheBackground(t *testing.T) {
	t.Parallel()
	w, s := asked(t, 40)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s.Now = func() time.Time { return at }
	ctx, view := t.Context(), w.store.View()
	request := reporting.Request{NoModel: true}
	first, err := s.Start(ctx, w.study, request)
	if err != nil || first.Status != store.ReportQueued {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := s.Start(ctx, w.study, request); err != nil || again.ID != first.ID {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	if _, err := s.Start(ctx, w.study, reporting.Request{By: "param:source"}); !errors.Is(err, reporting.ErrOtherReport) {
		t.Errorf("another one: %v", err)
	}
	if _, err := s.Start(ctx, w.study, reporting.Request{By: "nothing"}); reporting.Usage(err) == nil {
		t.Errorf("options that do not fit: %v", err)
	}
	claim := func() (claimed []store.Job) {
		t.Helper()
		storetest.Write(t, w.store, func(tx *store.Tx) (err error) {
			claimed, err = tx.ClaimJobs(ctx, store.Queue{Name: jobs.QueueOf(jobs.KindReport)}, 10, time.Minute)
			return err
		})
		return claimed
	}
	claimed := claim()
	if len(claimed) != 1 {
		t.Fatalf("%d jobs for one report", len(claimed))
	}

	// A process that died in the middle left this.
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		if _, err := tx.StartStudyReport(ctx, first.ID); err != nil {
			return err
		}
		return tx.StudyReportProgress(ctx, first.ID, "coding", 71)
	})
	if got, err := view.StudyReport(ctx, w.study.OrgID, first.ID); err != nil || got.Percent != 71 || got.Step != "coding" || got.Status != store.ReportRunning || got.AsOf.IsZero() {
		t.Errorf("under way: %+v, %v", got, err)
	}
	// While the report is made, a response that it has read is deleted.
	worker := &reporting.Worker{Service: *s}
	deleted := false
	worker.Service.Themer = during{func() {
		if deleted {
			return
		}
		deleted = true
		storetest.Write(t, w.store, func(tx *store.Tx) error {
			_, err := tx.CreateDeletion(ctx, w.taken[0].Response)
			return err
		})
	}}
	storetest.Write(t, w.store, func(tx *store.Tx) error { return tx.FailStudyReport(ctx, first.ID) })
	request.NoModel = false
	if first, err = s.Start(ctx, w.study, request); err != nil {
		t.Fatal(err)
	}
	run := func(id string) store.StudyReport {
		t.Helper()
		if err := worker.Run(ctx, jobs.New(jobs.ReportArgs{ReportID: id})); err != nil {
			t.Fatal(err)
		}
		got, err := view.StudyReport(ctx, w.study.OrgID, id)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := run(first.ID)
	direct := w.report(t, nil, "")
	body, err := direct.JSON()
	if err != nil || !deleted || got.Status != store.ReportComplete || got.Percent != 100 || got.Body != string(body) || got.Markdown != string(direct.Markdown()) {
		t.Errorf("%s at %d %%, deleted %t: the report is not the one that is made at once (%d and %d bytes)", got.Status, got.Percent, deleted, len(got.Body), len(body))
	}
	if !json.Valid([]byte(got.Body)) || !strings.HasPrefix(got.Markdown, "# ") {
		t.Error("the forms of the report are not valid")
	}
	if _, err := view.StudyReport(ctx, "another", first.ID); !errors.Is(err, store.ErrNoReport) {
		t.Errorf("another organization reads it: %v", err)
	}

	for range 5 { // old results go
		next, err := s.Start(ctx, w.study, request)
		if err != nil || next.ID == first.ID {
			t.Fatalf("%+v, %v", next, err)
		}
		run(next.ID)
	}
	all, err := view.StudyReports(ctx, w.study.ID)
	if err != nil || len(all) > 4 || all[0].Status != store.ReportComplete {
		t.Errorf("%d reports are kept, %v", len(all), err)
	}
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(ctx, w.taken[1].Response)
		return err
	})
	if all, err = view.StudyReports(ctx, w.study.ID); err != nil || len(all) != 0 {
		t.Errorf("after a deletion: %+v, %v", all, err)
	}
}

// during is Keywords that does something before it learns.
type during struct{ do func() }

func (d during) Learn(ctx context.Context, q reporting.OpenQuestion, sample []reporting.OpenAnswer) (reporting.Codebook, error) {
	d.do()
	return reporting.Keywords{}.Learn(ctx, q, sample)
}
