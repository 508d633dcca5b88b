package store

import (
	"context"
	"runtime"
	"sync/atomic"
)

// courtesy leaves writers a processor where the engine computes in this process. A reader of long pages is always ready to
// run, so a few of them would have participants wait behind every piece that each of them reads. While somebody writes,
// pieces are read by one fewer at a time than there are processors, in the order in which they came. While nobody does,
// nothing waits.
type readLimiter struct {
	writers atomic.Int32
	places  chan struct{}
}

func newReadLimiter() *readLimiter {
	return &readLimiter{places: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// write counts a writer until done is called.
func (c *readLimiter) write() (done func()) {
	if c == nil {
		return func() {}
	}
	c.writers.Add(1)
	return func() { c.writers.Add(-1) }
}

// read waits for a place beside writers, which is kept until done is called.
func (c *readLimiter) read(ctx context.Context) (done func(), err error) {
	if c == nil || c.writers.Load() == 0 {
		return func() {}, nil
	}
	select {
	case c.places <- struct{}{}:
		return func() { <-c.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
