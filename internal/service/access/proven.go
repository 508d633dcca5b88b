package access

import (
	"sync"
	"time"
)

// Proven remembers which keys were valid recently, so that somebody who guesses keys cannot lock out clients of the same
// network that have a valid one. It holds only keys that exist, by their hash: strangers cannot fill it. The zero value is
// ready for use, and it is safe for concurrent use.
type Proven struct {
	Now func() time.Time // nil: time.Now

	mu        sync.Mutex
	lastValid map[string]time.Time // by hash
}

// How long keys are remembered, and how many; at the limit any other one is removed.
const (
	provenFor = 24 * time.Hour
	maxProven = 50_000
)

func (p *Proven) clock() time.Time {
	if p.Now != nil {
		return p.Now()
	}
	return time.Now()
}

// Has reports whether a key was valid recently.
func (p *Proven) Has(hash string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := p.lastValid[hash]
	return known && p.clock().Sub(at) < provenFor
}

// Add notes that a key is valid now.
func (p *Proven) Add(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lastValid == nil {
		p.lastValid = map[string]time.Time{}
	}
	if _, known := p.lastValid[hash]; !known && len(p.lastValid) >= maxProven {
		for other := range p.lastValid {
			delete(p.lastValid, other)
			break
		}
	}
	p.lastValid[hash] = p.clock()
}

// Remove removes a key that is not valid any more.
func (p *Proven) Remove(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lastValid, hash)
}
