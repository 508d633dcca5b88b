package access

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limiter bounds how often each of many names (keys, addresses) may act: PerSecond times a second, with bursts of twice
// that. The zero value limits nothing. It remembers a name only while its burst is not whole again, so its memory is
// bounded by the names of the last few seconds. It is safe for concurrent use.
type Limiter struct {
	PerSecond int              // on all nodes together; 0: no limit
	Now       func() time.Time // nil: time.Now

	mu    sync.Mutex
	nodes int // 0 stands for 1
	names map[string]*rate.Limiter
	swept time.Time
}

// sweepEvery is how often whole bursts are forgotten: every burst is whole again after the two seconds it holds.
const sweepEvery = 3 * time.Second

// Divide lets this node's limiter pass an equal part of the limit, from now on, because so many nodes pass theirs. Each
// passes at least bursts of one.
func (l *Limiter) Divide(nodes int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nodes = nodes
}

// part is what each name may do here: times a second, and at once.
func (l *Limiter) part() (perSecond rate.Limit, burst int) {
	nodes := max(1, l.nodes)
	return rate.Limit(float64(l.PerSecond) / float64(nodes)), max(1, 2*l.PerSecond/nodes)
}

// Allow tells whether name may act now, and otherwise how long it has to wait.
func (l *Limiter) Allow(name string) (ok bool, wait time.Duration) {
	if l == nil || l.PerSecond == 0 {
		return true, 0
	}
	now := time.Now()
	if l.Now != nil {
		now = l.Now()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.names == nil {
		l.names, l.swept = map[string]*rate.Limiter{}, now
	}
	if now.Sub(l.swept) >= sweepEvery {
		l.sweep(now)
	}
	perSecond, burst := l.part()
	bucket, known := l.names[name]
	switch {
	case !known:
		bucket = rate.NewLimiter(perSecond, burst)
		l.names[name] = bucket
	case bucket.Limit() != perSecond:
		bucket.SetLimitAt(now, perSecond)
		bucket.SetBurstAt(now, burst)
	}
	if bucket.AllowN(now, 1) {
		return true, 0
	}
	return false, time.Duration((1 - bucket.TokensAt(now)) / float64(perSecond) * float64(time.Second))
}

// sweep forgets the names whose burst is whole: they would be given a whole one anyway.
func (l *Limiter) sweep(now time.Time) {
	for name, bucket := range l.names {
		if bucket.TokensAt(now) >= float64(bucket.Burst()) {
			delete(l.names, name)
		}
	}
	l.swept = now
}
