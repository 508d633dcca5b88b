package store_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestOlderPrograms opens a database that later programs have migrated, as far as this one can know: by the schema version
// and the oldest programs that may still use it.
func TestOlderPrograms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		oldest  string // what the later program stored; empty: nothing
		refused bool
	}{
		"which says nothing of older ones":        {"", true},
		"which only this one cannot do":           {"brings+1", true},
		"beside which this one may work":          {"brings", false},
		"beside which much older ones may work":   {"1", false},
		"which says what no program of ours does": {"soon", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := storetest.Address(t)
			s := storetest.Open(t, address, store.Options{})
			_, brings, err := s.SchemaVersions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			db, _ := s.Handles()
			exec := func(query string, args ...any) {
				t.Helper()
				if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
					t.Fatal(err)
				}
			}
			exec(`insert into goose_db_version (version_id, is_applied) values ($1, true)`, brings+5)
			exec(`delete from setting where name = 'schema_oldest_reader'`)
			if tt.oldest != "" {
				exec(`insert into setting (name, value) values ('schema_oldest_reader', $1)`, numbered(tt.oldest, brings))
			}

			applied, err := s.Migrate(t.Context())
			if (err != nil) != tt.refused || len(applied) > 0 {
				t.Fatalf("Migrate applied %v: %v", applied, err)
			}
			later, checked := s.CheckSchema(t.Context())
			if (checked != nil) != tt.refused || tt.oldest != "soon" && !later {
				t.Errorf("CheckSchema = %v, %v", later, checked)
			}
			if tt.refused && tt.oldest != "soon" {
				if !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), "later version") || !strings.Contains(err.Error(), "backup") {
					t.Errorf("the way out is not named: %v", err)
				}
			}
			is, err := s.View().Setting(t.Context(), "schema_oldest_reader")
			if err != nil || is != numbered(tt.oldest, brings) {
				t.Errorf("the older program has changed what the later one says to %q, %v", is, err)
			}
		})
	}
}

func numbered(oldest string, brings int64) string {
	return strings.NewReplacer("brings+1", strconv.FormatInt(brings+1, 10), "brings", strconv.FormatInt(brings, 10)).Replace(oldest)
}

// TestOldestReaderIsKept: a program stores which programs may work beside it, and does not lower what a later one stored.
func TestOldestReaderIsKept(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	read := func() string {
		t.Helper()
		is, err := s.View().Setting(t.Context(), "schema_oldest_reader")
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if is := read(); is != strconv.FormatInt(store.OldestReader, 10) {
		t.Errorf("a new database says %q", is)
	}
	db, _ := s.Handles()
	for _, tt := range []struct{ was, want string }{{"9000", "9000"}, {"1", strconv.FormatInt(store.OldestReader, 10)}} {
		if _, err := db.ExecContext(t.Context(), `update setting set value = $1 where name = 'schema_oldest_reader'`, tt.was); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Migrate(t.Context()); err != nil || read() != tt.want {
			t.Errorf("after %s: %s, %v", tt.was, read(), err)
		}
	}
}
