package httpx

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// MinPacedRate is a quarter of what a phone on a 2G network sends. The sender of a paced body must reach it on average in each
// PaceWindow, counted from the first read. Slower senders are cut off, so that they cannot fill a server with requests that
// never end. The handler keeps what has arrived, and the client can resume from there.
const (
	MinPacedRate = 512 // bytes a second
	PaceWindow   = 30 * time.Second
)

// ErrCut is returned by reads of a paced body that was cut off.
var ErrCut = errors.New("the body was cut off")

// Paced is a body whose sender must keep the pace.
type Paced struct {
	body    io.ReadCloser
	control *http.ResponseController
	now     func() time.Time

	mu        sync.Mutex
	cut       bool
	windowEnd time.Time // of the current window
	remaining int       // bytes that must still arrive in the window
}

// Pace replaces the body of r with a paced one, whatever deadline the connection had before.
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
		_ = p.control.SetReadDeadline(time.Time{}) // the handler may take longer
	}
	return n, err
}

// extendDeadline sets the read deadline of the connection to the end of the window, and starts another window when enough
// has arrived in the last one.
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
	_ = p.control.SetReadDeadline(p.windowEnd) // fails with httptest.ResponseRecorder, which has no deadlines
	return nil
}

// Cut makes the current read and every later one fail.
func (p *Paced) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	_ = p.control.SetReadDeadline(time.Unix(1, 0))
}

// Close implements io.Closer.
func (p *Paced) Close() error { return p.body.Close() }
