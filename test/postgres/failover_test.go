package postgres

import (
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// either returns the address of a database that is on one of two servers: the one that accepts writes.
func either(t *testing.T, first, second *pgtest.Server) string {
	t.Helper()
	var hosts [2]string
	for i, server := range []*pgtest.Server{first, second} {
		u, err := url.Parse(server.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		hosts[i] = u.Query().Get("host")
	}
	query := url.Values{"host": {hosts[0] + "," + hosts[1]}, "port": {"5432,5432"}, "target_session_attrs": {"read-write"}}
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: query.Encode()}).String()
}

// TestPromotedStandby kills a server during interviews and promotes its standby, which has every acknowledged commit: participants continue
// there at once, nothing is lost, and the ledger balances.
func TestPromotedStandby(t *testing.T) {
	server := pgtest.StartFor(t)
	standby, err := server.StartStandby(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := standby.Close(); err != nil {
			t.Error(err)
		}
	})
	// The second node tries the standby first.
	nodes := []*store.Store{
		storetest.Open(t, either(t, server, standby), store.Options{}), storetest.Open(t, either(t, standby, server), store.Options{}),
	}
	sc := storetest.NewScene(t, nodes[0])
	storetest.Write(t, nodes[0], func(tx *store.Tx) error {
		return tx.Deposit(t.Context(), sc.Wallet.ID, wallet.Project, 1_000_000*wallet.Credit)
	})
	finished, stop := make(chan string, 10_000), make(chan struct{})
	var all sync.WaitGroup
	loads := loadsAt(t, nodes, sc.Study.LinkID, finished, stop, &all)
	var acknowledged []string
	finish := func(n int) {
		for range n {
			acknowledged = append(acknowledged, <-finished)
		}
	}
	finish(2 * between)
	if err := server.Crash(); err != nil {
		t.Fatal(err)
	}
	crashed := time.Now()
	if err := standby.Promote(t.Context()); err != nil {
		t.Fatal(err)
	}
	promoted := time.Now()
	for drained := false; !drained; {
		select {
		case id := <-finished:
			acknowledged = append(acknowledged, id)
		default:
			drained = true
		}
	}
	finish(1)
	out := time.Since(promoted)
	finish(2*participants + between)
	close(stop)
	go func() { all.Wait(); close(finished) }()
	for id := range finished {
		acknowledged = append(acknowledged, id)
	}
	loads[0].check(sc, acknowledged)
	if out > recovery {
		t.Errorf("the first interview was finished %v after the promotion, want %v at most", out, recovery)
	}
	t.Logf("%d interviews, all there; promoted %v after the crash, the first interview was finished %v later; participants got %d errors, each gone at a repetition",
		len(acknowledged), promoted.Sub(crashed).Round(time.Millisecond), out.Round(time.Millisecond), loads[0].errors+loads[1].errors)
}

// TestServerThatTakesNoWrites: a node whose server has become read-only retries until it, or another one behind the same address, accepts
// writes.
func TestServerThatTakesNoWrites(t *testing.T) {
	server := pgtest.StartFor(t)
	s := storetest.Open(t, server.URL("postgres"), store.Options{})
	do := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if err := pgtest.Do(t.Context(), server.URL("postgres")+"&default_transaction_read_only=off", statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	do(`alter system set default_transaction_read_only = on`, `select pg_reload_conf()`)
	refused, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var once sync.Once
		failed, notYet := false, errors.New("the server does not refuse yet")
		err := notYet
		for errors.Is(err, notYet) {
			err = s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.CreateOrg(t.Context(), "later")
				if err != nil {
					failed = true
					once.Do(func() { close(refused) })
				} else if !failed {
					err = notYet
				}
				return err
			})
		}
		done <- err
	}()
	select {
	case <-refused:
	case err := <-done:
		t.Fatalf("Write = %v before the server refused", err)
	}
	do(`alter system reset default_transaction_read_only`, `select pg_reload_conf()`)
	if err := <-done; err != nil {
		t.Errorf("Write = %v, want it to wait for a server that takes writes", err)
	}
}
