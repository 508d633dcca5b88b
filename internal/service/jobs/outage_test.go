package jobs_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// lines is a log that counts its lines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), message)
}

// TestFullDisk: while nothing can be written, a runner that is woken again and again retries rarely, logs a line or two, runs
// no job twice, and continues by itself afterwards.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var full atomic.Bool
	var tries, runs atomic.Int32
	failed := make(chan struct{}, 1)
	log := &lines{}
	started, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{}, 100)
	r := &jobs.Runner{
		Store: s, Log: slog.New(slog.NewTextHandler(log, nil)), Workers: 2, Poll: time.Millisecond,
		Handlers: map[string]jobs.Handler{
			"long": {Run: func(context.Context, store.Job) error { runs.Add(1); close(started); <-end; return nil }},
			"k":    {Run: func(context.Context, store.Job) error { ended <- struct{}{}; return nil }},
		},
		Backoff: 2 * time.Millisecond, // so that a pause lasts at most 60 ms
	}
	r.FailWrites(func() error {
		if !full.Load() {
			return nil
		}
		tries.Add(1)
		select {
		case failed <- struct{}{}:
		default:
		}
		return fmt.Errorf("%w: the disk", outage.ErrDiskFull)
	})
	start(t, r)
	enqueue(t, s, store.Job{Kind: "long"})
	<-started
	begun := time.Now()
	full.Store(true)
	close(end) // its result cannot be recorded
	<-failed
	const wakes = 500
	for range wakes {
		enqueue(t, s, store.Job{Kind: "k"})
	}
	for log.count("jobs cannot be claimed") == 0 || log.count("results of jobs cannot be recorded") == 0 {
		<-failed // both are tried again until there is room, and the log says so
	}
	const shortestRest = 30 * time.Millisecond
	if n, limit := tries.Load(), 2*int32(time.Since(begun)/shortestRest+2); n > limit { // by the claims, and by the end of the job
		t.Errorf("%d tries to write while the runner was woken %d times, want at most %d", n, wakes, limit)
	}
	if n := log.count("\n"); n > 6 { // two kinds of lines, and again after a minute
		t.Errorf("%d lines in the log:\n%s", n, log.text.String())
	}
	full.Store(false)
	for range wakes {
		<-ended
	}
	if runs.Load() != 1 {
		t.Errorf("a job whose result could not be recorded ran %d times", runs.Load())
	}
}

// TestOutagesDoNotCountAsAttempts: a job that meets outages is not discarded, however many there are, and is done afterwards.
func TestOutagesDoNotCountAsAttempts(t *testing.T) {
	t.Parallel()
	for _, outage := range []error{outage.ErrDiskFull, outage.ErrUnreachable, outage.ErrObjectsUnreachable, outage.ErrObjectsFull} {
		t.Run(outage.Error(), func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			const attempts = 3
			var runs atomic.Int32
			var results sync.Map
			log := &lines{}
			over := make(chan store.Job, 1)
			stop := start(t, &jobs.Runner{
				Store: s, Log: slog.New(slog.NewTextHandler(log, nil)), Attempts: attempts, Backoff: time.Microsecond, Poll: time.Millisecond,
				Watch: func(ctx context.Context, _ string, _ int) (context.Context, func(string)) {
					return ctx, func(result string) { results.Store(result, true) }
				},
				Handlers: map[string]jobs.Handler{"k": {
					Run: func(_ context.Context, j store.Job) error {
						if runs.Add(1) <= 3*attempts {
							return fmt.Errorf("storing the picture: %w", outage)
						}
						over <- j
						return nil
					},
					Discard: func(context.Context, *store.Tx, store.Job) error { t.Error("the job was discarded"); return nil },
				}},
			})
			enqueue(t, s, store.Job{Kind: "k"})
			if j := <-over; j.Attempt != 1 {
				t.Errorf("after the outage it runs as attempt %d, want 1", j.Attempt)
			}
			stop()
			if ready, running, discarded := counts(t, s); ready+running+discarded != 0 {
				t.Errorf("%d ready, %d running, %d discarded, want none", ready, running, discarded)
			}
			if _, postponed := results.Load(jobs.Snoozed); !postponed {
				t.Error("the log does not say that the job was postponed")
			}
			if n := log.count("jobs are postponed"); n < 1 || n > 2 {
				t.Errorf("%d lines about %d runs:\n%s", n, 3*attempts, log.text.String())
			}
		})
	}
}
