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

// readinessAge is how long the result of a readiness check is reused.
const readinessAge = time.Second

// readiness checks whether the service is ready: one check at a time, and at most one every readinessAge, however many
// requests come.
type readiness struct {
	mu      sync.Mutex
	at      time.Time     // when the last check ended; zero before the first
	last    error         // its result
	running chan struct{} // closed when the running check ends; nil when none is running

	log    *slog.Logger // gets a line when the service stops being ready, one every unreadyEvery while it is not, and one when it is again; nil: none
	logged time.Time    // when the last such line was written; zero while the service is ready
}

// unreadyEvery is the interval at which the log repeats that the service is not ready.
const unreadyEvery = time.Minute

// note logs the result of a check. r.mu must be held.
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

// health is the body of /readyz and /healthz. It does not contain the cause of a problem: that is in the log.
type health struct {
	Status  string `json:"status"`
	Objects string `json:"objects,omitempty"` // whether recordings and uploads can be reached; empty where there are none
}

// healthOf returns the answer of /readyz. Without its object store the service is ready: interviews go on.
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

// ask returns the result of check, or a recent one. The check is not cancelled when ctx ends.
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
