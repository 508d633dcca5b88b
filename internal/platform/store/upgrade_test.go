package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const (
	oldOrg   = "0190a5d0-0000-4000-8000-0000000000aa"
	oldStudy = "0190a5d0-0000-4000-8000-0000000000bb"
)

func oldID(n int) string { return fmt.Sprintf("0190a5d0-0000-4000-8000-%012d", n) }

func oldItem(n int) string {
	return fmt.Sprintf(`{"id":"%s","readableId":%d,"text":"Größe %s"}`, oldID(n), n, strings.Repeat("x", n%700))
}

// oldDatabase makes a database of the first schema with a study of so many responses, by the SQL of that time. Of each
// hundred the seventh is hidden and the eighth not analysed.
func oldDatabase(t *testing.T, path string, size int) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, "sqlite:"+path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.MigrateTo(ctx, 1); err != nil {
		t.Fatal(err)
	}
	db, _ := s.Handles()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	exec := func(query string, args ...any) {
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	exec(`insert into org values ($1, 'Old', 1)`, oldOrg)
	exec(`insert into study (id, org_id, link_id, title, status, revision, completed_count, last_readable_id, created_at, updated_at)
		values ($1, $2, 'OldLink8', 'Old', 'live', 1, $3, $4, 1, 1)`, oldStudy, oldOrg, size-size/100, size)
	exec(`insert into study_link values ('OldLink8', $1, 1)`, oldStudy)
	for n := 1; n <= size; n++ {
		hidden := n%100 == 7
		exec(`insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress, hidden,
			created_at, updated_at, active_at, ended_at, disclosed_at, consented_at)
			values ($1, $2, $3, 1, $4, '', 1, 'en', $5, 'complete', $6, $4, $4, $4, $4, $4, $4)`,
			oldID(n), oldOrg, oldStudy, n, fmt.Sprintf(`{"pid":"P%d"}`, n%10), hidden)
		exec(`insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item)
			values ($1, $2, $3, $2, $4, $5, 1, $6, $7)`, oldStudy, n, oldID(n), n%100 != 8, hidden, oldItem(n), "single of "+oldID(n))
		exec(`insert into url_param values ($1, 'pid', $2, $3, $4, $5, $6, $3)`, oldOrg, fmt.Sprint("P", n%10), n, oldID(n), hidden, oldStudy)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkOld reads everything of an old database through the present program.
func checkOld(t *testing.T, s *store.Store, size int) {
	t.Helper()
	ctx, view := t.Context(), s.View()
	hidden := func(n int) bool { return n%100 == 7 }
	for _, analysedOnly := range []bool{false, true} {
		var want []string
		for n := 1; n <= size; n++ {
			if !hidden(n) && (!analysedOnly || n%100 != 8) {
				want = append(want, oldItem(n))
			}
		}
		filter := store.ItemFilter{OrgID: oldOrg, Study: oldStudy, AnalysedOnly: analysedOnly}
		var got []string
		for filter.Limit = 50; filter.Offset < len(want); filter.Offset += filter.Limit {
			got = append(got, pageOf(t, s, filter)...)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("analysed only %v: the list gives %d items of %d, or others", analysedOnly, len(got), len(want))
		}
	}
	if n, err := view.MiscountedRuns(ctx, oldStudy); err != nil || n != 0 {
		t.Errorf("MiscountedRuns = %d, %v", n, err)
	}
	for _, n := range []int{1, 7, size} {
		it, err := view.ItemByReadableID(ctx, oldStudy, n)
		if err != nil || string(it.Single) != "single of "+oldID(n) || it.Hidden != hidden(n) || it.UpdatedAt.UnixMicro() != int64(n) {
			t.Errorf("single %d = %+v, %v", n, it, err)
		}
	}
	hits, err := view.Search(ctx, oldOrg, "pid", "P3", false, store.SearchCursor{}, size)
	if err != nil || len(hits) != size/10 || hits[0].ReadableID <= hits[1].ReadableID {
		t.Errorf("Search gives %d hits, %v", len(hits), err)
	}
	st, err := view.StudyByLink(ctx, oldOrg, "OldLink8")
	if err != nil || st.CompletedCount != size-size/100 {
		t.Errorf("Study = %+v, %v", st, err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		at, err := tx.NextUpdate(ctx, oldStudy)
		if err == nil && at.UnixMicro() <= int64(size) {
			t.Errorf("the next update is at %d, not behind those there are", at.UnixMicro())
		}
		return err
	})
	for name, audit := range map[string]func(context.Context) ([]string, error){
		"engine": s.AuditEngine, "ledger": view.AuditLedger, "items": view.AuditItems, "counts": view.AuditCounts, "search": view.AuditSearch,
	} {
		if violations, err := audit(ctx); err != nil || len(violations) > 0 {
			t.Errorf("%s: %q, %v", name, violations, err)
		}
	}
}

func TestUpgradeReadsTheSame(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "old.db")
	oldDatabase(t, path, 1300)
	checkOld(t, storetest.Open(t, "sqlite:"+path, store.Options{}), 1300)
}

// migrateVariable makes TestMigrateInAProcess migrate the database that it names.
const migrateVariable = "VERBATIM_TEST_MIGRATE"

// TestMigrateInAProcess is the process that TestUpgradeSurvivesKills kills. Run alone it migrates a new database.
func TestMigrateInAProcess(t *testing.T) {
	path := os.Getenv(migrateVariable)
	if path == "" {
		path = filepath.Join(t.TempDir(), "new.db")
	}
	s, err := store.Open(t.Context(), "sqlite:"+path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("migrating")
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestUpgradeSurvivesKills kills the process that migrates at different times, and migrates again.
func TestUpgradeSurvivesKills(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const size = 3000
	old := filepath.Join(dir, "old.db")
	oldDatabase(t, old, size)
	content, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	halfway := 0
	for _, delay := range []time.Duration{0, 3, 6, 12, 25, 50, 100} {
		path := filepath.Join(dir, fmt.Sprintf("copy%d.db", delay))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		killMigration(t, path, delay*time.Millisecond)
		s, err := store.Open(t.Context(), "sqlite:"+path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		has, brings, err := s.SchemaVersions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if has < brings {
			halfway++
		}
		if _, err := s.Migrate(t.Context()); err != nil {
			t.Fatalf("killed after %d ms at version %d: %v", delay, has, err)
		}
		checkOld(t, s, size)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if halfway == 0 {
		t.Error("every migration was done before it was killed: this test finds nothing")
	}
}

// killMigration starts a process that migrates and kills it after a delay.
func killMigration(t *testing.T, path string, delay time.Duration) {
	t.Helper()
	process := exec.Command(os.Args[0], "-test.run", "^TestMigrateInAProcess$")
	process.Env = append(os.Environ(), migrateVariable+"="+path)
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "migrating\n" {
		t.Errorf("the process says %q, %v", line, err)
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	<-timer.C
	_ = process.Process.Kill() // it may have ended already
	_ = process.Wait()
}
