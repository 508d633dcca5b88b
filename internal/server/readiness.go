package server

import (
	"context"
	"sync"
	"time"
)

// readinessAge is how long what was found out about the readiness is told again.
const readinessAge = time.Second

// readiness asks whether the service is ready: once at a time, and not more often than every readinessAge, however many
// want to know.
type readiness struct {
	mu      sync.Mutex
	at      time.Time     // when the last answer came; zero when there was none
	last    error         // that answer
	running chan struct{} // closed when the check under way ends; nil where none is
}

// ask returns what check says, or has just said. The check goes on when ctx ends.
func (r *readiness) ask(ctx context.Context, check func(context.Context) error) error {
	r.mu.Lock()
	if !r.at.IsZero() && time.Since(r.at) < readinessAge {
		defer r.mu.Unlock()
		return r.last
	}
	running := r.running
	if running == nil {
		running = make(chan struct{})
		r.running = running
		go func() {
			err := check(context.WithoutCancel(ctx))
			r.mu.Lock()
			defer r.mu.Unlock()
			r.at, r.last, r.running = time.Now(), err, nil
			close(running)
		}()
	}
	r.mu.Unlock()
	select {
	case <-running:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.last
	case <-ctx.Done():
		return ctx.Err()
	}
}
