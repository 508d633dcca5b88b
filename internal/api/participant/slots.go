package participant

import (
	"context"
	"net/http"
	"sync"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

// Slots bounds the requests under way whose bodies bring uploads: they may last as long as their senders keep a slow pace, and
// each holds a connection. Share one value.
type Slots struct {
	All  int // in this process; 0: no limit
	Each int // of one address; a wide IPv6 network may have more. 0: no limit

	mu   sync.Mutex
	all  int
	from map[string]int // by the name of the network
}

// UploadsOfOne is how many uploads one address may have under way unless the operator says otherwise: a classroom of 60 whose
// interviews record three tracks.
const UploadsOfOne = 192

// retryUpload is in how many seconds an upload that found no slot may come again.
const retryUpload = "5"

// take takes a slot for a request, which release gives back; 429 rate_limited where the network of its client has all of its own,
// 503 busy where the process has none left.
func (s *Slots) take(ctx context.Context) (release func(), err error) {
	networks := access.ClientOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, network := range networks {
		if s.Each > 0 && s.from[network.Name] >= s.Each*max(1, network.Times) {
			return nil, noSlot(http.StatusTooManyRequests, "rate_limited", "At most %d uploads from your network can be under way at once. Send yours again in %s s.", s.Each*max(1, network.Times), retryUpload)
		}
	}
	if s.All > 0 && s.all >= s.All {
		return nil, noSlot(http.StatusServiceUnavailable, "busy", "Too many uploads are under way. Send yours again in %s s.", retryUpload)
	}
	s.all++
	if s.from == nil {
		s.from = map[string]int{}
	}
	for _, network := range networks {
		s.from[network.Name]++
	}
	return func() { s.give(networks) }, nil
}

func (s *Slots) give(networks []access.Share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	for _, network := range networks {
		if s.from[network.Name]--; s.from[network.Name] == 0 {
			delete(s.from, network.Name)
		}
	}
}

// noSlot is an answer behind which the connection closes: the body is not read.
func noSlot(status int, code, format string, args ...any) error {
	e := httpx.Errorf(status, code, format, args...)
	e.Header = http.Header{"Retry-After": {retryUpload}, "Connection": {"close"}}
	return e
}

// withSlot has a handler serve requests with a body while they have a slot alone.
func (d *API) withSlot(h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if d.Slots == nil || r.ContentLength == 0 {
			return h(w, r)
		}
		release, err := d.Slots.take(r.Context())
		if err != nil {
			return err
		}
		defer release()
		return h(w, r)
	}
}
