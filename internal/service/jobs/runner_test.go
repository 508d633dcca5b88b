package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// never is an interval longer than any test: nothing in a test happens because of it.
const never = time.Hour

// start runs a runner until the returned function is called or the test ends, and waits for its end.
func start(t *testing.T, r *jobs.Runner) (stop func()) {
	t.Helper()
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func enqueue(t *testing.T, s *store.Store, jobs ...store.Job) {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) error {
		for _, j := range jobs {
			if err := tx.Enqueue(t.Context(), j); err != nil {
				return err
			}
		}
		return nil
	})
}

func counts(t *testing.T, s *store.Store) (ready, running, discarded int) {
	t.Helper()
	c, err := s.View().JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c["ready"], c["running"], c["dead"]
}

func TestJobRunsWhenWokenAndIsRemoved(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ran := make(chan store.Job, 1)
	stop := start(t, &jobs.Runner{Store: s, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{
		"greet": {Run: func(_ context.Context, j store.Job) error { ran <- j; return nil }},
	}})
	for _, args := range []string{"first", "second"} {
		enqueue(t, s, store.Job{Kind: "greet", Args: args, ResponseID: "r"})
		if j := <-ran; j.Args != args || j.ResponseID != "r" || j.Attempt != 1 {
			t.Errorf("ran %+v, want %q at attempt 1", j, args)
		}
	}
	stop()
	if ready, running, discarded := counts(t, s); ready+running+discarded != 0 {
		t.Errorf("left: %d ready, %d running, %d discarded, want none", ready, running, discarded)
	}
}

func TestBacklogWithFewWorkers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	const backlog, workers = 20, 2
	var all []store.Job
	for range backlog {
		all = append(all, store.Job{Kind: "k"})
	}
	enqueue(t, s, all...)
	var atOnce, limit atomic.Int32
	ran := make(chan string, backlog)
	start(t, &jobs.Runner{Store: s, Workers: workers, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{
		"k": {Run: func(_ context.Context, j store.Job) error {
			limit.Store(max(limit.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			ran <- j.ID
			return nil
		}},
	}})
	seen := map[string]bool{}
	for range backlog {
		seen[<-ran] = true
	}
	if len(seen) != backlog || limit.Load() > workers {
		t.Errorf("%d different jobs ran, %d at once; want %d and at most %d", len(seen), limit.Load(), backlog, workers)
	}
}

// TestOneWorkerStaysForOthers: the jobs of one organization do not occupy all workers, so that another organization's need not
// wait.
func TestOneWorkerStaysForOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for range 10 {
		enqueue(t, s, store.Job{Kind: "k", OrgID: "many"})
	}
	ran, end := make(chan string, 11), make(chan struct{})
	var many, limit atomic.Int32
	start(t, &jobs.Runner{Store: s, Workers: 2, Queue: store.Queue{Name: "k"}, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{
		"k": {Run: func(_ context.Context, j store.Job) error {
			ran <- j.OrgID
			if j.OrgID == "many" {
				limit.Store(max(limit.Load(), many.Add(1)))
				defer many.Add(-1)
				<-end
			}
			return nil
		}},
	}})
	if org := <-ran; org != "many" {
		t.Errorf("the first is of %q", org)
	}
	enqueue(t, s, store.Job{Kind: "k", OrgID: "few"})
	if org := <-ran; org != "few" {
		t.Errorf("while one of many runs, one of %q began", org)
	}
	close(end)
	for range 9 {
		<-ran
	}
	if limit.Load() != 1 {
		t.Errorf("%d of one organization ran at once in two places", limit.Load())
	}
}

func TestFailuresAreRetriedWithGrowingPausesThenDiscarded(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("no luck") },
		"a panic":  func() error { panic("no luck") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			const attempts, backoff = 4, 8 * time.Millisecond
			var runs []time.Time
			discarded := make(chan store.Job, 1)
			stop := start(t, &jobs.Runner{
				Store: s, Attempts: attempts, Backoff: backoff, Poll: time.Millisecond,
				Handlers: map[string]jobs.Handler{"k": {
					Run: func(_ context.Context, j store.Job) error {
						runs = append(runs, time.Now())
						return fail()
					},
					Discard: func(ctx context.Context, tx *store.Tx, j store.Job) error {
						_, err := tx.CreateOrg(ctx, "what giving up leaves")
						discarded <- j
						return err
					},
				}},
			})
			enqueue(t, s, store.Job{Kind: "k"})
			if j := <-discarded; j.Attempt != attempts {
				t.Errorf("discarded at attempt %d, want %d", j.Attempt, attempts)
			}
			stop()
			if len(runs) != attempts {
				t.Fatalf("ran %d times, want %d", len(runs), attempts)
			}
			for i := 1; i < attempts; i++ {
				least := backoff << (i - 1) / 2 // jitter halves a pause at most
				if pause := runs[i].Sub(runs[i-1]); pause < least {
					t.Errorf("pause %d was %v, want at least %v", i, pause, least)
				}
			}
			if ready, running, discarded := counts(t, s); ready != 0 || running != 0 || discarded != 1 {
				t.Errorf("%d ready, %d running, %d discarded, want one discarded", ready, running, discarded)
			}
			if orgs, err := s.View().Orgs(t.Context()); err != nil || len(orgs) != 1 {
				t.Errorf("Discard left %d rows, %v, want 1", len(orgs), err)
			}
		})
	}
}

