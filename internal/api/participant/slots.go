package participant

import (
	"context"
	"net/http"
	"sync"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

// Slots limits the concurrent requests that send uploads. Each of them holds a connection, for long where its sender is slow. Share
// one value.
type Slots struct {
	All  int // maximum in this process; 0: no limit
	Each int // maximum of one address; larger IPv6 networks may have more. 0: no limit

	mu   sync.Mutex
	all  int
	from map[string]int // requests by name of network
}

// retryUpload is the Retry-After of an upload that got no slot, in seconds.
const retryUpload = "5"

// acquire returns a function that releases the slot of a request. It returns 429 rate_limited where the client's network has used all
// of its slots, and 503 busy where the process has none left.
func (s *Slots) acquire(ctx context.Context) (release func(), err error) {
	networks := access.ClientOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, network := range networks {
		if s.Each > 0 && s.from[network.Name] >= s.Each*max(1, network.Times) {
			return nil, slotError(http.StatusTooManyRequests, "rate_limited", "At most %d uploads from your network can be under way at once. Send yours again in %s s.", s.Each*max(1, network.Times), retryUpload)
		}
	}
	if s.All > 0 && s.all >= s.All {
		return nil, slotError(http.StatusServiceUnavailable, "busy", "Too many uploads are under way. Send yours again in %s s.", retryUpload)
	}
	s.all++
	if s.from == nil {
		s.from = map[string]int{}
	}
	for _, network := range networks {
		s.from[network.Name]++
	}
	return func() { s.release(networks) }, nil
}

func (s *Slots) release(networks []access.Share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	for _, network := range networks {
		if s.from[network.Name]--; s.from[network.Name] == 0 {
			delete(s.from, network.Name)
		}
	}
}

// slotError returns an error that closes the connection, because the body is not read.
func slotError(status int, code, format string, args ...any) error {
	e := httpx.Errorf(status, code, format, args...)
	e.Header = http.Header{"Retry-After": {retryUpload}, "Connection": {"close"}}
	return e
}

// WithSlot wraps a handler so that it serves requests with a body only while they hold a slot.
func (a *API) WithSlot(h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if a.Slots == nil || r.ContentLength == 0 {
			return h(w, r)
		}
		release, err := a.Slots.acquire(r.Context())
		if err != nil {
			return err
		}
		defer release()
		return h(w, r)
	}
}
