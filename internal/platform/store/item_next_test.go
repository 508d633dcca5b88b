package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// sent counts the rows that PostgreSQL sent for statements that read list documents.
type sent struct{ statements, rows atomic.Int64 }

type countedKey struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (s *sent) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, countedKey{}, strings.HasPrefix(data.SQL, "select readable_id, list_item "))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *sent) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if counted, _ := ctx.Value(countedKey{}).(bool); counted {
		s.statements.Add(1)
		s.rows.Add(data.CommandTag.RowsAffected())
	}
}

// pageSizes returns the lengths of the list documents of a page.
func pageSizes(s string) (sizes []int) {
	switch s {
	case "equal":
		for range 600 {
			sizes = append(sizes, 20_000)
		}
	case "uneven": // an average says nothing about any of them
		for i := range 2000 {
			sizes = append(sizes, 10+i%7)
		}
		for range 12 {
			sizes = append(sizes, 900_000)
		}
	}
	return sizes
}

// TestPageIsReadOnce reads pages in parts of 256 KiB, as the handlers do, and counts the queries: each item is read once, in
// few statements, even for a client so slow that a range expires after every part.
func TestPageIsReadOnce(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"equal", "uneven"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			address := storetest.Address(t)
			sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{}))
			var want []string
			total := 0
			since := time.Now()
			storetest.Write(t, sc.Store, func(tx *store.Tx) error {
				want, total = nil, 0
				for i, size := range pageSizes(form) {
					at, err := tx.NextUpdate(t.Context(), sc.Study.ID)
					if err != nil {
						return err
					}
					list := fmt.Sprint(i, " ", strings.Repeat("x", size))
					want, total = append(want, list), total+len(list)
					if err := tx.PutItem(t.Context(), store.Item{
						StudyID: sc.Study.ID, ReadableID: i + 1, ResponseID: store.NewID(), UpdatedAt: at, Analysed: true, Version: 1, List: []byte(list), Single: []byte("{}"),
					}); err != nil {
						return err
					}
				}
				return nil
			})
			// On a machine that is busy for longer than a range may stay open, each client counts as slow.
			rows, statements := int64(2*len(want)), int64(6+2*total/store.SmallRange)
			for _, tt := range []struct {
				name string
				from time.Time
				slow bool
			}{
				{"page", time.Time{}, false},
				{"updated since", since.Add(-time.Hour), false},
				{"page of a slow client", time.Time{}, true},
			} {
				t.Run(tt.name, func(t *testing.T) {
					view, counted := sc.Store.View(), &sent{}
					if storetest.OnPostgres() {
						view = store.TracedView(t, sc.Store, address, counted)
					}
					page, err := view.ItemPage(t.Context(), store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, From: tt.from, Limit: 10_000})
					if err != nil {
						t.Fatal(err)
					}
					defer page.Close()
					var got []string
					for !page.Done() {
						chunk := 0
						if err := view.NextItems(t.Context(), page, func(list []byte) bool {
							got = append(got, string(list))
							chunk += len(list)
							return chunk >= 256<<10
						}); err != nil {
							t.Fatal(err)
						}
						if tt.slow {
							page.Expire()
						}
					}
					if strings.Join(got, ",") != strings.Join(want, ",") {
						t.Errorf("the page has %d items, want the %d that were stored, in order", len(got), len(want))
					}
					if n := counted.rows.Load(); n > rows {
						t.Errorf("%d rows were read of a page of %d, want at most %d", n, len(want), rows)
					}
					if n := counted.statements.Load(); n > statements {
						t.Errorf("%d statements, want at most %d", n, statements)
					}
				})
			}
		})
	}
}

// TestAnOpenRangeEnds: a page that nobody reads further returns its connection by itself, and continues where it was.
func TestAnOpenRangeEnds(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	for range 3 {
		putItem(t, sc.Store, storetest.Response(t, sc.Store, sc.Study, nil), time.Time{}, true, strings.Repeat("x", 300_000))
	}
	_, pool := sc.Store.Handles()
	pool.SetMaxOpenConns(1)
	view := sc.Store.View()
	page, err := view.ItemPage(t.Context(), store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for ; !page.Done(); read++ {
		if err := view.NextItems(t.Context(), page, func([]byte) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if _, err := view.Study(t.Context(), sc.Org.ID, sc.Study.ID); err != nil { // waits for the only connection
			t.Fatal(err)
		}
	}
	if read != 3 {
		t.Errorf("%d items were read, want 3", read)
	}
}

// TestLongPagesLeaveConnectionsToOthers: however many long pages are open, others find a connection at once.
func TestLongPagesLeaveConnectionsToOthers(t *testing.T) {
	t.Parallel()
	if !storetest.OnPostgres() {
		t.Skip("SQLite reads pages without a connection that others wait for")
	}
	sc := storetest.NewScene(t, storetest.New(t))
	for range 3 {
		putItem(t, sc.Store, storetest.Response(t, sc.Store, sc.Study, nil), time.Time{}, true, strings.Repeat("x", 300_000))
	}
	_, pool := sc.Store.Handles()
	size := pool.Stats().MaxOpenConnections
	view := sc.Store.View()
	reading := make(chan struct{}, size)
	release := make(chan struct{})
	var readers sync.WaitGroup
	for range size {
		page, err := view.ItemPage(t.Context(), store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			err := view.NextItems(t.Context(), page, func([]byte) bool {
				reading <- struct{}{}
				<-release
				return true
			})
			if err != nil {
				t.Error(err)
			}
			page.Close()
		})
	}
	for range max(1, size/2) {
		<-reading
	}
	if _, err := view.Study(t.Context(), sc.Org.ID, sc.Study.ID); err != nil { // fails where it gets no connection
		t.Error(err)
	}
	close(release)
	readers.Wait()
}
