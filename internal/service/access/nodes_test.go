package access

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestNodesShareALimit: one node; then two nodes on one database, reached in turn; then one node after the other has left, and
// one after the other has died.
func TestNodesShareALimit(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	address := storetest.Address(t)
	const perSecond = 100
	join := func() (*Nodes, *Limiter) {
		limiter := &Limiter{PerSecond: perSecond, Now: clock.Now}
		nodes := &Nodes{
			Store: storetest.Open(t, address, store.Options{Now: clock.Now}), Limiters: []*Limiter{limiter, nil}, Log: slog.New(slog.DiscardHandler),
		}
		if err := nodes.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		return nodes, limiter
	}
	beat := func(nodes ...*Nodes) {
		t.Helper()
		for _, n := range nodes {
			if err := n.heartbeat(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	// tenSeconds sends twice the allowed number of requests, to the limiters in turn.
	tenSeconds := func(what string, limiters ...*Limiter) {
		t.Helper()
		clock.Advance(time.Minute) // the bursts are full
		passed := 0
		for i := range 10 * 2 * perSecond {
			clock.Advance(time.Second / (2 * perSecond))
			if ok, wait := limiters[i%len(limiters)].Allow("key"); ok {
				passed++
			} else if wait <= 0 || wait > time.Second {
				t.Fatalf("%s: told to wait %v", what, wait)
			}
		}
		if want := 2*perSecond + 10*perSecond; passed < want*97/100 || passed > want*103/100 {
			t.Errorf("%s: %d passed, want about %d", what, passed, want)
		}
	}

	one, first := join()
	tenSeconds("alone", first)
	two, second := join()
	beat(one, two)
	tenSeconds("two", first, second)

	beat(one, two)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	two.Run(stopped)
	beat(one)
	tenSeconds("after the other left", first)

	beat(two)
	clock.Advance(3*two.Every + time.Second)
	beat(one)
	tenSeconds("after the other died", first)
}

// TestNodeThatStartsAgainCountsOnce: a node that crashes and restarts under its name is counted once: its limits stay
// undivided.
func TestNodeThatStartsAgainCountsOnce(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	opened := storetest.Open(t, storetest.Address(t), store.Options{Now: clock.Now})
	for start := range 4 {
		limiter := &Limiter{PerSecond: 100, Now: clock.Now}
		nodes := &Nodes{Store: opened, Name: "host-a 0.0.0.0:8080", Limiters: []*Limiter{limiter}, Log: slog.New(slog.DiscardHandler)}
		if err := nodes.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		if q := limiter.Take(1, Share{Name: "key", Times: 1}); q.Limit != 200 {
			t.Errorf("after %d crashes a burst of %d, want 200", start, q.Limit)
		}
	}
}

func TestDividedToLessThanOne(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 1, Now: func() time.Time { return now }}
	l.Divide(4)
	if ok, _ := l.Allow("a"); !ok {
		t.Error("a burst of nothing")
	}
	if ok, wait := l.Allow("a"); ok || wait != 4*time.Second {
		t.Errorf("passed %v, told to wait %v, want 4s", ok, wait)
	}
}
