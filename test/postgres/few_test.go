package postgres

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
	"verbatim/test/proxy"
)

// loadsAt has participants take a study's interviews on each of several nodes until stop is closed. It sends the id of each finished
// interview to finished.
func loadsAt(t *testing.T, nodes []*store.Store, link string, finished chan string, stop chan struct{}, all *sync.WaitGroup) (loads []*load) {
	for _, node := range nodes {
		c := &load{t: t, link: link, finished: finished, stop: stop, work: &fieldwork.Service{Store: node, Moderator: moderator.BuiltIn{}}}
		loads = append(loads, c)
		for range participants {
			all.Go(c.participate)
		}
	}
	return loads
}

// interviewsOf has many participants take interviews on several nodes at once until finish are finished; none of them may get an error.
func interviewsOf(t *testing.T, nodes []*store.Store, finish int) {
	t.Helper()
	sc := storetest.NewScene(t, nodes[0])
	storetest.Write(t, nodes[0], func(tx *store.Tx) error {
		return tx.Deposit(t.Context(), sc.Wallet.ID, wallet.Project, 1_000_000*wallet.Credit)
	})
	finished, stop := make(chan string, 100), make(chan struct{})
	var all sync.WaitGroup
	loads := loadsAt(t, nodes, sc.Study.LinkID, finished, stop, &all)
	var acknowledged []string
	for range finish {
		acknowledged = append(acknowledged, <-finished)
	}
	close(stop)
	go func() { all.Wait(); close(finished) }()
	for id := range finished {
		acknowledged = append(acknowledged, id)
	}
	loads[0].check(sc, acknowledged)
	for i, c := range loads {
		if c.errors > 0 {
			t.Errorf("participants of node %d got %d errors, want none", i, c.errors)
		}
	}
}

// TestFewConnections gives three nodes, which would open sixty connections together, a server with twelve: each takes its share, and
// participants notice nothing.
func TestFewConnections(t *testing.T) {
	server := pgtest.StartFor(t)
	address := server.URL("postgres")
	storetest.Open(t, address, store.Options{}) // migrates
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	server.Configure("max_connections=12", "superuser_reserved_connections=0", "max_wal_senders=0")
	if err := server.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	var nodes []*store.Store
	var joined []*access.Nodes
	for range 3 {
		node := storetest.Open(t, address, store.Options{})
		n := &access.Nodes{Store: node, Log: slog.New(slog.DiscardHandler), Every: 100 * time.Millisecond}
		if err := n.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		nodes, joined = append(nodes, node), append(joined, n)
	}
	plan, err := nodes[0].PlanConnections(t.Context(), time.Hour)
	if err != nil || plan.Nodes != 3 || plan.Requested != 60 || plan.Limit != 12 || plan.Enough() {
		t.Errorf("the plan of three nodes is %+v, %v", plan, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var signs sync.WaitGroup
	for _, n := range joined {
		signs.Go(func() { n.Run(ctx) })
	}
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for _, node := range nodes { // a share of nine, since three stay free
		for p := node.Pools(); p["write"].MaxOpenConnections+p["read"].MaxOpenConnections != 3; p = node.Pools() {
			<-look.C
		}
	}
	interviewsOf(t, nodes, 150)
	cancel()
	signs.Wait()
}

// TestFullServer: a node waits for a connection instead of failing while others use the server's last ones.
func TestFullServer(t *testing.T) {
	server := pgtest.StartFor(t)
	address := server.URL("postgres")
	storetest.Open(t, address, store.Options{})
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	server.Configure("max_connections=6", "superuser_reserved_connections=0", "max_wal_senders=0")
	if err := server.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	interviewsOf(t, []*store.Store{storetest.Open(t, address, store.Options{})}, 50)
}

// TestThroughPgBouncer: three nodes start at once on an empty database behind a pooler in transaction mode, which has fewer connections to
// the server than they have to it, and serve participants.
func TestThroughPgBouncer(t *testing.T) {
	server := pgtest.StartFor(t)
	bouncer := pgtest.StartPgBouncer(t, server, 8)
	nodes := make([]*store.Store, 3)
	var all sync.WaitGroup
	for i := range nodes {
		all.Go(func() {
			s, err := store.Open(t.Context(), bouncer.URL("postgres"), store.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			nodes[i] = s
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, node := range nodes {
		if node == nil {
			t.FailNow()
		}
		t.Cleanup(func() {
			if err := node.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	if plan, err := nodes[0].PlanConnections(t.Context(), time.Hour); err != nil || !plan.Pooled || !plan.Enough() {
		t.Errorf("the plan behind a pooler is %+v, %v", plan, err)
	}
	interviewsOf(t, nodes, 150)
}

// TestReadsSayWhatIsWrong: a read without a free connection returns that the database is busy, while writes go on; one that cannot reach
// the database returns that, and one that reaches it in time succeeds.
func TestReadsSayWhatIsWrong(t *testing.T) {
	server := pgtest.StartFor(t)
	line, err := proxy.Start(server.Socket(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	address := "postgres://postgres@" + line.Address() + "/postgres?sslmode=disable&pool_max_conns=2"
	s := storetest.Open(t, address, store.Options{Wait: 300 * time.Millisecond})
	patient := storetest.Open(t, address, store.Options{Wait: time.Hour})
	sc := storetest.NewScene(t, s)

	locker, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Close(context.WithoutCancel(t.Context()))
	if _, err := locker.Exec(t.Context(), `begin; lock table org in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	stuck := make(chan error, 1)
	go func() { _, err := s.View().Orgs(t.Context()); stuck <- err }()
	waitForWaiters(t, server.URL("postgres"), 1)
	if _, err := s.View().Study(t.Context(), sc.Org.ID, sc.Study.ID); !errors.Is(err, outage.ErrBusy) {
		t.Errorf("a read without a free connection: %v, want ErrBusy", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := s.Ping(soon); !errors.Is(err, outage.ErrBusy) {
		t.Errorf("Ping without a free connection: %v, want ErrBusy", err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { _, err := tx.NextUpdate(t.Context(), sc.Study.ID); return err })
	if _, err := locker.Exec(t.Context(), `rollback`); err != nil {
		t.Fatal(err)
	}
	if err := <-stuck; err != nil {
		t.Errorf("the read that waited: %v", err)
	}

	line.Refuse(true)
	line.Cut()
	if _, err := s.View().Orgs(t.Context()); !errors.Is(err, outage.ErrUnreachable) {
		t.Errorf("a read of a server that is away: %v, want ErrUnreachable", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, outage.ErrUnreachable) {
		t.Errorf("Ping of a server that is away: %v, want ErrUnreachable", err)
	}
	read := make(chan error, 1)
	go func() { _, err := patient.View().Orgs(t.Context()); read <- err }()
	line.Refuse(false)
	if err := <-read; err != nil {
		t.Errorf("a read while the server came back: %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping of a server that is back: %v", err)
	}
}
