package maintenance_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/maintenance"
)

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
		f, err := maintenance.ConnectionFinding(t.Context(), s)
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
	if err := maintenance.WarnConnections(t.Context(), s, slog.New(slog.NewTextHandler(&log, nil))); err != nil || !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("at the start: %v, %s", err, log.String())
	}
}
