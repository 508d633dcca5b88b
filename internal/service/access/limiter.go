package access

import (
	"math"
	"sync"
	"time"
)

// Limiter limits how often each name (a key, a network) may act: PerSecond times a second, with bursts of twice that. The zero
// value limits nothing. A name is remembered only until its burst is full again, and there are never more than MaxNames, so the
// memory is bounded whoever calls. It is safe for concurrent use.
type Limiter struct {
	PerSecond int              // on all nodes together; 0: no limit
	MaxNames  int              // limit of the names in memory; 0: DefaultNames
	Now       func() time.Time // nil: time.Now

	mu      sync.Mutex
	nodes   int              // 0 stands for 1
	fullAt  map[string]int64 // when the burst of each name is full again, in nanoseconds since 1970
	sweptAt int64
}

// DefaultNames is the number of names that a Limiter remembers: about 12 MB. At the limit each new name replaces another one, which then
// has a full burst.
const DefaultNames = 100_000

// sweepEvery is the interval at which full bursts are removed: a burst holds two seconds, after which it is full again.
const sweepEvery = 3 * time.Second

// Share is a name with its multiple of the limit: a network of many households may act more often than one household.
type Share struct {
	Name  string
	Times int // of the limit; at least 1
}

// Quota is the result of a Take: that of the share with the least left.
type Quota struct {
	OK        bool
	Wait      time.Duration // until the cost is available; 0 if OK
	Limit     int           // the burst; 0 if there is no limit
	Remaining int           // what is left of the burst
	Reset     time.Duration // until the burst is full again
}

// Divide sets the number of nodes among which the limit is divided equally. Each node allows at least bursts of one.
func (l *Limiter) Divide(nodes int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nodes = nodes
}

// part returns this node's part of so many times the limit: the burst, and how long one unit takes to come back.
func (l *Limiter) part(times int) (burst int, interval time.Duration) {
	nodes, perSecond := max(1, l.nodes), l.PerSecond*max(1, times)
	return max(1, 2*perSecond/nodes), max(1, time.Second*time.Duration(nodes)/time.Duration(perSecond))
}

// Allow reports whether name may act now, and otherwise how long it has to wait.
func (l *Limiter) Allow(name string) (ok bool, wait time.Duration) {
	q := l.Take(1, Share{Name: name, Times: 1})
	return q.OK, q.Wait
}

// Take takes cost from every share, or from none if one of them has too little. A cost above a share's burst counts as the full
// burst.
func (l *Limiter) Take(cost int, shares ...Share) Quota {
	if l == nil || l.PerSecond == 0 || len(shares) == 0 {
		return Quota{OK: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	refused, tightest := Quota{OK: true}, Quota{OK: true, Remaining: math.MaxInt}
	for _, s := range shares {
		burst, interval := l.part(s.Times)
		full := max(now, l.fullAt[s.Name]) // when the burst is full if nothing is taken
		after := full + int64(interval)*int64(min(cost, burst))
		q := Quota{OK: true, Limit: burst}
		if short := after - now - int64(interval)*int64(burst); short > 0 {
			q.OK, q.Wait, after = false, time.Duration(short), full
		}
		q.Reset = time.Duration(after - now)
		q.Remaining = max(0, burst-int((q.Reset+interval-1)/interval))
		if q.Wait > refused.Wait {
			refused = q
		}
		if q.Remaining < tightest.Remaining {
			tightest = q
		}
	}
	if !refused.OK {
		return refused
	}
	for _, s := range shares {
		burst, interval := l.part(s.Times)
		l.setFullAt(s.Name, max(now, l.fullAt[s.Name])+int64(interval)*int64(min(cost, burst)))
	}
	return tightest
}

// Charge takes cost from every share even if it is not there: the deficit must be refilled before the next Take succeeds.
func (l *Limiter) Charge(cost int, shares ...Share) {
	if l == nil || l.PerSecond == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	for _, s := range shares {
		_, interval := l.part(s.Times)
		l.setFullAt(s.Name, max(now, l.fullAt[s.Name])+int64(interval)*int64(cost))
	}
}

// Refund returns what a Take of the same cost and shares took.
func (l *Limiter) Refund(cost int, shares ...Share) {
	if l == nil || l.PerSecond == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range shares {
		if full, known := l.fullAt[s.Name]; known {
			burst, interval := l.part(s.Times)
			l.fullAt[s.Name] = full - int64(interval)*int64(min(cost, burst))
		}
	}
}

// clock returns the time, after a sweep if one is due.
func (l *Limiter) clock() int64 {
	at := time.Now
	if l.Now != nil {
		at = l.Now
	}
	now := at().UnixNano()
	if l.fullAt == nil {
		l.fullAt, l.sweptAt = map[string]int64{}, now
	}
	if now-l.sweptAt >= int64(sweepEvery) {
		for name, full := range l.fullAt {
			if full <= now {
				delete(l.fullAt, name) // a new entry has a full burst, too
			}
		}
		l.sweptAt = now
	}
	return now
}

// setFullAt stores when a name's burst is full again. At the limit any other name is removed.
func (l *Limiter) setFullAt(name string, full int64) {
	limit := l.MaxNames
	if limit == 0 {
		limit = DefaultNames
	}
	if _, known := l.fullAt[name]; !known && len(l.fullAt) >= limit {
		for other := range l.fullAt {
			delete(l.fullAt, other)
			break
		}
	}
	l.fullAt[name] = full
}
