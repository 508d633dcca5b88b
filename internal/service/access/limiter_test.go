package access

import (
	"strconv"
	"testing"
	"time"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 5, Now: func() time.Time { return now }}
	allowed := func(name string) (n int) {
		for {
			ok, wait := l.Allow(name)
			if !ok {
				if wait <= 0 || wait > time.Second/5 {
					t.Errorf("%s has to wait %v", name, wait)
				}
				return n
			}
			n++
		}
	}
	if got := allowed("a"); got != 10 {
		t.Errorf("a burst of %d, want 10", got)
	}
	if got := allowed("b"); got != 10 {
		t.Errorf("another's burst of %d, want 10", got)
	}
	now = now.Add(time.Second)
	if got := allowed("a"); got != 5 {
		t.Errorf("%d in the next second, want 5", got)
	}
	now = now.Add(time.Hour)
	if got := allowed("a"); got != 10 {
		t.Errorf("a burst of %d after an hour, want 10", got)
	}
}

func TestLimiterForgets(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 1, Now: func() time.Time { return now }}
	for i := range 10_000 {
		l.Allow(strconv.Itoa(i))
		now = now.Add(time.Millisecond)
	}
	if n := len(l.fullAt); n > 4000 {
		t.Errorf("%d names are kept", n)
	}
	now = now.Add(sweepEvery)
	l.Allow("last")
	if n := len(l.fullAt); n != 1 {
		t.Errorf("%d names are kept, want the last alone", n)
	}
}

func TestNoLimit(t *testing.T) {
	t.Parallel()
	var none *Limiter
	for _, l := range []*Limiter{none, {}} {
		for range 1000 {
			if ok, _ := l.Allow("a"); !ok {
				t.Fatal("refused without a limit")
			}
		}
	}
}

// TestLimiterIsBounded: 150,000 networks at one moment use no more memory than DefaultNames.
func TestLimiterIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 1, Now: func() time.Time { return now }}
	for i := range 150_000 {
		if ok, _ := l.Allow(strconv.Itoa(i)); !ok {
			t.Fatalf("the network %d was refused for what others did", i)
		}
	}
	if n := len(l.fullAt); n != DefaultNames {
		t.Errorf("%d names are kept, want %d", n, DefaultNames)
	}
}

// TestShares: the parts of a wide network share its limit, and a refused network uses nothing.
func TestShares(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 5, Now: func() time.Time { return now }}
	passed := 0
	for i := range 1000 {
		if l.Take(1, Share{strconv.Itoa(i), 1}, Share{"wide", 4}).OK {
			passed++
		}
	}
	if passed != 40 {
		t.Errorf("%d of 1000 networks of a wide one passed at once, want 40", passed)
	}
	if n := len(l.fullAt); n != 41 {
		t.Errorf("%d names are kept, want 41: those that were refused are not", n)
	}
	q := l.Take(1, Share{"0", 1}, Share{"wide", 4})
	if want := (Quota{Wait: 50 * time.Millisecond, Limit: 40, Reset: 2 * time.Second}); q != want {
		t.Errorf("refused with %+v, want %+v", q, want)
	}
	if q = l.Take(1, Share{"0", 1}); q != (Quota{OK: true, Limit: 10, Remaining: 8, Reset: 400 * time.Millisecond}) {
		t.Errorf("passed with %+v", q)
	}
}

// TestCosts: a higher cost leaves less, a returned cost is available again, and no cost exceeds a burst.
func TestCosts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := &Limiter{PerSecond: 10, Now: func() time.Time { return now }}
	a := Share{"a", 1}
	for i, want := range []bool{true, true, false} {
		if q := l.Take(10, a); q.OK != want {
			t.Errorf("the %d. of cost 10: %+v", i+1, q)
		}
	}
	l.Refund(10, a)
	if q := l.Take(10, a); !q.OK {
		t.Errorf("what was given back is not there: %+v", q)
	}
	if q := l.Take(1000, Share{"b", 1}); !q.OK || q.Remaining != 0 {
		t.Errorf("a cost beyond the burst: %+v", q)
	}
	c := Share{"c", 1}
	l.Charge(30, c) // of 20
	if q := l.Take(1, c); q.OK || q.Wait != 1100*time.Millisecond {
		t.Errorf("after a charge beyond the burst: %+v", q)
	}
	now = now.Add(2 * time.Second)
	if q := l.Take(1000, Share{"b", 1}); !q.OK {
		t.Errorf("a cost beyond the burst, later: %+v", q)
	}
}
