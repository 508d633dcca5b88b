package httpx

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Budget limits the memory that all request bodies and what is parsed from them take together. A request is charged as its
// bytes arrive, and gets everything refunded when it is answered. If the budget is used up a request waits for others,
// and is refused with 503 busy after Wait. One client gets at most half of each part. Share one value.
//
// The budget has three parts, so that no request holds what another one needs while it waits for more. A request waits for
// them in this order alone:
//   - A quarter is for bodies of up to smallBody bytes, with what is parsed from them if that is small. The more is used,
//     the smaller a request must be: see reserves. Large bodies never take from this part.
//   - A quarter is for larger bodies. A body of more than smallBody bytes is charged its largest possible size at once,
//     however little has arrived.
//   - Half is for what is parsed from bodies that have arrived. Requests get it in the order of arrival, and each gets all
//     that it needs before it starts. Nobody waits for a sender here.
type Budget struct {
	Bytes int64         // 0: DefaultBudget
	Wait  time.Duration // 0: 3 s; five times as long for large bodies

	mu    sync.Mutex
	small part
	large part
	freed chan struct{} // closed when something is refunded; nil: nobody waits

	once  sync.Once
	parse *semaphore.Weighted
}

// part is the use of one part of the budget, in bytes.
type part struct {
	used     int64
	byClient map[string]int64 // the same for each client
}

// DefaultBudget is the size of a budget that does not set its own, and MinBudget the smallest that a server can work with: an
// eighth of it, a client's half of the part for large bodies, holds the largest body. Both are in bytes.
const (
	DefaultBudget = 96 << 20
	MinBudget     = 64 << 20
)

// smallBody is the most that a body, or what is parsed from it, may take to be served from the part for small ones, in
// bytes.
const smallBody = 512 << 10

// largeWaitFactor multiplies the time that a large body waits, compared with a small one: those before it may all be stored meanwhile.
const largeWaitFactor = 5

// reserves keep shares of the first part for small requests: a larger request than above, in bytes, is served only if it leaves
// that number of sixteenths of the part free. Most answers of participants are below the first limit.
var reserves = []struct{ above, sixteenths int64 }{{8 << 10, 1}, {32 << 10, 2}, {128 << 10, 4}}

type accountKey struct{}

// account counts the bytes that one request is charged. Only the goroutine of its handler uses it.
type account struct {
	budget  *Budget
	clients []string
	small   int64
	large   int64
	parse   int64
}

// Serve opens an account for every request with a body, in the name of its client.
func (b *Budget) Serve(client func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		acct := &account{budget: b, clients: []string{client(r)}}
		defer acct.close()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, acct)))
	})
}

// ChargeTo charges the body of a request to a further client, whose name must differ from those of networks. Call it before
// the body is read.
func ChargeTo(ctx context.Context, client string) {
	if acct, ok := ctx.Value(accountKey{}).(*account); ok && !slices.Contains(acct.clients, client) {
		acct.clients = append(acct.clients, client)
	}
}

// chargeBody sets the charge of an arriving body to bytes, as soon as they are available; 503 busy when that takes too long.
// For a large body it must be the largest size that the body may have. Without an account nothing is limited.
func chargeBody(ctx context.Context, bytes int64) error {
	acct, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return nil
	}
	if bytes <= smallBody {
		return acct.wait(ctx, &acct.budget.small, &acct.small, bytes, 1)
	}
	if err := acct.wait(ctx, &acct.budget.large, &acct.large, bytes, largeWaitFactor); err != nil {
		return err
	}
	acct.budget.setShare(acct.clients, &acct.budget.small, &acct.small, 0)
	return nil
}

// chargeParsed charges what is parsed from a body that has arrived; 503 busy when that takes too long.
func chargeParsed(ctx context.Context, bytes int64) error {
	acct, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return nil
	}
	if acct.large == 0 && acct.small+bytes <= smallBody {
		return acct.wait(ctx, &acct.budget.small, &acct.small, acct.small+bytes, 1)
	}
	bytes = min(bytes, acct.budget.size()/2) // never more than all of the part, so that a single huge request can still be served
	timeout, cancel := context.WithTimeout(ctx, acct.budget.timeout(largeWaitFactor))
	defer cancel()
	if parsing := acct.budget.parsing(); !parsing.TryAcquire(bytes) && parsing.Acquire(timeout, bytes) != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errBusy()
	}
	acct.parse = bytes
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
	e := Errorf(http.StatusServiceUnavailable, "busy", "The server is processing too many large requests. Send the request again.")
	e.Header = http.Header{"Retry-After": {"5"}}
	return e
}

// wait sets the charge of the account in one part, as soon as the bytes are available.
func (a *account) wait(ctx context.Context, of *part, charged *int64, bytes int64, times int) error {
	var timeout *time.Timer
	for {
		freed := a.budget.setShare(a.clients, of, charged, bytes)
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

// setShare sets the charge of the clients in one part. If the bytes are not available it changes nothing, and returns a
// channel that is closed when something is refunded.
func (b *Budget) setShare(clients []string, of *part, charged *int64, bytes int64) (freed <-chan struct{}) {
	all := b.size() / 4
	bytes = min(bytes, all/2) // never more than a client's half, so that a single huge body can still be served
	b.mu.Lock()
	defer b.mu.Unlock()
	more, limit := bytes-*charged, all
	for _, r := range reserves {
		if of == &b.small && bytes > r.above {
			limit = all - all/16*r.sixteenths
		}
	}
	full := of.used+more > limit
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
	of.used += more
	*charged = bytes
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
