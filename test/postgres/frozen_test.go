package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/test/proxy"
)

// TestFrozenNodeGivesWay freezes a node in a transaction that holds the row lock of a study, while as many of its other transactions wait
// for that lock as its pool has connections: the writers of another node get the lock within their timeout, and the frozen node's
// transactions leave nothing behind.
func TestFrozenNodeGivesWay(t *testing.T) {
	server := pgtest.StartFor(t)
	bouncer := pgtest.StartPgBouncer(t, server, 30)
	storetest.Open(t, server.URL("postgres"), store.Options{})
	for _, by := range []struct{ name, database, socket, parameters, other string }{
		{"direct", "direct", server.Socket(), "sslmode=disable", server.URL("direct")},
		{"pgbouncer", "pooled", bouncer.Socket(), "sslmode=disable&default_query_exec_mode=exec", bouncer.URL("pooled")},
	} {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			if err := pgtest.Create(t.Context(), server.URL("postgres"), by.database, ""); err != nil {
				t.Fatal(err)
			}
			line, err := proxy.Start(by.socket, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { line.Close() })
			host, port := hostPort(t, line.Address())
			frozen := storetest.Open(t, fmt.Sprintf("postgres://postgres@%s:%s/%s?%s", host, port, by.database, by.parameters), store.Options{})
			other := storetest.Open(t, by.other, store.Options{})
			sc := storetest.NewScene(t, other)

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var all sync.WaitGroup
			held, let := make(chan struct{}), make(chan struct{})
			first := sync.OnceFunc(func() { close(held) })
			enter := func(then func(*store.Tx) error) {
				for ctx.Err() == nil {
					_ = frozen.Write(ctx, func(tx *store.Tx) error {
						_, err := tx.NextUpdate(ctx, sc.Study.ID)
						if err == nil {
							_, err = tx.CreateOrg(ctx, "half")
						}
						if err == nil {
							err = then(tx)
						}
						return errors.Join(err, errors.New("never committed"))
					})
				}
			}
			all.Go(func() {
				enter(func(tx *store.Tx) error { // it holds the row, and reads in between, until the node is frozen
					first()
					for {
						select {
						case <-let:
							return nil
						default:
							if _, err := tx.Orgs(ctx); err != nil {
								return err
							}
						}
					}
				})
			})
			<-held
			const inLine = 9
			for range inLine {
				all.Go(func() { enter(func(*store.Tx) error { return nil }) })
			}
			waitForWaiters(t, server.URL(by.database), inLine)
			line.Freeze()
			close(let)
			for range 3 {
				storetest.Write(t, other, func(tx *store.Tx) error { _, err := tx.NextUpdate(t.Context(), sc.Study.ID); return err })
			}
			line.Thaw()
			cancel()
			all.Wait()
			orgs, err := other.View().Orgs(t.Context())
			if err != nil || len(orgs) != 1 {
				t.Errorf("%d organizations, %v, want the scene's alone", len(orgs), err)
			}
			storetest.Write(t, frozen, func(tx *store.Tx) error { _, err := tx.NextUpdate(t.Context(), sc.Study.ID); return err })
		})
	}
}

func hostPort(t *testing.T, address string) (host, port string) {
	t.Helper()
	u, err := url.Parse("tcp://" + address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Hostname(), u.Port()
}

// waitForWaiters returns when want sessions of a database wait for a lock at the same time.
func waitForWaiters(t *testing.T, address string, want int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for waiting := 0; waiting < want; {
		if err := conn.QueryRow(t.Context(), `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}
