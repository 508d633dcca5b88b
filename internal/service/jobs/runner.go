package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/plaintext"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Handler runs one kind of job. Run may be called again after it succeeded, if the process died before that was recorded.
type Handler struct {
	Run     func(context.Context, store.Job) error
	Discard func(context.Context, *store.Tx, store.Job) error // called when a job is discarded, in the same transaction; may be nil
}

// Runner claims due jobs from the store and runs them.
type Runner struct {
	Store    *store.Store
	Handlers map[string]Handler
	Log      *slog.Logger
	Queue    store.Queue   // the jobs to run; zero: all
	Workers  int           // jobs at once; 0: 4. In a named queue, one organization may use all but one
	Lease    time.Duration // after which a job of a dead process is claimed again; 0: 9 s
	Poll     time.Duration // how often to look for jobs without being woken; 0: 1 s
	Attempts int           // runs before a job is discarded; 0: 8
	Backoff  time.Duration // pause after the first failure, doubled after each further one, with jitter; 0: 1 s. A snoozed job waits snoozeFactor times as long, at most maxOutagePause

	// Hold reports whether no job may be claimed now; may be nil.
	Hold func() bool

	// Watch is called before each run. It returns the context to run in, and a function that is called at the end with one of
	// the results below. May be nil.
	Watch func(ctx context.Context, kind string, attempt int) (_ context.Context, end func(result string))

	write   func(context.Context, func(*store.Tx) error) error // Store.Write, or a test's
	outages *reporter
}

// Results of a run.
const (
	Done      = "done"
	Retry     = "retry"     // it failed and is retried later
	Returned  = "returned"  // the runner stopped; the run does not count as an attempt
	Snoozed   = "postponed" // the database or the objects were away or full; it is retried later, and the run does not count as an attempt
	Later     = "later"     // it asked for another time with a LaterError; the run does not count as an attempt
	Discarded = "dead"      // it failed too often
)

// LaterError postpones a job to a time: it cannot be done before, or chose its own pause after a failure that it has recorded.
type LaterError struct {
	At     time.Time
	Reason string
}

// Error implements error.
func (e *LaterError) Error() string { return e.Reason }

// Run runs jobs until ctx ends, then waits for those under way.
func (r *Runner) Run(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "jobs.Runner.Run")
	r.setDefaults()
	wake := make(chan struct{}, 1)
	r.Store.Wake(wake)
	poll := time.NewTicker(r.Poll)
	defer poll.Stop()
	beat := time.NewTicker(r.Lease / 3)
	defer beat.Stop()

	running := runningJobs{ids: map[string]bool{}, orgs: map[string]int{}}
	slots := make(chan struct{}, r.Workers)
	done := make(chan struct{}, 1)
	var workers sync.WaitGroup
	failures := 0                  // consecutive claims that failed
	var nextClaim <-chan time.Time // when the next claim may be tried after a failed one; nil: at once
	for {
		free := r.Workers - len(slots)
		if free > 0 && nextClaim == nil {
			claimed, err := r.claim(ctx, free, running.byOrg())
			if err != nil && ctx.Err() == nil {
				failures++
				nextClaim = time.After(r.outagePause(failures))
				r.outages.report(r.Log, "jobs cannot be claimed; they wait until the database is back", "error", err)
			}
			if err == nil && failures > 0 {
				r.Log.Info("jobs are claimed again", "failed_claims", failures)
				failures = 0
			}
			for _, job := range claimed {
				slots <- struct{}{}
				running.add(job)
				workers.Go(func() {
					r.work(ctx, job)
					running.remove(job)
					<-slots
					select {
					case done <- struct{}{}:
					default:
					}
				})
			}
		}
		select {
		case <-ctx.Done():
			r.drain(ctx, &workers, beat.C, &running)
			return nil
		case <-wake:
		case <-poll.C:
		case <-done:
		case <-nextClaim:
			nextClaim = nil
		case <-beat.C:
			if err := r.extend(ctx, running.list()); err != nil && ctx.Err() == nil {
				r.outages.report(r.Log, "extending leases", "error", err)
			}
		}
	}
}

