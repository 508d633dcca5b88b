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

// boundedListener accepts at most max connections, and at most perNetwork of one network. Where there is no room, a new
// connection replaces the oldest one without a running request, of the same network or of any. If there is none, it replaces
// the oldest one that has been sending the body of a request for slowBody. Otherwise the new connection is closed. So idle
// and slow connections are kept until their place is needed, and uploads may take their time. A network that is full gets at
// most maxRenewals new connections a second, since the setup of each costs time that a flood would take from everybody.
type boundedListener struct {
	net.Listener
	max, perNetwork int // 0: no limit
	trusted         func(netip.Addr) bool
	log             *slog.Logger
	now             func() time.Time
	renewals        access.Limiter // limits the new connections of full networks

	mu       sync.Mutex
	open     int
	networks map[string]int
	waiting  list.List // of *boundedConn without a running request, the oldest first
	sending  list.List // of *boundedConn that are sending the body of a request, the oldest first
	warned   time.Time
}

// boundedConn is a connection that counts for the limits of a boundedListener.
type boundedConn struct {
	net.Conn
	listener *boundedListener
	networks []access.Share // empty for a trusted proxy, which serves many clients

	// The listener's lock guards the rest.
	waiting  *list.Element // nil while a request is running
	sending  *list.Element // nil while no body is being sent
	since    time.Time     // since when a body is being sent
	released bool
}

// maxRenewals is the rate at which new connections may replace old ones of a full network, in connections a second. A burst
// may be twice as large.
const maxRenewals = 50

// slowBody is how long a body may be sent before its connection may be closed to make room.
const slowBody = 5 * time.Second

// bound limits the connections of a listener as the server's fields say.
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
		_ = conn.Close() // nothing was sent on it yet
	}
}

// admit counts a connection. It returns nil where there is no room for it.
func (l *boundedListener) admit(conn net.Conn) *boundedConn {
	c := &boundedConn{Conn: conn, listener: l}
	if address, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil && l.perNetwork > 0 && !l.trusted(address.Addr().Unmap()) {
		c.networks = access.Networks(address.Addr())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, network := range c.networks {
		if l.networks[network.Name] >= l.perNetwork*network.Times && !(l.renewals.Take(1, network).OK && l.makeRoom(network.Name)) {
			l.warn("a network has reached its limit of connections; new ones are closed")
			return nil
		}
	}
	if l.max > 0 && l.open >= l.max && !l.makeRoom("") {
		l.warn("the limit of connections is reached; new ones are closed")
		return nil
	}
	l.open++
	for _, network := range c.networks {
		l.networks[network.Name]++
	}
	c.waiting = l.waiting.PushBack(c)
	return c
}

// makeRoom closes the connection that is needed least, of one network or, where network is empty, of any. It reports whether
// there was one.
func (l *boundedListener) makeRoom(network string) bool {
	for _, from := range []*list.List{&l.waiting, &l.sending} {
		for at := from.Front(); at != nil; at = at.Next() {
			c := at.Value.(*boundedConn)
			if from == &l.sending && l.now().Sub(c.since) < slowBody {
				break // the rest started later
			}
			if network == "" || c.inNetwork(network) {
				l.release(c)
				_ = c.Conn.Close() // its reader gets an error
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

// release frees the place of a connection, once.
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

// removeElement removes an element from a list, unless it is nil, and sets it to nil.
func removeElement(from *list.List, element **list.Element) {
	if *element != nil {
		from.Remove(*element)
		*element = nil
	}
}

type connKey struct{}

// withConn is the ConnContext of the http.Server.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// trackBodies keeps the listener informed which connections are sending the body of a request, until the body ends or its handler
// allows it to take long.
func trackBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*boundedConn); ok && r.ContentLength != 0 {
			c.setSending(true)
			r = r.WithContext(httpx.WithLongBodyHook(r.Context(), func() { c.setSending(false) }))
			r.Body = &trackedBody{r.Body, c}
		}
		next.ServeHTTP(w, r)
	})
}

// trackedBody informs the listener when the body ends.
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

// setSending records that a body starts or ends.
func (c *boundedConn) setSending(sending bool) {
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	removeElement(&l.sending, &c.sending)
	if sending && !c.released {
		c.since = l.now()
		c.sending = l.sending.PushBack(c)
	}
}

// warn logs at most once a minute that connections are closed.
func (l *boundedListener) warn(message string) {
	if now := l.now(); now.Sub(l.warned) >= time.Minute {
		l.warned = now
		l.log.Warn(message, "open", l.open, "limit", l.max, "limit_per_network", l.perNetwork)
	}
}

// Close implements net.Conn.
func (c *boundedConn) Close() error {
	c.listener.mu.Lock()
	c.listener.release(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// connState is the ConnState of the http.Server. A connection is active from the end of a request's header to the end of its
// answer.
func (l *boundedListener) connState(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*boundedConn)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case c.released:
	case state == http.StateActive:
		removeElement(&l.waiting, &c.waiting)
	case state == http.StateIdle && c.waiting == nil:
		removeElement(&l.sending, &c.sending) // net/http has discarded the unread rest of a body by now
		c.waiting = l.waiting.PushBack(c)
	}
}
