package signin

import (
	"sync"
	"time"
)

// WaitError refuses a try because of earlier failures.
type WaitError struct{ For time.Duration }

// Error implements error.
func (e *WaitError) Error() string { return "too many failed tries: wait " + e.For.String() }

// How often each may fail before tries have to wait, and how long they wait at most. The first wait is firstWait, and each further
// failure doubles it. An address that fails from many networks waits less than one that fails from one, so that strangers can slow its owner
// down but not lock the owner out.
var (
	pairLimit    = slowLimit{free: 5, longest: 15 * time.Minute} // an address from one network
	addressLimit = slowLimit{free: 30, longest: time.Minute}     // an address from anywhere
	networkLimit = slowLimit{free: 20, longest: 15 * time.Minute}
)

const (
	firstWait   = 2 * time.Second
	forgetAfter = time.Hour // after the last failure
	maxNames    = 50_000    // about 10 MB
)

type slowLimit struct {
	free    int
	longest time.Duration
}

// wait returns how long to wait after so many failures.
func (l slowLimit) wait(failures int) time.Duration {
	beyond := failures - l.free
	if beyond < 0 {
		return 0
	}
	return min(firstWait<<min(beyond, 20), l.longest)
}

type tries struct {
	failures int
	last     time.Time
}

// slowdown remembers failures by name, at most maxNames of them; at the limit a new name replaces any other. Its zero value is ready for use.
type slowdown struct {
	mu    sync.Mutex
	names map[string]tries
}

type limited struct {
	name string
	slowLimit
}

// begin counts a try as a failure of every name, before its result is known: tries at the same time see each other. It returns how long
// to wait instead, and counts nothing, if one of the names has to.
func (s *slowdown) begin(now time.Time, names ...limited) (wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]tries{}
	}
	for _, n := range names {
		if t, known := s.names[n.name]; known {
			if now.Sub(t.last) >= forgetAfter {
				delete(s.names, n.name)
				continue
			}
			wait = max(wait, t.last.Add(n.wait(t.failures)).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	for _, n := range names {
		t, known := s.names[n.name]
		if !known && len(s.names) >= maxNames {
			for other := range s.names {
				delete(s.names, other)
				break
			}
		}
		s.names[n.name] = tries{t.failures + 1, now}
	}
	return 0
}

// succeeded takes back what begin counted, and forgets the failures of the first name.
func (s *slowdown) succeeded(names ...limited) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, n := range names {
		t, known := s.names[n.name]
		if t.failures--; i == 0 || t.failures <= 0 {
			delete(s.names, n.name)
		} else if known {
			s.names[n.name] = t
		}
	}
}
