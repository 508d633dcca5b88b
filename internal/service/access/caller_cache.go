package access

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"verbatim/internal/domain/org"
)

// CallerCache caches which caller each key belonged to. An entry is not proof: a read for a cached caller checks the key in the
// same statement, see store.View.For. The zero value is ready for use, and it is safe for concurrent use.
type CallerCache struct {
	mu      sync.Mutex
	callers map[string]cachedCaller // by the key's hash
}

type cachedCaller struct {
	caller org.Caller
	until  time.Time
}

// How long callers are cached, and how many; at the limit any other entry is removed.
const (
	cachedFor = 10 * time.Minute
	maxCached = 50_000
)

// Find returns the caller that a key belonged to when it was last valid, as an unproven caller.
func (c *CallerCache) Find(hash string) (org.Caller, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, known := c.callers[hash]
	if !known || hash == "" || time.Now().After(found.until) {
		return org.Caller{}, false
	}
	return found.caller, true
}

// Add caches the caller of a key.
func (c *CallerCache) Add(hash string, caller org.Caller) {
	if hash == "" {
		return // without a hash the entry could not be found
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

// Remove removes the caller of a key.
func (c *CallerCache) Remove(hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.callers, hash)
}

// unprovenCall is a request whose caller is still to be proven.
type unprovenCall struct {
	caller org.Caller
	prove  func() (org.Caller, error)
	proven bool
}

type unprovenCallKey struct{}

// WithUnproven returns a context for a request whose caller is known only from the cache. CallerOf finds no caller in it: only
// handlers wrapped with Late serve such requests. prove looks the key up, and its error becomes the response.
func WithUnproven(ctx context.Context, caller org.Caller, prove func() (org.Caller, error)) context.Context {
	return context.WithValue(ctx, unprovenCallKey{}, &unprovenCall{caller: caller, prove: prove})
}

// Read calls read for the context's caller. If the caller is unproven and read fails with org.ErrUnverified, it proves the caller
// and calls read again.
func Read[T any](ctx context.Context, read func(org.Caller) (T, error)) (T, error) {
	call, _ := ctx.Value(unprovenCallKey{}).(*unprovenCall)
	if call == nil {
		return read(CallerOf(ctx))
	}
	if !call.proven {
		got, err := read(call.caller)
		if !errors.Is(err, org.ErrUnverified) {
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

// WithProof wraps a handler whose reads go through Read, so that it serves unproven callers: an error of the handler is returned
// only to a proven caller.
func WithProof(handle func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
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
