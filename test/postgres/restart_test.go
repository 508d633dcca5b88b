package postgres

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
)

var restarts = flag.Int("restarts", 10, "how often the server is restarted (3 with -short)")

const (
	participants = 8
	between      = 25 // interviews that are finished before the next restart
	recovery     = 2 * time.Second
)

// TestPostgresRestartsUnderParticipants stops the server, and every second time crashes it. Participants repeat a request that failed;
// acknowledged answers are stored, the ledger balances, and the first answers after the server's return are quick.
func TestPostgresRestartsUnderParticipants(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	s := storetest.Open(t, server.URL("postgres"), store.Options{})
	sc := storetest.NewScene(t, s)
	storetest.Write(t, s, func(tx *store.Tx) error {
		return tx.Deposit(t.Context(), sc.Wallet.ID, wallet.Project, 1_000_000*wallet.Credit)
	})
	people := &load{
		t: t, link: sc.Study.LinkID, finished: make(chan string, participants), stop: make(chan struct{}),
		work: &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}},
	}
	rounds := *restarts
	if testing.Short() {
		rounds = 3
	}
	var all sync.WaitGroup
	for range participants {
		all.Go(people.participate)
	}
	var acknowledged []string
	wait := func(n int) {
		for range n {
			acknowledged = append(acknowledged, <-people.finished)
		}
	}
	var recoveries []time.Duration
	for round := range rounds {
		wait(between)
		end := server.Stop
		if round%2 == 1 {
			end = server.Crash
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		for drained := false; !drained; { // drain the interviews that finished before the server stopped
			select {
			case id := <-people.finished:
				acknowledged = append(acknowledged, id)
			default:
				drained = true
			}
		}
		if err := server.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		back := time.Now()
		wait(participants + 1) // at least one of them began after the return
		took := time.Since(back)
		if recoveries = append(recoveries, took); took > recovery {
			t.Errorf("answers came again %v after the server, want %v at most", took, recovery)
		}
	}
	close(people.stop)
	go func() { all.Wait(); close(people.finished) }()
	for id := range people.finished {
		acknowledged = append(acknowledged, id)
	}
	people.check(sc, acknowledged)
	if len(acknowledged) < rounds*between {
		t.Errorf("%d interviews were finished, want %d at least", len(acknowledged), rounds*between)
	}
	slices.Sort(recoveries)
	t.Logf("%d restarts, %d of them crashes; %d interviews finished; %d errors, each gone at a repetition; complete interviews again: median %v, slowest %v after the server",
		rounds, rounds/2, len(acknowledged), people.errors, recoveries[rounds/2].Round(time.Millisecond), recoveries[rounds-1].Round(time.Millisecond))
}

// load is a number of participants who take one interview after the other.
type load struct {
	t        *testing.T
	work     *fieldwork.Service
	link     string
	finished chan string // ids of responses
	stop     chan struct{}

	mu     sync.Mutex
	errors int
}

func (c *load) participate() {
	for {
		select {
		case <-c.stop:
			return
		default:
		}
		id, err := c.interview(c.t.Context())
		if err != nil {
			c.t.Error(err)
			return
		}
		c.finished <- id
	}
}

// interview takes one interview to its end, and repeats requests that fail.
func (c *load) interview(ctx context.Context) (string, error) {
	var token string
	var at fieldwork.View
	err := c.insist(func() (err error) { token, at, err = c.work.Start(ctx, c.link, "pid=7", ""); return err })
	for err == nil && !at.Step.Ended() {
		err = c.insist(func() error {
			next, err := c.work.Answer(ctx, token, at.Step.ID, interview.Answer{Text: "Because they keep."})
			if err == nil {
				at = next
			}
			return err
		})
	}
	return at.Response.ID, err
}

// insist repeats do while it fails, and stops at an error that no outage explains.
func (c *load) insist(do func() error) error {
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
	for range 1000 {
		err := do()
		if err == nil {
			return nil
		}
		for _, wrong := range []error{
			study.ErrNotFound, response.ErrNotFound, response.ErrGone, response.ErrMoved, interview.ErrStaleStep,
			fieldwork.ErrNotTakingParticipants, outage.ErrBusy, org.ErrKeyReused,
		} {
			if errors.Is(err, wrong) {
				return fmt.Errorf("an outage was reported as: %w", err)
			}
		}
		c.mu.Lock()
		c.errors++
		c.mu.Unlock()
		<-pause.C
	}
	return errors.New("the server never came back")
}

func (c *load) check(sc storetest.Scene, acknowledged []string) {
	c.t.Helper()
	ctx, view := c.t.Context(), c.work.Store.View()
	seen := map[string]bool{}
	for _, id := range acknowledged {
		if seen[id] {
			c.t.Errorf("response %s was finished twice", id)
		}
		seen[id] = true
		r, err := view.Response(ctx, sc.Org.ID, id)
		if err != nil || r.Progress != response.Complete || r.TurnCount != 1 {
			c.t.Errorf("response %s is %s with %d turns, %v", id, r.Progress, r.TurnCount, err)
		}
		if _, err := view.ItemByResponse(ctx, sc.Study.ID, id); err != nil {
			c.t.Errorf("response %s: %v", id, err)
		}
	}
	counted, err := view.Study(ctx, sc.Org.ID, sc.Study.ID)
	if err != nil || counted.CompletedCount != len(acknowledged) {
		c.t.Errorf("the study counts %d completed responses, %v, want the %d acknowledged", counted.CompletedCount, err, len(acknowledged))
	}
	if violations, err := view.AuditLedger(ctx); err != nil || len(violations) > 0 {
		c.t.Errorf("the ledger: %v, %v", violations, err)
	}
}
