package store_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestPartitionedTables partitions the tables of a database in use as docs/scaling.md says: existing rows are read as before,
// more are written, and the next migration works.
func TestPartitionedTables(t *testing.T) {
	t.Parallel()
	if !storetest.OnPostgres() {
		t.Skip("SQLite has no partitions")
	}
	address := storetest.Address(t)
	s := storetest.Open(t, address, store.Options{})
	sc := storetest.NewScene(t, s)
	earlier := storetest.Response(t, s, sc.Study, map[string]string{"panel": "P1"})
	undivided, err := s.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../../deploy/postgres/partition.sql")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to do
		if out, err := exec.CommandContext(t.Context(), "psql", address, "-q", "-v", "ON_ERROR_STOP=1", "-v", "parts=3", "-f", script).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	write, _ := s.Handles()
	var divided int
	if err := write.QueryRowContext(t.Context(), `select count(*) from pg_class where relkind = 'p'`).Scan(&divided); err != nil || divided != 6 {
		t.Errorf("%d tables are divided: %v", divided, err)
	}
	if parted, err := s.Catalog(t.Context()); err != nil || parted != undivided { // what backups and moves copy
		t.Errorf("%v: divided, the schema is\n%s\nand not\n%s", err, parted, undivided)
	}
	later := storetest.Response(t, s, sc.Study, map[string]string{"panel": "P1"})
	hits, err := s.View().Search(t.Context(), sc.Org.ID, "panel", "P1", false, store.SearchCursor{}, 10)
	if err != nil || len(hits) != 2 || hits[0].ResponseID != later.ID || hits[1].ResponseID != earlier.ID {
		t.Errorf("hits %v, %v", hits, err)
	}
	for _, r := range []string{earlier.ID, later.ID} {
		if _, err := s.View().Response(t.Context(), sc.Org.ID, r); err != nil {
			t.Errorf("response %s: %v", r, err)
		}
	}
	// A column that a later version adds gets the order of bytes in each partition.
	if _, err := write.ExecContext(t.Context(), `alter table response add column later text not null default ''`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var unordered int
	if err := write.QueryRowContext(t.Context(), `select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relname like 'response%' and c.relkind in ('r', 'p') and a.atttypid = 'text'::regtype and a.attnum > 0
			and a.attcollation <> 'pg_catalog."C"'::regcollation`).Scan(&unordered); err != nil || unordered != 0 {
		t.Errorf("%d columns of text are in the database's own order: %v", unordered, err)
	}
}
