package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/maintenance"
)

// TestNodeADayAhead checks that a node whose clock is a day ahead of the database's logs it, abandons no interview and claims no job, and
// does both again once its clock is right.
func TestNodeADayAhead(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, "it starts a PostgreSQL of its own")
	server := pgtest.StartFor(t)
	address := server.URL("postgres")
	sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{}))
	open := storetest.Response(t, sc.Store, sc.Study, nil)
	clock := time.Now().Add(25 * time.Hour)
	node := storetest.Open(t, address, store.Options{Now: func() time.Time { return clock }})
	var log bytes.Buffer
	svc, err := newService(t.Context(), node, "file:"+t.TempDir(), serviceFlags{BaseURL: "https://interviews.example.com", Price: "1", AbandonAfter: 24 * time.Hour},
		slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	abandoned := func() bool {
		t.Helper()
		idle, err := sc.Store.View().UnansweredResponses(t.Context(), time.Now().Add(time.Hour), 10)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sc.Store.View().Response(t.Context(), sc.Org.ID, open.ID)
		if err != nil || r.Progress != response.InProgress {
			t.Fatalf("the response is %s, %v", r.Progress, err)
		}
		return len(idle) == 0
	}
	svc.maintain(t.Context())
	svc.maintain(t.Context())
	if abandoned() {
		t.Error("a node a day ahead abandoned an open interview")
	}
	for _, runner := range svc.runners {
		if !runner.Hold() {
			t.Error("a node a day ahead takes jobs")
		}
	}
	if count := strings.Count(log.String(), "no jobs are done and nothing is removed by its age"); count != 1 || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("logged %d times, want once:\n%s", count, log.String())
	}
	finding, err := maintenance.ClockFinding(t.Context(), node)
	if err != nil || !finding.Wrong() || !strings.Contains(finding.Violations[0], "ahead of") {
		t.Errorf("doctor finds %+v, %v", finding, err)
	}

	clock = time.Now().Add(30 * time.Second) // the sweep's own bound is ten minutes
	svc.maintain(t.Context())
	if !strings.Contains(log.String(), "level=WARN msg=\"this machine's clock differs from the database's") || svc.runners[0].Hold() {
		t.Errorf("half a minute ahead: held %t\n%s", svc.runners[0].Hold(), log.String())
	}
	if finding, err := maintenance.ClockFinding(t.Context(), node); err != nil || finding.Wrong() || len(finding.Violations) != 1 {
		t.Errorf("half a minute ahead: doctor finds %+v, %v", finding, err)
	}
	svc.fieldwork.UnansweredAfter, svc.fieldwork.AbandonAfter = time.Nanosecond, time.Nanosecond
	svc.maintain(t.Context())
	if !abandoned() {
		t.Error("the sweep does nothing at all")
	}
	clock = time.Now()
	svc.maintain(t.Context())
	if !strings.Contains(log.String(), "this machine's clock agrees with the database's again") {
		t.Errorf("a right clock:\n%s", log.String())
	}
}
