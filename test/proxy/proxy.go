// Package proxy is a TCP proxy for tests and benchmarks that makes a connection worse: it delays every byte by a fixed time, stops passing
// bytes, cuts connections, or refuses new ones. Only suites under test/ import it.
package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Proxy passes connections of its own address on to a target.
type Proxy struct {
	target   string
	delay    time.Duration
	listener net.Listener

	mu      sync.Mutex
	open    map[net.Conn]struct{}
	refuse  bool
	running chan struct{} // closed while bytes pass
	frozen  bool
	closed  bool
	trips   atomic.Int64
	done    sync.WaitGroup
}

// Start listens on a free port of 127.0.0.1 and passes connections on to target, host and port or the path of a socket, until Close. Each
// byte arrives delay later than it was sent, in both directions, so a round trip takes twice delay longer; bytes that are under way at the
// same time are delayed at the same time, as on a long line.
func Start(target string, delay time.Duration) (*Proxy, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, delay: delay, listener: listener, open: map[net.Conn]struct{}{}, running: make(chan struct{})}
	close(p.running)
	p.done.Go(p.accept)
	return p, nil
}

// Address returns the host and port at which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// RoundTrips returns how often a client sent something after it had received the answer to what it sent before: as often did it wait for
// the connection.
func (p *Proxy) RoundTrips() int { return int(p.trips.Load()) }

// Freeze stops passing bytes, in both directions and on every connection, until Thaw. Connections stay open and new ones are accepted, as
// when the machine at the other end is suspended.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.frozen && !p.closed {
		p.frozen, p.running = true, make(chan struct{})
	}
}

// Thaw ends Freeze: the bytes that were held back arrive.
func (p *Proxy) Thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen {
		p.frozen = false
		close(p.running)
	}
}

// Refuse closes new connections at once while on is true, as when nothing listens. Open ones stay.
func (p *Proxy) Refuse(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
}

// Cut closes every open connection, and returns how many there were.
func (p *Proxy) Cut() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.open) / 2
	for c := range p.open {
		c.Close()
	}
	return n
}

// Close stops listening and closes every connection.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Thaw()
	err := p.listener.Close()
	p.Cut()
	p.done.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond) // too many files are open; there may be fewer in a moment
			continue
		}
		p.done.Go(func() { p.serve(conn) })
	}
}

// serve passes one connection on until either side ends it.
func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	p.mu.Lock()
	refuse := p.refuse || p.closed
	p.mu.Unlock()
	if refuse {
		return
	}
	network := "tcp"
	if strings.HasPrefix(p.target, "/") {
		network = "unix"
	}
	target, err := (&net.Dialer{Timeout: 10 * time.Second}).Dial(network, p.target)
	if err != nil {
		return
	}
	defer target.Close()
	if !p.register(client, target) {
		return
	}
	defer p.unregister(client, target)
	var both sync.WaitGroup
	var asked atomic.Bool // but not answered
	both.Go(func() {
		p.pass(target, client, func() {
			if !asked.Swap(true) {
				p.trips.Add(1)
			}
		})
	})
	both.Go(func() { p.pass(client, target, func() { asked.Store(false) }) })
	both.Wait()
}

func (p *Proxy) register(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	for _, c := range conns {
		p.open[c] = struct{}{}
	}
	return true
}

func (p *Proxy) unregister(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.open, c)
	}
}

// A chunk is the result of one read, and when it may be written.
type chunk struct {
	bytes []byte
	due   time.Time
}

// pass copies from one side to the other, and calls each before it passes a chunk on. When a side closes its half, the other's half is
// closed after the bytes that were sent before.
func (p *Proxy) pass(to, from net.Conn, each func()) {
	chunks := make(chan chunk, 1024)
	go func() {
		defer close(chunks)
		for {
			buffer := make([]byte, 32<<10)
			n, err := from.Read(buffer)
			if n > 0 {
				chunks <- chunk{buffer[:n], time.Now().Add(p.delay)}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					to.Close()
				}
				return
			}
		}
	}()
	for next := range chunks {
		if wait := time.Until(next.due); wait > 0 {
			time.Sleep(wait)
		}
		p.mu.Lock()
		running := p.running
		p.mu.Unlock()
		<-running
		each()
		if _, err := to.Write(next.bytes); err != nil {
			from.Close()
			break
		}
	}
	for range chunks { // the reader ends once its side is closed
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
}
