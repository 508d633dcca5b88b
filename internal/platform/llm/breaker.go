package llm

import (
	"sync"
	"time"
)

const (
	maxFailures   = 5 // in a row, until the service is left alone
	firstCooldown = 15 * time.Second
	lastCooldown  = 2 * time.Minute
)

// verdict is the state of the service as a call showed it.
type verdict int

const (
	unknown verdict = iota // nothing: the caller left, or the service is up and busy
	healthy
	broken
)

// breaker is a circuit breaker. After a number of failures in a row it opens; after the cooldown it lets one call through at
// a time, and closes when one of them succeeds. The zero value is closed.
type breaker struct {
	mu       sync.Mutex
	failures int
	until    time.Time     // end of the cooldown; zero: closed
	cooldown time.Duration // the current one
	probing  bool          // one call was let through
	tripped  chan struct{} // closed when the breaker opens, for the calls that entered before
}

// permit is the permission to make one call.
type permit struct {
	probe   bool
	tripped <-chan struct{} // nil for a probe
}

// enter lets a call through, or fails with ErrOpen.
func (b *breaker) enter(now time.Time) (permit, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.until.IsZero():
		if b.tripped == nil {
			b.tripped = make(chan struct{})
		}
		return permit{tripped: b.tripped}, nil
	case b.probing || now.Before(b.until):
		return permit{}, ErrOpen
	}
	b.probing = true
	return permit{probe: true}, nil
}

// leave records the result of a call. Of calls that were in progress when the breaker opened, only successes count.
func (b *breaker) leave(p permit, v verdict, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.probe {
		b.probing = false
	}
	switch {
	case v == healthy:
		b.failures, b.until, b.cooldown = 0, time.Time{}, 0
	case v == broken && p.probe && !b.until.IsZero():
		b.cooldown = min(2*b.cooldown, lastCooldown)
		b.until = now.Add(b.cooldown)
	case v == broken && b.until.IsZero():
		if b.failures++; b.failures < maxFailures {
			return
		}
		b.cooldown = firstCooldown
		b.until = now.Add(b.cooldown)
		if b.tripped != nil {
			close(b.tripped)
			b.tripped = nil
		}
	}
}

// open reports whether enter would refuse now.
func (b *breaker) open(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.until.IsZero() && (b.probing || now.Before(b.until))
}
