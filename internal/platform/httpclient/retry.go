package httpclient

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// MaxPause is the longest that a call itself waits for a service that sent Retry-After. For longer waits the call fails and
// its caller should wait.
const MaxPause = 30 * time.Second

// Pauses are the waits between the attempts of a call. The first is a random time from Min to Max, and each is twice as long as
// the one before, so that calls that failed together do not come back together.
type Pauses struct{ Min, Max time.Duration }

// Retry repeats attempt until it succeeds or returns an error made by Final. Between attempts it pauses, at least as long as the
// service asked for in a Failure. It returns the last attempt's error where the context would end before the pause, or the
// pause is longer than MaxPause, and the context's cause where it ends.
func Retry(ctx context.Context, pauses Pauses, attempt func() error) error {
	waits := &waits{exponential: backoff.ExponentialBackOff{
		InitialInterval: (pauses.Min + pauses.Max) / 2, RandomizationFactor: float64(pauses.Max-pauses.Min) / float64(pauses.Max+pauses.Min),
		Multiplier: 2, MaxInterval: MaxPause,
	}}
	waits.deadline, waits.limited = ctx.Deadline()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := attempt()
		waits.retryAfter = 0
		if asked, ok := errors.AsType[interface {
			error
			retryAfter() time.Duration
		}](err); ok {
			waits.retryAfter = asked.retryAfter()
		}
		return struct{}{}, err
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(0))
	return err
}

// Final marks an error after which Retry makes no further attempt. Retry returns err itself.
func Final(err error) error { return backoff.Permanent(err) }

// waits computes the pauses of one call.
type waits struct {
	exponential backoff.ExponentialBackOff
	retryAfter  time.Duration // as the service asked in its last answer
	deadline    time.Time
	limited     bool // there is a deadline
}

// NextBackOff implements backoff.BackOff.
func (w *waits) NextBackOff() time.Duration {
	wait := max(min(w.exponential.NextBackOff(), MaxPause), w.retryAfter)
	if wait > MaxPause || w.limited && time.Until(w.deadline) <= wait {
		return backoff.Stop
	}
	return wait
}

// Reset implements backoff.BackOff.
func (w *waits) Reset() { w.exponential.Reset() }
