package store_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestSQLiteSettings(t *testing.T) {
	t.Parallel()
	write, read := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{}).Handles()
	const full = "2"
	both := map[string]string{"page_size": "16384", "journal_mode": "wal", "synchronous": full, "foreign_keys": "1"}
	for _, tt := range []struct {
		name string
		pool *sql.DB
		own  map[string]string
	}{
		{"writer", write, map[string]string{"secure_delete": "1", "temp_store": "2", "query_only": "0", "busy_timeout": "100"}},
		{"readers", read, map[string]string{"query_only": "1", "busy_timeout": "10000"}},
	} {
		for _, settings := range []map[string]string{both, tt.own} {
			for name, want := range settings {
				var got string
				if err := tt.pool.QueryRowContext(t.Context(), "pragma "+name).Scan(&got); err != nil || got != want {
					t.Errorf("%s: %s = %q, %v, want %q", tt.name, name, got, err, want)
				}
			}
		}
	}
	if _, err := read.ExecContext(t.Context(), `delete from org`); err == nil {
		t.Error("a reader may write")
	}
}

// TestLibc checks that modernc.org/libc has the version that modernc.org/sqlite was generated with: its documentation warns
// of any other.
func TestLibc(t *testing.T) {
	t.Parallel()
	var module struct {
		GoMod   string
		Version string
		Replace *struct{ Version string }
	}
	list := func(path string) {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-json", path).Output()
		if err != nil {
			t.Fatalf("go list -m %s: %v", path, err)
		}
		module.Replace = nil
		if err := json.Unmarshal(out, &module); err != nil {
			t.Fatal(err)
		}
	}
	list("modernc.org/sqlite")
	text, err := os.ReadFile(module.GoMod)
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`(?m)^\s*(?:require )?modernc\.org/libc (v\S+)`).FindSubmatch(text)
	if wanted == nil {
		t.Fatalf("%s names no modernc.org/libc", module.GoMod)
	}
	list("modernc.org/libc")
	got := module.Version
	if module.Replace != nil {
		got = module.Replace.Version
	}
	if got != string(wanted[1]) {
		t.Errorf("modernc.org/libc is %s, but modernc.org/sqlite was made with %s", got, wanted[1])
	}
}

func TestOpenRefusesOtherAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "sqlite:", "verbatim.db", "mysql://host/db"} {
		if _, err := store.Open(t.Context(), address, store.Options{}); err == nil || !strings.Contains(err.Error(), "sqlite:PATH or postgres:") {
			t.Errorf("Open(%q) = %v, want an error that names the form", address, err)
		}
	}
}

func TestOpenTakesAnyPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/new/ä ? # % folder"
	sc := storetest.NewScene(t, storetest.Open(t, "sqlite:"+dir+"/the data.db", store.Options{}))
	if err := sc.Store.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(dir + "/the data.db")
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		t.Errorf("the file's mode is %o: others can read what participants said", mode)
	}
}

func TestMigrateTwice(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if applied, err := s.Migrate(t.Context()); err != nil || len(applied) != 0 {
		t.Errorf("Migrate again = %v, %v, want nothing to do", applied, err)
	}
}

// TestMigrateAtOnce: of programs that start on an empty database at the same time, each finds it migrated, and each version
// is applied once.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var versions sync.Map
	var programs sync.WaitGroup
	for range 8 {
		programs.Go(func() {
			s, err := store.Open(t.Context(), "sqlite:"+dir+"/v.db", store.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = s.Close() }()
			applied, err := s.Migrate(t.Context())
			if err != nil {
				t.Error(err)
			}
			for _, version := range applied {
				if _, twice := versions.LoadOrStore(version, true); twice {
					t.Errorf("version %d was applied twice", version)
				}
			}
			if _, err := s.View().Orgs(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	programs.Wait()
	if _, found := versions.Load(int64(1)); !found {
		t.Error("no program applied the first version")
	}
	if _, err := os.Stat(dir + "/v.db-starting"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the migration lock: %v, want it gone", err)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), "sqlite:"+dir+"/v.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.NewScene(t, s)
	if _, err := s.View().Orgs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("files after Close: %v, %v, want the database alone", files, err)
	}
	if err := s.Ping(t.Context()); err == nil || errors.Is(err, outage.ErrBusy) {
		t.Errorf("Ping after Close = %v", err)
	}
}
