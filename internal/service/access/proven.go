package access

import (
	"sync"
	"time"
)

// Proven remembers which keys were valid here lately, so that who guesses keys cannot shut out those of the same network
// that have one. It holds keys that exist alone, by their hash: strangers put nothing into it. The zero value is ready for
// use, and it is safe for concurrent use.
type Proven struct {
	Now func() time.Time // nil: time.Now

	mu        sync.Mutex
	lastValid map[string]time.Time // by hash, when it last was valid
}

// How long, and how many, keys are remembered; for one too many any other makes room.
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

// Has reports whether a key was valid lately.
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

// Remove forgets a key, because it is not valid any more.
func (p *Proven) Remove(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lastValid, hash)
}