// TestFailedDiscardChangesNothing checks that the effects of Discard and the end of the job are one transaction.
func TestFailedDiscardChangesNothing(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("discarding failed") },
		"a panic":  func() error { panic("discarding failed") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			tried := make(chan struct{}, 1)
			stop := start(t, &jobs.Runner{Store: s, Attempts: 1, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{"k": {
				Run: func(context.Context, store.Job) error { return errors.New("no luck") },
				Discard: func(ctx context.Context, tx *store.Tx, _ store.Job) error {
					defer func() { tried <- struct{}{} }()
					if _, err := tx.CreateOrg(ctx, "half"); err != nil {
						return err
					}
					return fail()
				},
			}}})
			enqueue(t, s, store.Job{Kind: "k"})
			<-tried
			stop()
			if orgs, err := s.View().Orgs(t.Context()); err != nil || len(orgs) != 0 {
				t.Errorf("%d rows were left, %v, want none", len(orgs), err)
			}
			if _, running, discarded := counts(t, s); running != 1 || discarded != 0 {
				t.Errorf("%d running and %d discarded, want the job to return when its lease expires", running, discarded)
			}
		})
	}
}

func TestJobsWithoutHandlerOrProcessAreDiscarded(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	enqueue(t, s, store.Job{Kind: "crashing"})
	for range 2 { // two processes that claimed it and died
		storetest.Write(t, s, func(tx *store.Tx) error {
			claimed, err := tx.ClaimJobs(t.Context(), store.Queue{}, 1, time.Second)
			if len(claimed) != 1 {
				t.Errorf("claimed %d jobs, want 1", len(claimed))
			}
			return err
		})
		clock.Advance(time.Minute)
	}
	discarded := make(chan struct{}, 1)
	stop := start(t, &jobs.Runner{Store: s, Attempts: 2, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{"crashing": {
		Run:     func(context.Context, store.Job) error { t.Error("a job ran that ends every process"); return nil },
		Discard: func(context.Context, *store.Tx, store.Job) error { discarded <- struct{}{}; return nil },
	}}})
	<-discarded
	stop()

	enqueue(t, s, store.Job{Kind: "unknown"})
	woken := make(chan struct{}, 1)
	stop = start(t, &jobs.Runner{Store: s, Attempts: 1, Workers: 1, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{
		"after": {Run: func(context.Context, store.Job) error { woken <- struct{}{}; return nil }},
	}})
	enqueue(t, s, store.Job{Kind: "after"}) // by the only worker, so after the other
	<-woken
	stop()
	if ready, running, discarded := counts(t, s); ready != 0 || running != 0 || discarded != 2 {
		t.Errorf("%d ready, %d running, %d discarded, want both discarded", ready, running, discarded)
	}
}

func TestStopReturnsTheJob(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	started := make(chan struct{}, 1)
	handlers := map[string]jobs.Handler{"long": {Run: func(ctx context.Context, _ store.Job) error {
		started <- struct{}{}
		<-ctx.Done()
		return errors.New("a driver's own word for cancelled")
	}}}
	enqueue(t, s, store.Job{Kind: "long"})
	stop := start(t, &jobs.Runner{Store: s, Attempts: 1, Poll: never, Lease: never, Handlers: handlers})
	<-started
	stop()
	if ready, running, discarded := counts(t, s); ready != 1 || running != 0 || discarded != 0 {
		t.Fatalf("%d ready, %d running, %d discarded, want it ready: a stop is no failure", ready, running, discarded)
	}
	again := make(chan int, 1)
	handlers = map[string]jobs.Handler{"long": {Run: func(_ context.Context, j store.Job) error { again <- j.Attempt; return nil }}}
	start(t, &jobs.Runner{Store: s, Poll: never, Lease: never, Handlers: handlers})
	if attempt := <-again; attempt != 1 {
		t.Errorf("it runs again at attempt %d, want 1", attempt)
	}
}

func TestLeaseOfDeadProcessExpires(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	enqueue(t, s, store.Job{Kind: "k"})
	storetest.Write(t, s, func(tx *store.Tx) error {
		_, err := tx.ClaimJobs(t.Context(), store.Queue{}, 1, time.Minute)
		return err
	})
	ran := make(chan store.Job, 1)
	start(t, &jobs.Runner{Store: s, Poll: time.Millisecond, Handlers: map[string]jobs.Handler{
		"k":    {Run: func(_ context.Context, j store.Job) error { ran <- j; return nil }},
		"mark": {Run: func(_ context.Context, j store.Job) error { ran <- j; return nil }},
	}})
	enqueue(t, s, store.Job{Kind: "mark"})
	if j := <-ran; j.Kind != "mark" {
		t.Errorf("ran %+v while another process had the lease", j)
	}
	clock.Advance(2 * time.Minute)
	if j := <-ran; j.Kind != "k" || j.Attempt != 2 {
		t.Errorf("ran %+v, want the job of the dead process at attempt 2", j)
	}
}

