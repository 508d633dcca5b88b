package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"verbatim/internal/domain/outage"
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

	log    *slog.Logger // told when the service stops being ready, every so often while it is not, and when it is again; nil: nobody
	logged time.Time    // when it was told last that the service is not ready; zero while it is
}

// unreadyEvery is how often the log says that the service is still not ready.
const unreadyEvery = time.Minute

// note logs an answer. r.mu is held.
func (r *readiness) note(err error, now time.Time) {
	switch {
	case r.log == nil:
	case err != nil && now.Sub(r.logged) >= unreadyEvery:
		r.log.Warn("not ready", "error", err)
		r.logged = now
	case err == nil && !r.logged.IsZero():
		r.log.Info("ready again")
		r.logged = time.Time{}
	}
}

// health is what probes are told. They are not told the cause: the log is.
type health struct {
	Status  string `json:"status"`
	Objects string `json:"objects,omitempty"` // whether recordings and uploads can be reached; empty where there are none
}

// healthOf returns the answer to who asks whether the service is ready. Without its objects it is: interviews go on.
func healthOf(err error, objects func() error) (status int, h health) {
	status = http.StatusServiceUnavailable
	switch {
	case err == nil:
		status, h.Status = http.StatusOK, "ok"
	case errors.Is(err, outage.ErrDiskFull):
		h.Status = "no room to write"
	case errors.Is(err, outage.ErrBusy):
		h.Status = "database busy"
	default:
		h.Status = "database unreachable"
	}
	if objects != nil {
		h.Objects = "reachable"
		if objects() != nil {
			h.Objects = "away"
		}
	}
	return status, h
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
			r.note(err, r.at)
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
