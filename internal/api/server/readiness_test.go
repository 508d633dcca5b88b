package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/domain/outage"
)

// TestReadinessIsCheckedOnce: however many requests come, one check runs at a time, and the next one a second later at the
// earliest.
func TestReadinessIsCheckedOnce(t *testing.T) {
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
			t.Errorf("a request that was cancelled got %v", err)
		}
		askAtOnce(down) // the check of the cancelled request goes on
		if n := checks.Load(); n != 2 {
			t.Errorf("%d checks, want 2", n)
		}
	})
}

// TestHealthOf: a problem of the database takes a node out of the load balancer, a missing object store does not.
func TestHealthOf(t *testing.T) {
	t.Parallel()
	reachable, away := func() error { return nil }, func() error { return outage.ErrObjectsUnreachable }
	for name, test := range map[string]struct {
		err     error
		objects func() error
		status  int
		want    health
	}{
		"well":              {nil, reachable, 200, health{"ok", "reachable"}},
		"nothing to record": {nil, nil, 200, health{"ok", ""}},
		"no objects":        {nil, away, 200, health{"ok", "away"}},
		"no database":       {fmt.Errorf("a read: %w", outage.ErrUnreachable), away, 503, health{"database unreachable", "away"}},
		"no answer":         {context.DeadlineExceeded, nil, 503, health{"database unreachable", ""}},
		"no connection":     {fmt.Errorf("a read: %w", outage.ErrBusy), reachable, 503, health{"database busy", "reachable"}},
		"no room":           {fmt.Errorf("a write: %w", outage.ErrDiskFull), reachable, 503, health{"no room to write", "reachable"}},
	} {
		if status, got := healthOf(test.err, test.objects); status != test.status || got != test.want {
			t.Errorf("%s: %d %+v, want %d %+v", name, status, got, test.status, test.want)
		}
	}
}

// TestReadinessLogsLittle: the log says once a minute that the service is not ready, however often a load balancer asks, and
// once that it is ready again.
func TestReadinessLogsLittle(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	r := readiness{log: slog.New(slog.NewTextHandler(&text, nil))}
	now := time.Now()
	for second := range 90 {
		r.note(outage.ErrUnreachable, now.Add(time.Duration(second)*time.Second))
	}
	r.note(nil, now)
	r.note(nil, now)
	r.note(outage.ErrUnreachable, now)
	if warned, again := strings.Count(text.String(), "not ready"), strings.Count(text.String(), "ready again"); warned != 3 || again != 1 {
		t.Errorf("the log has %d and %d lines:\n%s", warned, again, text.String())
	}
}