// drain waits for the jobs under way and extends their leases until they have ended.
func (r *Runner) drain(ctx context.Context, workers *sync.WaitGroup, beat <-chan time.Time, running *runningJobs) {
	ended := make(chan struct{})
	go func() {
		workers.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return
		case <-beat:
			if err := r.extend(context.WithoutCancel(ctx), running.list()); err != nil {
				r.outages.report(r.Log, "extending leases", "error", err)
			}
		}
	}
}

func (r *Runner) setDefaults() {
	if r.Workers == 0 {
		r.Workers = 4
	}
	if r.Lease == 0 {
		r.Lease = 9 * time.Second
	}
	if r.Poll == 0 {
		r.Poll = time.Second
	}
	if r.Attempts == 0 {
		r.Attempts = 8
	}
	if r.Backoff == 0 {
		r.Backoff = time.Second
	}
	if r.outages == nil {
		r.outages = &reporter{}
	}
	if r.write == nil {
		r.write = r.Store.Write
	}
}

// claim claims due jobs. A named queue serves organizations in rotation; there one organization may use all but one of
// the workers, because its running jobs cannot make way for another organization's before they end.
func (r *Runner) claim(ctx context.Context, limit int, running map[string]int) (claimed []store.Job, err error) {
	if r.Hold != nil && r.Hold() {
		return nil, nil
	}
	queue := r.Queue
	if queue.Name != "" {
		queue.Each, queue.Running = max(r.Workers-1, 1), running
	}
	due, err := r.Store.View().HasDueJobs(ctx, queue)
	if err != nil || !due {
		return nil, err
	}
	err = r.write(ctx, func(tx *store.Tx) error {
		claimed, err = tx.ClaimJobs(ctx, queue, limit, r.Lease)
		return err
	})
	return claimed, err
}

func (r *Runner) extend(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return r.write(ctx, func(tx *store.Tx) error { return tx.ExtendLeases(ctx, ids, r.Lease) })
}

// work runs one job and records its result, also while the runner is stopping.
func (r *Runner) work(ctx context.Context, job store.Job) {
	end := func(string) {}
	if r.Watch != nil {
		ctx, end = r.Watch(ctx, job.Kind, job.Attempt)
	}
	err := r.run(ctx, job)
	result := r.result(job, err, ctx.Err() != nil)
	if recordErr := r.recordUntilStored(ctx, job, err, result); recordErr != nil {
		r.Log.Error("the result of a job could not be recorded", "kind", job.Kind, "job", job.ID, "error", recordErr)
	} else {
		r.report(job, err, result)
	}
	end(result)
}

// recordUntilStored records the result of a run. While the database is away or full it retries with growing pauses, and
// the worker stays occupied, so that a finished job is not run again and no more jobs are claimed than can be recorded. When the runner
// stops it tries once more.
func (r *Runner) recordUntilStored(ctx context.Context, job store.Job, err error, result string) error {
	recordCtx := context.WithoutCancel(ctx)
	for failures := 1; ; failures++ {
		stopping := ctx.Err() != nil
		recordErr := r.write(recordCtx, func(tx *store.Tx) error { return r.record(recordCtx, tx, job, err, result) })
		if recordErr == nil || stopping || !isOutage(recordErr) {
			return recordErr
		}
		r.outages.report(r.Log, "results of jobs cannot be recorded; they wait until the database is back", "kind", job.Kind, "error", recordErr)
		select {
		case <-time.After(r.outagePause(failures)):
		case <-ctx.Done():
		}
	}
}

