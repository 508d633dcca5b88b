package postgres

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// TestNodesMigrateOnce: of several nodes that start on an empty database one creates the tables, and every text sorts by its bytes although
// the database has another collation.
func TestNodesMigrateOnce(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	address := server.URL("postgres")
	var mu sync.Mutex
	applied := map[int64]int{}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			s, err := store.Open(t.Context(), address, store.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			versions, err := s.Migrate(t.Context())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, v := range versions {
				applied[v]++
			}
		})
	}
	all.Wait()
	for version, times := range applied {
		if times != 1 {
			t.Errorf("migration %d was applied %d times", version, times)
		}
	}
	if applied[1] == 0 {
		t.Error("nobody migrated")
	}

	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	var sorted bool
	if err := conn.QueryRow(t.Context(), `select 'B' < 'a'`).Scan(&sorted); err != nil || sorted {
		t.Fatalf("the database sorts by bytes, %v: this test shows nothing", err)
	}
	var columns, others int
	if err := conn.QueryRow(t.Context(), `select count(*), count(*) filter (where attcollation <> 'pg_catalog."C"'::regcollation or attcompression <> 'l')
		from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'text'::regtype and not a.attisdropped`).
		Scan(&columns, &others); err != nil {
		t.Fatal(err)
	}
	if columns < 50 || others > 0 {
		t.Errorf("%d of %d columns of text have another order or compression", others, columns)
	}
}
