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
	if n := len(l.names); n > 4000 {
		t.Errorf("%d names are kept", n)
	}
	now = now.Add(sweepEvery)
	l.Allow("last")
	if n := len(l.names); n != 1 {
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