// report logs a run that did not succeed, once its result is recorded.
func (r *Runner) report(job store.Job, err error, result string) {
	switch result {
	case Retry:
		r.Log.Warn("job failed and will be retried", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", err)
	case Snoozed:
		r.outages.report(r.Log, "jobs are postponed", "kind", job.Kind, "error", err)
	case Discarded:
		r.Log.Error("job failed for good", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", err)
	}
}

// result classifies the end of a run. A job that was interrupted by a stop or an outage did not fail.
func (r *Runner) result(job store.Job, err error, stopping bool) string {
	switch {
	case err == nil:
		return Done
	case stopping:
		return Returned
	case isLater(err):
		return Later
	case isOutage(err):
		return Snoozed
	case job.Attempt < r.Attempts:
		return Retry
	}
	return Discarded
}

func isLater(err error) bool {
	_, later := errors.AsType[*LaterError](err)
	return later
}

// isOutage reports whether an error is due to an outage, which ends without any change here.
func isOutage(err error) bool {
	for _, target := range []error{outage.ErrDiskFull, outage.ErrUnreachable, outage.ErrObjectsUnreachable, outage.ErrObjectsFull} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// run runs the handler, unless the process died in every attempt so far.
func (r *Runner) run(ctx context.Context, job store.Job) error {
	if job.Attempt > r.Attempts {
		return errors.New("the process died at each attempt")
	}
	handler, known := r.Handlers[job.Kind]
	if !known {
		return fmt.Errorf("no handler for jobs of kind %q", job.Kind)
	}
	return r.guard(job, func() error { return handler.Run(ctx, job) })
}

// guard turns a panic into a failure of this one job.
func (r *Runner) guard(job store.Job, fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.Log.Error("a job panicked", "kind", job.Kind, "job", job.ID, "panic", plaintext.DescribePanic(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %s", plaintext.DescribePanic(p)) // it is stored and logged
		}
	}()
	return fn()
}

// record finishes, returns, postpones, snoozes, retries or discards a job.
func (r *Runner) record(ctx context.Context, tx *store.Tx, job store.Job, err error, result string) error {
	switch result {
	case Done:
		return tx.FinishJob(ctx, job.ID)
	case Returned:
		return tx.ReturnJob(ctx, job)
	case Snoozed:
		return tx.SnoozeJob(ctx, job, tx.Now().Add(jitter(min(snoozeFactor*r.Backoff, maxOutagePause))), err.Error())
	case Later:
		later, _ := errors.AsType[*LaterError](err)
		return tx.SnoozeJob(ctx, job, later.At, later.Reason)
	case Retry:
		return tx.RetryJob(ctx, job, tx.Now().Add(r.retryPause(job.Attempt)), err.Error())
	}
	own, discardErr := tx.DiscardJob(ctx, job, err.Error())
	discard := r.Handlers[job.Kind].Discard
	if discardErr != nil || !own || discard == nil {
		return discardErr
	}
	return r.guard(job, func() error { return discard(ctx, tx, job) })
}

// retryPause grows with the attempts, up to an hour, with jitter.
func (r *Runner) retryPause(attempt int) time.Duration {
	return jitter(min(r.Backoff<<min(attempt-1, 20), time.Hour))
}

const (
	snoozeFactor   = 30                     // multiple of Backoff
	maxOutagePause = 30 * time.Second       // between tries during an outage
	minOutagePause = 500 * time.Millisecond // before the second try; doubled after each further one
)

// outagePause grows with the number of consecutive failed writes.
func (r *Runner) outagePause(failures int) time.Duration {
	return jitter(min(minOutagePause<<min(failures-1, 10), maxOutagePause, snoozeFactor*r.Backoff))
}

// jitter varies a pause by half, so that jobs that failed together do not return together.
func jitter(pause time.Duration) time.Duration { return pause/2 + rand.N(pause/2+1) }

// runningJobs holds the ids of the jobs under way, and how many each organization has.
type runningJobs struct {
	mu   sync.Mutex
	ids  map[string]bool
	orgs map[string]int
}

func (l *runningJobs) add(job store.Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids[job.ID] = true
	l.orgs[job.OrgID]++
}

func (l *runningJobs) remove(job store.Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.ids, job.ID)
	if l.orgs[job.OrgID]--; l.orgs[job.OrgID] == 0 {
		delete(l.orgs, job.OrgID)
	}
}

func (l *runningJobs) byOrg() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.orgs)
}

func (l *runningJobs) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := make([]string, 0, len(l.ids))
	for id := range l.ids {
		ids = append(ids, id)
	}
	return ids
}
