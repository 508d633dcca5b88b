package blob

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"verbatim/internal/domain/outage"
)

// Watch knows whether a store can be reached: it checks regularly, so that nobody has to wait to find out. Share one value.
type Watch struct {
	Store  Store
	Log    *slog.Logger  // receives a message when the store goes away and when it is back
	Every  time.Duration // pause between two checks; 0: 5 s
	Within time.Duration // timeout of a check; 0: 3 s

	mu  sync.Mutex
	err error
}

// Run checks regularly until ctx ends.
func (w *Watch) Run(ctx context.Context) {
	every := w.Every
	if every == 0 {
		every = 5 * time.Second
	}
	pause := time.NewTicker(every)
	defer pause.Stop()
	for {
		_ = w.Check(ctx) // Away returns it
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// Check checks the store now. It returns outage.ErrObjectsUnreachable with the cause.
func (w *Watch) Check(ctx context.Context) error {
	timeout := w.Within
	if timeout == 0 {
		timeout = 3 * time.Second
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := w.Store.Ready(bounded)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, outage.ErrObjectsUnreachable) {
		err = fmt.Errorf("%w: %w", outage.ErrObjectsUnreachable, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil && w.err == nil:
		w.Log.Warn("recordings and uploads cannot be reached; interviews go on without them", "error", err)
	case err == nil && w.err != nil:
		w.Log.Info("recordings and uploads can be reached again")
	}
	w.err = err
	return err
}

// Err returns the result of the last check, outage.ErrObjectsUnreachable or nil; nil before the first.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
