package httpx

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// A sender of a body that is paced has to bring LeastRate bytes a second, measured over each PaceWindow from its first read:
// a quarter of what a phone on a 2G network sends. Whoever is slower is cut off, so that slow senders cannot fill a server
// with requests that never end. What arrived is kept where the handler keeps it, and a client goes on from there.
const (
	MinPacedRate = 512 // bytes a second
	PaceWindow   = 30 * time.Second
)

// ErrCut is what a paced body gives once it was cut.
var ErrCut = errors.New("the body was cut off")

// Paced is a body that must keep the pace.
type Paced struct {
	body    io.ReadCloser
	control *http.ResponseController
	now     func() time.Time

	mu        sync.Mutex
	cut       bool
	windowEnd time.Time // of the window
	remaining int       // bytes that are still to come in it
}

// Pace has the request's body keep to LeastRate, whatever deadline the connection had before.
func Pace(w http.ResponseWriter, r *http.Request) *Paced {
	p := &Paced{body: r.Body, control: http.NewResponseController(w), now: time.Now}
	r.Body = p
	return p
}

// Read implements io.Reader.
func (p *Paced) Read(b []byte) (int, error) {
	if err := p.extendDeadline(); err != nil {
		return 0, err
	}
	n, err := p.body.Read(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remaining -= n
	if err == io.EOF && !p.cut {
		_ = p.control.SetReadDeadline(time.Time{}) // what is done with the body may take longer
	}
	return n, err
}

// begin sets the connection's deadline to the end of the window, and begins another window where enough came in the last.
func (p *Paced) extendDeadline() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return ErrCut
	}
	now := p.now()
	if p.windowEnd.IsZero() || p.remaining <= 0 {
		p.windowEnd, p.remaining = now.Add(PaceWindow), MinPacedRate*int(PaceWindow/time.Second)
	}
	if !now.Before(p.windowEnd) {
		p.cut = true
		return ErrCut
	}
	_ = p.control.SetReadDeadline(p.windowEnd) // a recorder in a test has no deadlines
	return nil
}

// Cut ends the read that is under way, and every later one, with an error.
func (p *Paced) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	_ = p.control.SetReadDeadline(time.Unix(1, 0))
}

// Close implements io.Closer.
func (p *Paced) Close() error { return p.body.Close() }
