package store

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestPagesGiveWayToWriters takes every read slot while a write is active and checks who waits.
func TestPagesGiveWayToWriters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newReadLimiter()
		read := func(ctx context.Context) func() {
			t.Helper()
			done, err := c.read(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		for range cap(c.slots) + 1 {
			defer read(t.Context())() // no write is active: nobody waits
		}
		written := c.write()
		var places []func()
		for range cap(c.slots) {
			places = append(places, read(t.Context()))
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := c.read(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("a reader that went away: %v, want context.Canceled", err)
		}
		let := make(chan func(), 1)
		go func() { let <- read(t.Context()) }()
		synctest.Wait()
		select {
		case <-let:
			t.Fatal("a reader took the processor that is kept for a writer")
		default:
		}
		places[0]()
		(<-let)()
		for _, leave := range places[1:] {
			leave()
		}
		written()
		read(t.Context())()
		if n := c.writers.Load(); n != 0 || len(c.slots) != 0 {
			t.Errorf("%d writers and %d slots are left over", n, len(c.slots))
		}
	})
}
