package server

import (
	"container/list"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

// boundedListener accepts at most max connections, and at most perNetwork of one client's network. Where there is no room
// a new connection takes the place of the oldest one that has no request under way, of the same network or of any, or else
// of the oldest one that has been sending the body of a request for slowBody. It is closed where there is none. So an idle
// or slow connection is kept as long as nobody needs its place. Uploads may take their time. A network that is full gets no
// more than renewals new places a second, since each costs the server a request's setup, which a flood of them would take
// from everybody.
type boundedListener struct {
	net.Listener
	max, perNetwork int // 0: no limit
	trusted         func(netip.Addr) bool
	log             *slog.Logger
	now             func() time.Time
	renewals        access.Limiter // of networks that are full

	mu       sync.Mutex
	open     int
	networks map[string]int
	waiting  list.List // of *boundedConn without a request under way, the oldest first
	sending  list.List // of *boundedConn that send the body of a request, the oldest first
	warned   time.Time
}

// boundedConn is a connection that a boundedListener counts.
type boundedConn struct {
	net.Conn
	listener *boundedListener
	networks []access.Share // none of a trusted proxy, which stands for many clients

	// Kept by the listener, under its lock.
	waiting  *list.Element // nil while a request is under way
	sending  *list.Element // nil where no body is under way
	since    time.Time     // of sending
	released bool
}

// renewals is how many new connections a second a network that is full may have in place of old ones, after twice as many
// at once.
const maxRenewals = 50

// slowBody is how long a body may be under way before its connection may have to make room.
const slowBody = 5 * time.Second

// bound puts the limits of the server's connections on a listener.
func (s *Server) bound(listener net.Listener) *boundedListener {
	l := &boundedListener{
		Listener: listener, max: s.MaxConnections, perNetwork: s.MaxNetworkConnections, trusted: s.trusts, log: s.Log, now: time.Now, networks: map[string]int{},
	}
	l.renewals = access.Limiter{PerSecond: maxRenewals, Now: func() time.Time { return l.now() }}
	return l
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
		if l.networks[network.Name] >= l.perNetwork*network.Times && !(l.renewals.Take(1, network).OK && l.makeRoom(network.Name)) {
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

// makeRoom closes the connection that is needed least, of a network or of any when it is empty, and reports whether there
// was one.
func (l *boundedListener) makeRoom(network string) bool {
	for _, from := range []*list.List{&l.waiting, &l.sending} {
		for at := from.Front(); at != nil; at = at.Next() {
			c := at.Value.(*boundedConn)
			if from == &l.sending && l.now().Sub(c.since) < slowBody {
				break // those behind it came later
			}
			if network == "" || c.inNetwork(network) {
				l.release(c)
				_ = c.Conn.Close() // whoever reads from it learns that
				return true
			}
		}
	}
	return false
}

func (c *boundedConn) inNetwork(network string) bool {
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
	removeElement(&l.waiting, &c.waiting)
	removeElement(&l.sending, &c.sending)
}

// leave takes a connection's element from a list, if it is there.
func removeElement(from *list.List, element **list.Element) {
	if *element != nil {
		from.Remove(*element)
		*element = nil
	}
}

type connKey struct{}

// withConn is a http.Server's ConnContext.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// noteBodies lets the listener know which connections send the body of a request, until its end or until a handler says
// that it may take long.
func trackBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ours := r.Context().Value(connKey{}).(*boundedConn); ours && r.ContentLength != 0 {
			c.setSending(true)
			r = r.WithContext(httpx.WithLongBodyHook(r.Context(), func() { c.setSending(false) }))
			r.Body = &trackedBody{r.Body, c}
		}
		next.ServeHTTP(w, r)
	})
}

// noted is a body whose end is noted.
type trackedBody struct {
	io.ReadCloser
	conn *boundedConn
}

// Read implements io.Reader.
func (n *trackedBody) Read(b []byte) (int, error) {
	read, err := n.ReadCloser.Read(b)
	if err != nil {
		n.conn.setSending(false)
	}
	return read, err
}

// sends notes that a body begins or ends.
func (c *boundedConn) setSending(begins bool) {
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	removeElement(&l.sending, &c.sending)
	if begins && !c.released {
		c.since = l.now()
		c.sending = l.sending.PushBack(c)
	}
}

// warn says once a minute that connections are closed.
func (l *boundedListener) warn(what string) {
	if now := l.now(); now.Sub(l.warned) >= time.Minute {
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
		removeElement(&l.waiting, &c.waiting)
	case state == http.StateIdle && c.waiting == nil:
		removeElement(&l.sending, &c.sending) // what nobody read of a body is thrown away by now
		c.waiting = l.waiting.PushBack(c)
	}
}
