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
)

// TestNodeADayAhead checks that a node whose clock is a day ahead of the database's logs it, abandons no interview and claims no job, and
// does both again once its clock is right.
func TestNodeADayAhead(t *testing.T) {
	t.Parallel()
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
	if count := strings.Count(log.String(), clockRefused); count != 1 || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("logged %d times, want once:\n%s", count, log.String())
	}
	finding, err := clockFinding(t.Context(), node)
	if err != nil || !finding.Wrong() || !strings.Contains(finding.Violations[0], "ahead of") {
		t.Errorf("doctor finds %+v, %v", finding, err)
	}

	clock = time.Now().Add(30 * time.Second) // the sweep's own bound is ten minutes
	svc.maintain(t.Context())
	if !strings.Contains(log.String(), "level=WARN msg=\""+clockWrong) || svc.runners[0].Hold() {
		t.Errorf("half a minute ahead: held %t\n%s", svc.runners[0].Hold(), log.String())
	}
	if finding, err := clockFinding(t.Context(), node); err != nil || finding.Wrong() || len(finding.Violations) != 1 {
		t.Errorf("half a minute ahead: doctor finds %+v, %v", finding, err)
	}
	svc.fieldwork.UnansweredAfter, svc.fieldwork.AbandonAfter = time.Nanosecond, time.Nanosecond
	svc.maintain(t.Context())
	if !abandoned() {
		t.Error("the sweep does nothing at all")
	}
	clock = time.Now()
	svc.maintain(t.Context())
	if state := svc.clock.state; state != clockOK {
		t.Errorf("a right clock: %s", state)
	}
}

// TestConnectionFinding checks that doctor compares the connections that the servers open with the database's limit.
func TestConnectionFinding(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	server.Configure("max_connections=43", "superuser_reserved_connections=3")
	if err := server.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, server.URL("postgres"), store.Options{})
	find := func(want string) {
		t.Helper()
		f, err := connectionFinding(t.Context(), s)
		if err != nil || f.Wrong() {
			t.Errorf("%+v, %v", f, err)
		}
		if found := strings.Join(f.Violations, "\n"); want == "" && found != "" || !strings.Contains(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
	}
	find("")
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.Heartbeat(t.Context(), "a") })
	find("")
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.Heartbeat(t.Context(), "b") })
	find("2 servers open 40 connections together (pool_max_conns), and the database has 36 for them")
	var log bytes.Buffer
	if err := warnConnections(t.Context(), s, slog.New(slog.NewTextHandler(&log, nil))); err != nil || !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("at the start: %v, %s", err, log.String())
	}
}
