package httpx

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Budget bounds the memory that the bodies of all requests under way take together, and what is made of them. A request takes
// from it as its bytes arrive, and gives back when it is answered. Where too much is taken it waits for others, and is refused
// after Wait: 503 busy. No client gets more than half of a part. Share one value.
//
// It has three parts, so that nobody keeps what another needs while waiting for more. A request waits for them in this order alone:
//   - a quarter holds bodies of up to smallBody bytes, with what is made of them where that is little. The more is taken, the less
//     a request may take: see reserves. Large bodies are never in their way.
//   - a quarter holds larger bodies, each with all that it may become from smallBody bytes on, whatever has arrived of it;
//   - half of it is for what is made of bodies that have arrived: in the order of arrival, and each has all that it needs before
//     it begins. No sender is waited for here.
type Budget struct {
	Bytes int64         // 0: DefaultBudget
	Wait  time.Duration // 0: 3 s; for large bodies five times that

	mu    sync.Mutex
	small part
	large part
	freed chan struct{} // closed when something is given back; nil: nobody waits

	once  sync.Once
	parse *semaphore.Weighted
}

// part is what is taken of a part of the budget.
type part struct {
	taken    int64
	byClient map[string]int64 // taken by each client
}

// DefaultBudget is how many bytes all bodies may take, LeastBudget the fewest that a server can work with: half of a quarter of
// it is enough for the largest body.
const (
	DefaultBudget = 96 << 20
	LeastBudget   = 64 << 20
)

// smallBody is the most that a body, or what is made of it, may take to be served beside the large ones.
const smallBody = 512 << 10

// largePatience is how many times as long as a small one a large body waits: each of those before it is stored meanwhile.
const largeWaitFactor = 5

// reserves are what is kept of the first part for small requests: one that takes more than so many bytes leaves so many
// sixteenths free. Most answers of participants take less than the first.
var reserves = []struct{ above, sixteenths int64 }{{8 << 10, 1}, {32 << 10, 2}, {128 << 10, 4}}

type accountKey struct{}

// account is what one request has taken. Only the goroutine of its handler uses it.
type account struct {
	budget  *Budget
	clients []string
	small   int64
	large   int64
	parse   int64
}

// Serve gives every request with a body an account, on the name of its client.
func (b *Budget) Serve(client func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		own := &account{budget: b, clients: []string{client(r)}}
		defer own.close()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, own)))
	})
}

// OnBehalf adds a client, by a name that is no network's, to those that a request's body counts for. It is called before the body
// is read.
func ChargeTo(ctx context.Context, client string) {
	if own, ok := ctx.Value(accountKey{}).(*account); ok && !slices.Contains(own.clients, client) {
		own.clients = append(own.clients, client)
	}
}

// chargeBody sets what a body that arrives takes to so many bytes, as soon as they can be had; 503 busy when that takes too long.
// A large one is to ask for all that it may become. Where nobody opened an account nothing is bounded.
func chargeBody(ctx context.Context, bytes int64) error {
	own, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return nil
	}
	if bytes <= smallBody {
		return own.wait(ctx, &own.budget.small, &own.small, bytes, 1)
	}
	if err := own.wait(ctx, &own.budget.large, &own.large, bytes, largeWaitFactor); err != nil {
		return err
	}
	own.budget.setShare(own.clients, &own.budget.small, &own.small, 0)
	return nil
}

// chargeParsed takes what is made of a body that has arrived; 503 busy.
func chargeParsed(ctx context.Context, bytes int64) error {
	own, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return nil
	}
	if own.large == 0 && own.small+bytes <= smallBody {
		return own.wait(ctx, &own.budget.small, &own.small, own.small+bytes, 1)
	}
	bytes = min(bytes, own.budget.size()/2) // one alone is taken, whatever it weighs
	timeout, cancel := context.WithTimeout(ctx, own.budget.timeout(largeWaitFactor))
	defer cancel()
	if parsing := own.budget.parsing(); !parsing.TryAcquire(bytes) && parsing.Acquire(timeout, bytes) != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errBusy()
	}
	own.parse = bytes
	return nil
}

func (b *Budget) size() int64 {
	if b.Bytes == 0 {
		return DefaultBudget
	}
	return b.Bytes
}

func (b *Budget) timeout(times int) time.Duration {
	if b.Wait == 0 {
		return time.Duration(times) * 3 * time.Second
	}
	return time.Duration(times) * b.Wait
}

func (b *Budget) parsing() *semaphore.Weighted {
	b.once.Do(func() { b.parse = semaphore.NewWeighted(b.size() / 2) })
	return b.parse
}

func errBusy() error {
	e := Errorf(http.StatusServiceUnavailable, "busy", "Too many large requests arrive at once. Send yours again.")
	e.Header = http.Header{"Retry-After": {"5"}}
	return e
}

// wait sets what the account has of a part, as soon as that can be had.
func (a *account) wait(ctx context.Context, of *part, has *int64, bytes int64, times int) error {
	var timeout *time.Timer
	for {
		freed := a.budget.setShare(a.clients, of, has, bytes)
		if freed == nil {
			return nil
		}
		if timeout == nil {
			timeout = time.NewTimer(a.budget.timeout(times))
			defer timeout.Stop()
		}
		select {
		case <-freed:
		case <-timeout.C:
			return errBusy()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// move sets what clients have of a part. Where that cannot be had now, it changes nothing and returns a channel that is closed
// when something is given back.
func (b *Budget) setShare(clients []string, of *part, has *int64, bytes int64) (freed <-chan struct{}) {
	all := b.size() / 4
	bytes = min(bytes, all/2) // one body alone is taken, whatever it weighs
	b.mu.Lock()
	defer b.mu.Unlock()
	more, bound := bytes-*has, all
	for _, r := range reserves {
		if of == &b.small && bytes > r.above {
			bound = all - all/16*r.sixteenths
		}
	}
	full := of.taken+more > bound
	for _, client := range clients {
		full = full || of.byClient[client]+more > all/2
	}
	if more > 0 && full {
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		return b.freed
	}
	if of.byClient == nil {
		of.byClient = map[string]int64{}
	}
	of.taken += more
	*has = bytes
	for _, client := range clients {
		if of.byClient[client] += more; of.byClient[client] == 0 {
			delete(of.byClient, client)
		}
	}
	if more < 0 && b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
	return nil
}

func (a *account) close() {
	a.budget.setShare(a.clients, &a.budget.small, &a.small, 0)
	a.budget.setShare(a.clients, &a.budget.large, &a.large, 0)
	if a.parse > 0 {
		a.budget.parsing().Release(a.parse)
	}
}
