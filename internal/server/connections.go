package server

import (
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"verbatim/internal/access"
)

// boundedListener accepts at most max connections, and at most perNetwork of one client's network. Where there is no room
// a new connection takes the place of the oldest one that has no request under way, of the same network or of any, and is
// closed where there is none. So an idle connection is kept as long as nobody needs its place.
type boundedListener struct {
	net.Listener
	max, perNetwork int // 0: no limit
	trusted         func(netip.Addr) bool
	log             *slog.Logger

	mu       sync.Mutex
	open     int
	networks map[string]int
	waiting  list.List // of *boundedConn without a request under way, the oldest first
	warned   time.Time
}

// boundedConn is a connection that a boundedListener counts.
type boundedConn struct {
	net.Conn
	listener *boundedListener
	networks []access.Share // none of a trusted proxy, which stands for many clients

	// Kept by the listener, under its lock.
	waiting  *list.Element // nil while a request is under way
	released bool
}

// bound puts the limits of the server's connections on a listener.
func (s *Server) bound(listener net.Listener) *boundedListener {
	return &boundedListener{
		Listener: listener, max: s.MaxConnections, perNetwork: s.MaxNetworkConnections, trusted: s.trusts, log: s.Log, networks: map[string]int{},
	}
}

// Accept implements net.Listener.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.admit(conn); admitted != nil {
			return admitted, nil
		}
		_ = conn.Close() // nothing was said on it
	}
}

// admit counts a connection, and returns nil where there is no room for it.
func (l *boundedListener) admit(conn net.Conn) *boundedConn {
	c := &boundedConn{Conn: conn, listener: l}
	if address, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil && l.perNetwork > 0 && !l.trusted(address.Addr().Unmap()) {
		c.networks = access.Networks(address.Addr())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, network := range c.networks {
		if l.networks[network.Name] >= l.perNetwork*network.Times && !l.makeRoom(network.Name) {
			l.warn("a network has as many connections as it may; new ones are closed")
			return nil
		}
	}
	if l.max > 0 && l.open >= l.max && !l.makeRoom("") {
		l.warn("there are as many connections as there may be; new ones are closed")
		return nil
	}
	l.open++
	for _, network := range c.networks {
		l.networks[network.Name]++
	}
	c.waiting = l.waiting.PushBack(c)
	return c
}

// makeRoom closes the oldest connection of a network, or of any when it is empty, that has no request under way, and
// reports whether there was one.
func (l *boundedListener) makeRoom(network string) bool {
	for at := l.waiting.Front(); at != nil; at = at.Next() {
		c := at.Value.(*boundedConn)
		if network == "" || c.in(network) {
			l.release(c)
			_ = c.Conn.Close() // whoever reads from it learns that
			return true
		}
	}
	return false
}

func (c *boundedConn) in(network string) bool {
	for _, n := range c.networks {
		if n.Name == network {
			return true
		}
	}
	return false
}

// release gives a connection's place back, once.
func (l *boundedListener) release(c *boundedConn) {
	if c.released {
		return
	}
	c.released = true
	l.open--
	for _, n := range c.networks {
		if l.networks[n.Name]--; l.networks[n.Name] == 0 {
			delete(l.networks, n.Name)
		}
	}
	l.active(c)
}

// active takes a connection from those that wait for a request.
func (l *boundedListener) active(c *boundedConn) {
	if c.waiting != nil {
		l.waiting.Remove(c.waiting)
		c.waiting = nil
	}
}

// warn says once a minute that connections are closed.
func (l *boundedListener) warn(what string) {
	if now := time.Now(); now.Sub(l.warned) >= time.Minute {
		l.warned = now
		l.log.Warn(what, "open", l.open, "limit", l.max, "limit_per_network", l.perNetwork)
	}
}

// Close implements net.Conn.
func (c *boundedConn) Close() error {
	c.listener.mu.Lock()
	c.listener.release(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// connState is a http.Server's ConnState. A connection is active from the end of a request's header to the end of its
// answer.
func (l *boundedListener) connState(conn net.Conn, state http.ConnState) {
	c, ours := conn.(*boundedConn)
	if !ours {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case c.released:
	case state == http.StateActive:
		l.active(c)
	case state == http.StateIdle && c.waiting == nil:
		c.waiting = l.waiting.PushBack(c)
	}
}
