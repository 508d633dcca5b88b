package llm_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

// Attempts are repeated if that may help, after pauses that are random or set by the service, and never beyond the caller's
// deadline.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		script   []llmtest.Behaviour
		within   time.Duration
		err      error
		asked    int
		min, max time.Duration
	}{
		{"busy once", []llmtest.Behaviour{llmtest.Fails(503, ""), llmtest.Says("Yes.")}, time.Minute, nil, 2, 0, time.Second},
		{"down once", []llmtest.Behaviour{llmtest.Down, llmtest.Says("Yes.")}, time.Minute, nil, 2, 0, time.Second},
		{"garbage once", []llmtest.Behaviour{llmtest.Garbage, llmtest.Says("Yes.")}, time.Minute, nil, 2, 0, time.Second},
		{"broken off once", []llmtest.Behaviour{llmtest.BreaksOff("Yes, it is so."), llmtest.Says("Yes.")}, time.Minute, nil, 2, 0, time.Second},
		{"an error in the answer", []llmtest.Behaviour{llmtest.Body(200, `{"error": {"type": "overloaded"}}`), llmtest.Says("Yes.")}, time.Minute, nil, 2, 0, time.Second},
		{"down", []llmtest.Behaviour{llmtest.Down}, time.Minute, llm.ErrUnavailable, 3, 0, 3 * time.Second},
		{"limited, in seconds", []llmtest.Behaviour{llmtest.Fails(429, "7"), llmtest.Says("Yes.")}, time.Minute, nil, 2, 7 * time.Second, 7 * time.Second},
		{"limited, by a date", []llmtest.Behaviour{limitedUntil(9 * time.Second), llmtest.Says("Yes.")}, time.Minute, nil, 2, 8 * time.Second, 9 * time.Second},
		{"limited for longer than anyone waits", []llmtest.Behaviour{llmtest.Fails(429, "31")}, time.Hour, llm.ErrUnavailable, 1, 0, 0},
		{"limited for longer than the caller waits", []llmtest.Behaviour{llmtest.Fails(503, "10")}, 8 * time.Second, llm.ErrUnavailable, 1, 0, 0},
		{"nothing left to spend", []llmtest.Behaviour{llmtest.Body(429, `{"error": {"type": "insufficient_quota"}}`)}, time.Minute, llm.ErrRefused, 1, 0, 0},
		{"slow to begin", []llmtest.Behaviour{llmtest.After(5*time.Second, llmtest.Says("Yes."))}, 8 * time.Second, nil, 1, 5 * time.Second, 5 * time.Second},
		{"too slow to begin", []llmtest.Behaviour{llmtest.After(9*time.Second, llmtest.Says("Yes."))}, 8 * time.Second, context.DeadlineExceeded, 1, 8 * time.Second, 8 * time.Second},
		{"it hangs", []llmtest.Behaviour{llmtest.Hangs}, 8 * time.Second, context.DeadlineExceeded, 1, 8 * time.Second, 8 * time.Second},
		{"it hangs and nobody says for how long", []llmtest.Behaviour{llmtest.Hangs}, 24 * time.Hour, llm.ErrUnavailable, 3, 5 * time.Minute, 5 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := llmtest.New(tt.script...)
				client := server.Client(t, llm.Config{})
				ctx, cancel := context.WithTimeout(t.Context(), tt.within)
				defer cancel()
				began := time.Now()
				reply, err := client.Chat(ctx, ask(nil, nil))
				took := time.Since(began)
				if !errors.Is(err, tt.err) || len(server.Asked()) != tt.asked || reply.Attempts != tt.asked || took < tt.min || took > tt.max || took != reply.Took {
					t.Errorf("%v after %d requests and %v (%v)", err, len(server.Asked()), took, reply.Took)
				}
			})
		})
	}
}

func limitedUntil(later time.Duration) llmtest.Behaviour {
	return func(w http.ResponseWriter, r *http.Request, a llmtest.Asked) {
		llmtest.Fails(http.StatusTooManyRequests, time.Now().Add(later).UTC().Format(http.TimeFormat))(w, r, a)
	}
}

// A slow stream arrives word by word, and the time of its first word is known.
func TestSlowStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := llmtest.New(llmtest.Slowly(500*time.Millisecond, "How did that go?")) // four pieces
		client := server.Client(t, llm.Config{})
		began := time.Now()
		var at []time.Duration
		reply, err := client.Chat(t.Context(), ask(nil, func(string) { at = append(at, time.Since(began)) }))
		if err != nil || len(at) != 4 || at[0] != reply.FirstToken || reply.FirstToken != 500*time.Millisecond || reply.Took != 2*time.Second {
			t.Errorf("%v: pieces at %v, first %v of %v", err, at, reply.FirstToken, reply.Took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 1200*time.Millisecond)
		defer cancel()
		shown := ""
		if _, err := client.Chat(ctx, ask(nil, func(s string) { shown += s })); !errors.Is(err, context.DeadlineExceeded) || shown != "How did " {
			t.Errorf("%v, shown %q", err, shown)
		}
	})
}

