package httpio

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Budget bounds the memory that the bodies of all requests under way take together, and what is made of them. A request takes
// from it as its bytes arrive, whatever its Content-Length claims, and gives back when it is answered. Where too much is taken
// it waits for others, and is refused after Wait: 503 busy.
//
// The last quarter is for requests that take little, so that large ones cannot keep them out; and no client gets more than
// half. Share one value.
type Budget struct {
	Bytes int64         // 0: DefaultBudget
	Wait  time.Duration // 0: 3 s

	mu    sync.Mutex
	taken int64
	by    map[string]int64 // taken by each client
	freed chan struct{}    // closed when something is given back; nil: nobody waits
}

// DefaultBudget is how many bytes all bodies may take, LeastBudget the fewest that a server can work with: half of it is
// enough for the largest body.
const (
	DefaultBudget = 96 << 20
	LeastBudget   = 64 << 20
)

// little is how much a request may take of the last quarter.
const little = 512 << 10

type accountKey struct{}

// account is what one request has taken. Only the goroutine of its handler uses it.
type account struct {
	budget *Budget
	client string
	taken  int64
}

// Serve gives every request with a body an account, on the name of its client.
func (b *Budget) Serve(client func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		own := &account{budget: b, client: client(r)}
		defer own.close()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, own)))
	})
}

// charge sets what the request takes to so many bytes together, as soon as they can be had; 503 busy when that takes too long.
// Where nobody opened an account nothing is bounded.
func charge(ctx context.Context, bytes int64) error {
	own, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return nil
	}
	b := own.budget
	wait := b.Wait
	if wait == 0 {
		wait = 3 * time.Second
	}
	var patience *time.Timer
	for {
		freed := b.move(own, bytes)
		if freed == nil {
			return nil
		}
		if patience == nil {
			patience = time.NewTimer(wait)
			defer patience.Stop()
		}
		select {
		case <-freed:
		case <-patience.C:
			e := Errorf(http.StatusServiceUnavailable, "busy", "Too many large requests arrive at once. Send yours again.")
			e.Header = http.Header{"Retry-After": {"5"}}
			return e
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// move sets what an account has taken. Where that cannot be had now, it changes nothing and returns a channel that is closed
// when something is given back.
func (b *Budget) move(own *account, bytes int64) (freed <-chan struct{}) {
	all := b.Bytes
	if all == 0 {
		all = DefaultBudget
	}
	bytes = min(bytes, all/2) // one body alone is taken, whatever it weighs
	b.mu.Lock()
	defer b.mu.Unlock()
	more, bound := bytes-own.taken, all
	if bytes > little {
		bound -= all / 4
	}
	if more > 0 && (b.taken+more > bound || b.by[own.client]+more > all/2) {
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		return b.freed
	}
	if b.by == nil {
		b.by = map[string]int64{}
	}
	b.taken += more
	own.taken = bytes
	if b.by[own.client] += more; b.by[own.client] == 0 {
		delete(b.by, own.client)
	}
	if more < 0 && b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
	return nil
}

func (a *account) close() { a.budget.move(a, 0) }
