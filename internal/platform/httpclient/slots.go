package httpclient

import (
	"context"
	"errors"
)

// ErrStopped means that waiting for a slot was stopped.
var ErrStopped = errors.New("waiting for a slot was stopped")

// Slots limits the concurrent calls of a service. The last quarter is reserved for calls that somebody waits for.
type Slots struct {
	all, background chan struct{}
}

// NewSlots returns n slots.
func NewSlots(n int) Slots {
	return Slots{all: make(chan struct{}, n), background: make(chan struct{}, max(n-(n+3)/4, 1))}
}

// Acquire waits for a slot and returns a function that releases it. It fails with the context's cause, or with ErrStopped if stop
// is closed first; stop may be nil.
func (s Slots) Acquire(ctx context.Context, background bool, stop <-chan struct{}) (release func(), err error) {
	places := []chan struct{}{s.all}
	if background {
		places = []chan struct{}{s.background, s.all}
	}
	taken := 0
	release = func() {
		for _, place := range places[:taken] {
			<-place
		}
	}
	for _, place := range places {
		select {
		case place <- struct{}{}:
			taken++
		case <-ctx.Done():
			release()
			return nil, context.Cause(ctx)
		case <-stop:
			release()
			return nil, ErrStopped
		}
	}
	return release, nil
}
