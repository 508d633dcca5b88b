package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestDoctorGoesOnAfterDamage checks that a damaged page fails only the checks that need it, with advice on how to recover.
func TestDoctorGoesOnAfterDamage(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	file := filepath.Join(t.TempDir(), "verbatim.db")
	s, err := store.Open(t.Context(), "sqlite:"+file, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	sc := storetest.NewScene(t, s)
	storetest.Response(t, s, sc.Study, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	engine, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	var page, size int64
	if err := engine.QueryRowContext(t.Context(), `select rootpage, (select page_size from pragma_page_size) from sqlite_master where name = 'response'`).Scan(&page, &size); err != nil {
		t.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	damage := func(at int64) {
		t.Helper()
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte(strings.Repeat("\xff", int(size))), at); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	doctor := func() string {
		out, _ := command(t, exitRefused, "doctor", "--data", filepath.Dir(file))
		return out
	}
	damage((page - 1) * size)
	printed := doctor()
	for _, part := range []string{"database ", "could not be checked", ".recover", "verbatim rebuild", "restore a backup", "ledger ", "jobs ", "deletions ", "stray objects ", "ffmpeg "} {
		if !strings.Contains(printed, part) {
			t.Errorf("no %q in:\n%s", part, printed)
		}
	}
	for _, line := range strings.Split(printed, "\n") {
		if strings.HasPrefix(line, "ledger ") && !strings.Contains(line, " ok ") {
			t.Errorf("the ledger, whose pages are whole: %s", line)
		}
	}
	damage(0)
	if printed := doctor(); !strings.Contains(printed, ".recover") || !strings.Contains(printed, "wrong") {
		t.Errorf("a file that is no database:\n%s", printed)
	}
}
