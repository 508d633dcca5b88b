package access

import (
	"math"
	"sync"
	"time"
)

// Limiter bounds how often each of many names (keys, networks) may act: PerSecond times a second, with bursts of twice
// that. The zero value limits nothing. It remembers a name only while its burst is not whole again, and never more than
// MaxNames, so its memory is bounded whoever calls. It is safe for concurrent use.
type Limiter struct {
	PerSecond int              // on all nodes together; 0: no limit
	MaxNames  int              // the most names that are remembered; 0: DefaultNames
	Now       func() time.Time // nil: time.Now

	mu      sync.Mutex
	nodes   int              // 0 stands for 1
	fullAt  map[string]int64 // when the burst of each is whole again, in nanoseconds since 1970
	sweptAt int64
}

// DefaultNames is how many names a Limiter remembers: some 12 MB. Beyond them one that is remembered is forgotten for
// each new one, which gives that one a whole burst.
const DefaultNames = 100_000

// sweepEvery is how often whole bursts are forgotten: every burst is whole again after the two seconds it holds.
const sweepEvery = 3 * time.Second

// Share is a name with its part of a limit: a network of many households may do more than one of one.
type Share struct {
	Name  string
	Times int // of the limit; at least 1
}

// Quota is the answer to a Take: that of the share that has the least left.
type Quota struct {
	OK        bool
	Wait      time.Duration // how long until what was asked for is there; 0 when OK
	Limit     int           // how many may act at once: the burst; 0 where there is no limit
	Remaining int           // how many of them are left
	Reset     time.Duration // how long until the burst is whole again
}

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

// part returns what so many times the limit are here: how many at once, and how long one takes to come back.
func (l *Limiter) part(times int) (burst int, interval time.Duration) {
	nodes, perSecond := max(1, l.nodes), l.PerSecond*max(1, times)
	return max(1, 2*perSecond/nodes), max(1, time.Second*time.Duration(nodes)/time.Duration(perSecond))
}

// Allow reports whether name may act now, and otherwise how long it has to wait.
func (l *Limiter) Allow(name string) (ok bool, wait time.Duration) {
	q := l.Take(1, Share{Name: name, Times: 1})
	return q.OK, q.Wait
}

// Take lets every share act cost times at once, or none of them where one may not. A cost larger than a share's burst
// counts as the whole burst.
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
		full := max(now, l.fullAt[s.Name]) // when the burst is whole, were nothing taken
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

// Charge takes cost of every share, whether it is there or not: what is missing has to come back before the next Take.
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

// Give takes back what a Take of the same cost and shares took.
func (l *Limiter) Give(cost int, shares ...Share) {
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

// clock returns the time, after a sweep where one is due.
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
				delete(l.fullAt, name) // it would be given a whole burst anyway
			}
		}
		l.sweptAt = now
	}
	return now
}

// remember notes when a name's burst is whole. Where there are too many names, any one makes room.
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
