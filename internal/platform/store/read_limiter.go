package store

import (
	"context"
	"runtime"
	"sync/atomic"
)

// readLimiter allows at most GOMAXPROCS-1 page reads (but at least one) at a time while a write is active, so that SQLite's
// writer is not starved: the engine computes in this process, and a reader of long pages is always ready to run. Reads that
// wait are let in in the order in which they came. While no write is active, nothing waits.
type readLimiter struct {
	writers atomic.Int32
	slots   chan struct{}
}

func newReadLimiter() *readLimiter {
	return &readLimiter{slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// write counts an active write until done is called.
func (l *readLimiter) write() (done func()) {
	if l == nil {
		return func() {}
	}
	l.writers.Add(1)
	return func() { l.writers.Add(-1) }
}

// read waits for a slot if a write is active, and keeps it until done is called.
func (l *readLimiter) read(ctx context.Context) (done func(), err error) {
	if l == nil || l.writers.Load() == 0 {
		return func() {}, nil
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
