package memo

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestOnce: a caller that asks for a value that is being made waits for it, and nobody makes it twice.
func TestOnce(t *testing.T) {
	t.Parallel()
	c := &Cache[int, string]{}
	var made atomic.Int32
	begun, finish := make(chan struct{}), make(chan struct{})
	value := func(context.Context) (string, int, error) {
		made.Add(1)
		close(begun)
		<-finish
		return "value", 5, nil
	}
	var callers sync.WaitGroup
	ask := func() {
		if got, err := c.Get(t.Context(), 1, 100, value); got != "value" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
	callers.Go(ask)
	<-begun
	for range 10 {
		callers.Go(ask)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(cancelled, 1, 100, value); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled caller got %v", err)
	}
	close(finish)
	callers.Wait()
	if made.Load() != 1 {
		t.Errorf("it was made %d times", made.Load())
	}
}

// TestFailuresAreNotKept: the next caller tries again.
func TestFailuresAreNotKept(t *testing.T) {
	t.Parallel()
	c := &Cache[int, int]{}
	broken := errors.New("broken")
	if _, err := c.Get(t.Context(), 1, 100, func(context.Context) (int, int, error) { return 0, 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got, err := c.Get(t.Context(), 1, 100, func(context.Context) (int, int, error) { return 7, 1, nil }); got != 7 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}

// TestBytes: the kept values stay within the bound.
func TestBytes(t *testing.T) {
	t.Parallel()
	c := &Cache[int, int]{}
	for key := range 50 {
		if _, err := c.Get(t.Context(), key, 100, func(context.Context) (int, int, error) { return key, 30, nil }); err != nil {
			t.Fatal(err)
		}
		if c.size > 100 || c.size != 30*len(c.values) {
			t.Fatalf("%d bytes are kept in %d values", c.size, len(c.values))
		}
	}
	if len(c.values) != 3 {
		t.Errorf("%d values are kept", len(c.values))
	}
	_, _ = c.Get(t.Context(), 100, 100, func(context.Context) (int, int, error) { return 0, 101, nil })
	if _, kept := c.values[100]; kept || len(c.values) != 3 {
		t.Error("a value larger than the cache pushed the others out")
	}
}

// TestAtOnce: no more values are made at once than there are slots, whatever their keys and caches.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	caches := []*Cache[int, int]{{}, {}}
	var making, limit atomic.Int32
	var callers sync.WaitGroup
	for key := range 64 {
		callers.Go(func() {
			_, _ = caches[key%2].Get(t.Context(), key, 100, func(context.Context) (int, int, error) {
				now := making.Add(1)
				for seen := limit.Load(); now > seen && !limit.CompareAndSwap(seen, now); seen = limit.Load() {
				}
				making.Add(-1)
				return key, 1, nil
			})
		})
	}
	callers.Wait()
	if int(limit.Load()) > cap(slots) {
		t.Errorf("%d were made at once", limit.Load())
	}
	for range cap(slots) { // with all slots taken nothing is made
		slots <- struct{}{}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := caches[0].Get(cancelled, 1000, 100, func(context.Context) (int, int, error) { return 0, 0, errors.New("was made") }); !errors.Is(err, context.Canceled) {
		t.Errorf("without a slot: %v", err)
	}
	for range cap(slots) {
		<-slots
	}
}
