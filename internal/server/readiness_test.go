package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestReadinessIsAskedOnce: however many ask, one check runs at a time, and not before a second is over the next one.
func TestReadinessIsAskedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r readiness
		var checks, running atomic.Int32
		down := errors.New("down")
		check := func(context.Context) error {
			if running.Add(1) > 1 {
				t.Error("two checks run at once")
			}
			defer running.Add(-1)
			time.Sleep(100 * time.Millisecond) // of the bubble's clock
			if checks.Add(1) > 1 {
				return down
			}
			return nil
		}
		askAtOnce := func(want error) {
			t.Helper()
			var all sync.WaitGroup
			for range 100 {
				all.Go(func() {
					if err := r.ask(t.Context(), check); !errors.Is(err, want) {
						t.Errorf("ready: %v, want %v", err, want)
					}
				})
			}
			all.Wait()
		}
		askAtOnce(nil)
		askAtOnce(nil)
		if n := checks.Load(); n != 1 {
			t.Errorf("%d checks within a second, want 1", n)
		}
		time.Sleep(readinessAge)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := r.ask(gone, check); !errors.Is(err, context.Canceled) {
			t.Errorf("who has left is told %v", err)
		}
		askAtOnce(down) // the check of who has left goes on
		if n := checks.Load(); n != 2 {
			t.Errorf("%d checks, want 2", n)
		}
	})
}
