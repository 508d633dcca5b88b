package access

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"verbatim/internal/domain/org"
)

// Recalled remembers who held which key lately. What it says is not proof: whoever reads for a recalled caller looks the key
// up in the same statement, see store.View.For. The zero value is ready for use, and it is safe for concurrent use.
type CallerCache struct {
	mu      sync.Mutex
	callers map[string]cachedCaller // by the key's hash
}

type cachedCaller struct {
	caller org.Caller
	until  time.Time
}

// How long, and how many, callers are remembered; for one too many any other makes room.
const (
	cachedFor = 10 * time.Minute
	maxCached = 50_000
)

// Find returns who held a key when it was valid last, as an unproven caller.
func (c *CallerCache) Find(hash string) (org.Caller, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, known := c.callers[hash]
	if !known || hash == "" || time.Now().After(found.until) {
		return org.Caller{}, false
	}
	return found.caller, true
}

// Add remembers the caller that a key was found to be of.
func (c *CallerCache) Add(hash string, caller org.Caller) {
	if hash == "" {
		return // what has no hash cannot be looked up again
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.callers == nil {
		c.callers = map[string]cachedCaller{}
	}
	if _, known := c.callers[hash]; !known && len(c.callers) >= maxCached {
		for other := range c.callers {
			delete(c.callers, other)
			break
		}
	}
	caller.Unproven = hash
	c.callers[hash] = cachedCaller{caller, time.Now().Add(cachedFor)}
}

// Remove forgets who held a key.
func (c *CallerCache) Remove(hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.callers, hash)
}

// promise is a caller of a request who is to be proven.
type unprovenCall struct {
	caller org.Caller
	prove  func() (org.Caller, error)
	proven bool
}

type unprovenCallKey struct{}

// WithUnproven returns a context of a call whose caller is known from earlier calls alone. CallerOf finds nobody in it: only a
// handler that is made for it, by Late, serves such a call. prove looks the key up, and its error is the answer.
func WithUnproven(ctx context.Context, caller org.Caller, prove func() (org.Caller, error)) context.Context {
	return context.WithValue(ctx, unprovenCallKey{}, &unprovenCall{caller: caller, prove: prove})
}

// Read calls read for the caller of a context: for an unproven one where there is one, and where that fails for want of proof
// once more for the proven one.
func Read[T any](ctx context.Context, read func(org.Caller) (T, error)) (T, error) {
	call, _ := ctx.Value(unprovenCallKey{}).(*unprovenCall)
	if call == nil {
		return read(CallerOf(ctx))
	}
	if !call.proven {
		got, err := read(call.caller)
		if !errors.Is(err, org.ErrUnproven) {
			call.proven = err == nil
			return got, err
		}
		if call.caller, err = call.prove(); err != nil {
			return got, err
		}
		call.proven = true
	}
	return read(call.caller)
}

// Late makes a handler whose reads go through Read serve unproven callers: an error of its own is answered only to who is
// proven.
func Late(handle func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := handle(w, r)
		if call, _ := r.Context().Value(unprovenCallKey{}).(*unprovenCall); call != nil && !call.proven && err != nil {
			if _, refused := call.prove(); refused != nil {
				return refused
			}
		}
		return err
	}
}