// TestLongJobKeepsItsLease runs a job for many times its lease while a second runner looks for expired ones, also while the
// first is stopping.
func TestLongJobKeepsItsLease(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	first, second := storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})
	const lease = 300 * time.Millisecond
	started, finish, looked := make(chan struct{}, 1), make(chan struct{}), make(chan struct{}, 1)
	var runs atomic.Int32
	stop := start(t, &jobs.Runner{Store: first, Lease: lease, Poll: never, Handlers: map[string]jobs.Handler{
		"long": {Run: func(context.Context, store.Job) error { runs.Add(1); started <- struct{}{}; <-finish; return nil }},
	}})
	enqueue(t, first, store.Job{Kind: "long"})
	<-started
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	start(t, &jobs.Runner{Store: second, Lease: lease, Poll: 5 * time.Millisecond, Handlers: map[string]jobs.Handler{
		"long": {Run: func(context.Context, store.Job) error { runs.Add(1); return nil }},
		"look": {Run: func(context.Context, store.Job) error { looked <- struct{}{}; return nil }},
	}})
	enqueue(t, second, store.Job{Kind: "look", RunAt: time.Now().Add(3 * lease)})
	<-looked
	close(finish)
	<-stopped
	if runs.Load() != 1 {
		t.Errorf("the job ran %d times, want once", runs.Load())
	}
}

func TestTwoRunnersShareTheWork(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	const backlog = 40
	var ran sync.Map
	done := make(chan struct{}, 2*backlog)
	var all []store.Job
	for range backlog {
		all = append(all, store.Job{Kind: "k"})
	}
	var handles []*store.Store
	for range 2 {
		handles = append(handles, storetest.Open(t, address, store.Options{}))
	}
	for _, s := range handles {
		start(t, &jobs.Runner{Store: s, Poll: time.Millisecond, Handlers: map[string]jobs.Handler{"k": {Run: func(_ context.Context, j store.Job) error {
			if _, twice := ran.LoadOrStore(j.ID, true); twice {
				t.Errorf("job %s ran twice", j.ID)
			}
			done <- struct{}{}
			return nil
		}}}})
	}
	enqueue(t, handles[0], all...)
	for range backlog {
		<-done
	}
}

func TestDeletionDropsTheJobsUnderWay(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	started, finish := make(chan struct{}, 1), make(chan struct{})
	after := make(chan struct{}, 1)
	stop := start(t, &jobs.Runner{Store: sc.Store, Workers: 1, Attempts: 1, Poll: never, Lease: never, Handlers: map[string]jobs.Handler{
		"analyse": {
			Run: func(context.Context, store.Job) error {
				started <- struct{}{}
				<-finish
				return errors.New("the response is gone")
			},
			Discard: func(context.Context, *store.Tx, store.Job) error {
				t.Error("the job was discarded although it went with its response")
				return nil
			},
		},
		"after": {Run: func(context.Context, store.Job) error { after <- struct{}{}; return nil }},
	}})
	enqueue(t, sc.Store, store.Job{Kind: "analyse", ResponseID: r.ID})
	<-started
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), r); return err })
	enqueue(t, sc.Store, store.Job{Kind: "after"})
	close(finish)
	<-after // by the only worker, so the other has ended
	stop()
	if ready, running, discarded := counts(t, sc.Store); ready+running+discarded != 0 {
		t.Errorf("left: %d ready, %d running, %d discarded, want none", ready, running, discarded)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	type key struct{}
	ended := make(chan string)
	start(t, &jobs.Runner{
		Store: s, Poll: time.Millisecond, Backoff: time.Nanosecond, Attempts: 2,
		Watch: func(ctx context.Context, kind string, attempt int) (context.Context, func(string)) {
			return context.WithValue(ctx, key{}, attempt), func(result string) { ended <- kind + " " + result }
		},
		Handlers: map[string]jobs.Handler{"fail": {Run: func(ctx context.Context, j store.Job) error {
			if ctx.Value(key{}) != j.Attempt {
				t.Errorf("ran with %v at attempt %d", ctx.Value(key{}), j.Attempt)
			}
			return errors.New("no")
		}}, "greet": {Run: func(context.Context, store.Job) error { return nil }}},
	})
	for kind, results := range map[string][]string{"fail": {jobs.Retry, jobs.Discarded}, "greet": {jobs.Done}} {
		enqueue(t, s, store.Job{Kind: kind})
		for _, want := range results {
			if got := <-ended; got != kind+" "+want {
				t.Errorf("ended as %q, want %s %s", got, kind, want)
			}
		}
	}
}
