package store

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// rangeLimiter limits the connections that readers of long pages use at a time, so that a few dozen of them leave some to
// others. At most half of the read pool may stay with readers between two calls of NextItems, while they write to their
// clients. The other readers of long pages take turns on a quarter, for the length of a call.
type rangeLimiter struct {
	pool    *pool
	kept    atomic.Int64
	reading *semaphore.Weighted
}

func newRangeLimiter(p *pool) *rangeLimiter {
	return &rangeLimiter{pool: p, reading: semaphore.NewWeighted(int64(max(1, p.size/4)))}
}

// keep reports whether a reader may keep a connection between calls. If so it may until done is called.
func (l *rangeLimiter) keep() (done func(), ok bool) {
	if l == nil {
		return nil, false
	}
	if l.kept.Add(1) > int64(l.pool.currentShare()/2) {
		l.kept.Add(-1)
		return nil, false
	}
	return sync.OnceFunc(func() { l.kept.Add(-1) }), true
}

// read waits for a connection for one call. It is counted until done is called.
func (l *rangeLimiter) read(ctx context.Context) (done func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	if err := l.reading.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { l.reading.Release(1) }), nil
}
