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
func (r *CallerCache) Find(hash string) (org.Caller, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, known := r.callers[hash]
	if !known || hash == "" || time.Now().After(found.until) {
		return org.Caller{}, false
	}
	return found.caller, true
}

// Add remembers the caller that a key was found to be of.
func (r *CallerCache) Add(hash string, caller org.Caller) {
	if hash == "" {
		return // what has no hash cannot be looked up again
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.callers == nil {
		r.callers = map[string]cachedCaller{}
	}
	if _, known := r.callers[hash]; !known && len(r.callers) >= maxCached {
		for other := range r.callers {
			delete(r.callers, other)
			break
		}
	}
	caller.Unproven = hash
	r.callers[hash] = cachedCaller{caller, time.Now().Add(cachedFor)}
}

// Remove forgets who held a key.
func (r *CallerCache) Remove(hash string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.callers, hash)
}

// promise is a caller of a request who is to be proven.
type promise struct {
	caller org.Caller
	prove  func() (org.Caller, error)
	proven bool
}

type promiseKey struct{}

// WithUnproven returns a context of a call whose caller is known from earlier calls alone. CallerOf finds nobody in it: only a
// handler that is made for it, by Late, serves such a call. prove looks the key up, and its error is the answer.
func WithUnproven(ctx context.Context, caller org.Caller, prove func() (org.Caller, error)) context.Context {
	return context.WithValue(ctx, promiseKey{}, &promise{caller: caller, prove: prove})
}

// Read calls read for the caller of a context: for an unproven one where there is one, and where that fails for want of proof
// once more for the proven one.
func Read[T any](ctx context.Context, read func(org.Caller) (T, error)) (T, error) {
	p, _ := ctx.Value(promiseKey{}).(*promise)
	if p == nil {
		return read(CallerOf(ctx))
	}
	if !p.proven {
		got, err := read(p.caller)
		if !errors.Is(err, org.ErrUnproven) {
			p.proven = err == nil
			return got, err
		}
		if p.caller, err = p.prove(); err != nil {
			return got, err
		}
		p.proven = true
	}
	return read(p.caller)
}

// Late makes a handler whose reads go through Read serve unproven callers: an error of its own is answered only to who is
// proven.
func Late(handle func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := handle(w, r)
		if p, _ := r.Context().Value(promiseKey{}).(*promise); p != nil && !p.proven && err != nil {
			if _, refused := p.prove(); refused != nil {
				return refused
			}
		}
		return err
	}
}