// While the service is down nobody waits for it; after a while one call tries again, and the pauses grow.
func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := llmtest.New(llmtest.Down)
		client := server.Client(t, llm.Config{})
		call := func() error { _, err := client.Chat(t.Context(), ask(nil, nil)); return err }
		for range 2 { // three attempts, then two more
			if err := call(); !errors.Is(err, llm.ErrUnavailable) {
				t.Fatal(err)
			}
		}
		refused := func(want int) {
			t.Helper()
			began := time.Now()
			if err := call(); !errors.Is(err, llm.ErrOpen) || !errors.Is(err, llm.ErrUnavailable) || time.Since(began) > 0 || len(server.Asked()) != want || !client.Open() {
				t.Errorf("%v after %v; %d requests, want %d", err, time.Since(began), len(server.Asked()), want)
			}
		}
		refused(5)
		asked := 5
		for _, cooldown := range []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 2 * time.Minute} {
			synctest.Wait()
			<-time.After(cooldown - time.Millisecond)
			refused(asked)
			<-time.After(time.Millisecond)
			if client.Open() {
				t.Error("it does not let one through")
			}
			if err := call(); !errors.Is(err, llm.ErrUnavailable) || errors.Is(err, llm.ErrOpen) { // one request, without a retry
				t.Errorf("the one that was let through: %v", err)
			}
			asked++
			refused(asked)
		}
		server.Then(llmtest.After(time.Second, llmtest.Says("Yes.")))
		<-time.After(2 * time.Minute)
		var healthy, refusals atomic.Int32
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				switch err := call(); {
				case err == nil:
					healthy.Add(1)
				case errors.Is(err, llm.ErrOpen):
					refusals.Add(1)
				}
			})
		}
		all.Wait()
		if healthy.Load() != 1 || refusals.Load() != 9 {
			t.Errorf("of ten at once %d were let through and %d refused", healthy.Load(), refusals.Load())
		}
		if err := call(); err != nil || client.Open() {
			t.Errorf("when it is back: %v", err)
		}
	})
}

// The breaker does not count callers who leave, a service that is busy, or one that refuses a request.
func TestBreakerStaysClosed(t *testing.T) {
	t.Parallel()
	for name, what := range map[string]llmtest.Behaviour{
		"limited": llmtest.Fails(429, "60"), "refused": llmtest.Refuses, "empty": llmtest.Empty, "too long": llmtest.Fails(413, ""), "left": llmtest.Hangs,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := llmtest.New(what)
				client := server.Client(t, llm.Config{})
				for range 20 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					_, err := client.Chat(ctx, ask(nil, nil))
					cancel()
					if err == nil || errors.Is(err, llm.ErrOpen) {
						t.Fatal(err)
					}
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // except for one that is slower than anyone waits
		server := llmtest.New(llmtest.Hangs)
		client := server.Client(t, llm.Config{})
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			if _, err := client.Chat(ctx, ask(nil, nil)); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
		}
		if !client.Open() {
			t.Error("every interview waits for it")
		}
	})
}

// Calls wait for a slot; a call without time left stops waiting, all stop when the service goes down, and background calls
// leave slots to the others.
func TestSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var under, limit atomic.Int32
		server := llmtest.New(func(w http.ResponseWriter, r *http.Request, a llmtest.Asked) {
			now := under.Add(1)
			defer under.Add(-1)
			for before := limit.Load(); now > before && !limit.CompareAndSwap(before, now); before = limit.Load() {
			}
			llmtest.After(10*time.Second, llmtest.Says("Yes."))(w, r, a)
		})
		client := server.Client(t, llm.Config{Parallel: 4})
		var all sync.WaitGroup
		for range 9 {
			all.Go(func() {
				q := ask(nil, nil)
				q.Background = true
				if _, err := client.Chat(t.Context(), q); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if under.Load() != 3 {
			t.Errorf("%d in the background at once", under.Load())
		}
		began := time.Now()
		all.Go(func() {
			if _, err := client.Chat(t.Context(), ask(nil, nil)); err != nil || time.Since(began) != 10*time.Second {
				t.Errorf("an interview waits %v, %v", time.Since(began), err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if reply, err := client.Chat(ctx, ask(nil, nil)); !errors.Is(err, context.DeadlineExceeded) || reply.Took != time.Second || reply.Attempts != 0 {
			t.Errorf("in line: %v after %v", err, reply.Took)
		}
		all.Wait()
		if limit.Load() != 4 {
			t.Errorf("%d at once", limit.Load())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		server := llmtest.New(llmtest.Hangs)
		client := server.Client(t, llm.Config{Parallel: 1})
		patient := func() {
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			_, _ = client.Chat(ctx, ask(nil, nil))
		}
		for range 4 {
			patient()
		}
		var last sync.WaitGroup
		last.Go(patient)
		synctest.Wait()
		began := time.Now()
		if _, err := client.Chat(t.Context(), ask(nil, nil)); !errors.Is(err, llm.ErrOpen) || time.Since(began) != 8*time.Second || len(server.Asked()) != 5 {
			t.Errorf("%v after %v and %d requests", err, time.Since(began), len(server.Asked()))
		}
		last.Wait()
	})
}
