package server

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
)

// socket is a connection with a given remote address, which records whether it was closed.
type socket struct {
	net.Conn
	from   string
	closed bool
}

func (s *socket) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s.from))
}
func (s *socket) Close() error { s.closed = true; return nil }

// queue is a listener with a fixed list of connections.
type queue struct{ conns []net.Conn }

func (q *queue) Accept() (net.Conn, error) {
	if len(q.conns) == 0 {
		return nil, io.EOF
	}
	conn := q.conns[0]
	q.conns = q.conns[1:]
	return conn, nil
}
func (q *queue) Close() error   { return nil }
func (q *queue) Addr() net.Addr { return &net.TCPAddr{} }

// testListener is a bounded listener over a queue.
type testListener struct {
	t *testing.T
	q *queue
	l *boundedListener
}

func newTestListener(t *testing.T, limit, perNetwork int) *testListener {
	t.Helper()
	s := &Server{
		MaxConnections: limit, MaxNetworkConnections: perNetwork, Log: slog.New(slog.DiscardHandler),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
	}
	q := &queue{}
	return &testListener{t, q, s.bound(q)}
}

// connect offers a connection from an address. in is nil where it was refused.
func (s *testListener) connect(from string) (offered *socket, in net.Conn) {
	s.t.Helper()
	offered = &socket{from: from}
	s.q.conns = append(s.q.conns, offered)
	in, err := s.l.Accept()
	if err != nil && !errors.Is(err, io.EOF) {
		s.t.Fatal(err)
	}
	if in == nil && !offered.closed {
		s.t.Error("what was refused stays open")
	}
	return offered, in
}

// TestConnectionsOfOneNetwork: a network has a maximum of connections with a running request. Of those without, the oldest
// makes room.
func TestConnectionsOfOneNetwork(t *testing.T) {
	t.Parallel()
	s := newTestListener(t, 100, 3)
	const home = "203.0.113.7:1000"
	var offered []*socket
	var in []net.Conn
	for range 3 {
		c, i := s.connect(home)
		offered, in = append(offered, c), append(in, i)
		s.l.connState(i, http.StateActive)
	}
	if _, fourth := s.connect(home); fourth != nil {
		t.Error("a fourth was let in while three are busy")
	}
	if _, other := s.connect("203.0.113.8:1000"); other == nil {
		t.Error("another network was refused")
	}
	s.l.connState(in[1], http.StateIdle)
	s.l.connState(in[0], http.StateIdle)
	if _, fourth := s.connect(home); fourth == nil || !offered[1].closed || offered[0].closed || offered[2].closed {
		t.Errorf("the oldest idle one did not make room: let in %v, closed %v %v %v", fourth, offered[0].closed, offered[1].closed, offered[2].closed)
	}
	_ = in[1].Close() // as net/http does when it sees that: the place is given back once
	s.l.connState(in[1], http.StateClosed)
	s.l.connState(in[0], http.StateActive)
	if _, fifth := s.connect(home); fifth == nil {
		t.Error("a connection that has sent nothing yet did not make room")
	}
	for i := range 10 {
		if _, proxied := s.connect("192.0.2.1:1000"); proxied == nil {
			t.Errorf("the connection %d of a trusted proxy was refused", i+1)
		}
	}
}

// TestAFullNetworkRenewsSlowly: new connections replace idle ones in a burst, then at a limited rate.
func TestAFullNetworkRenewsSlowly(t *testing.T) {
	t.Parallel()
	s := newTestListener(t, 10_000, 3)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.l.now = func() time.Time { return now }
	connect := func(times int) (let int) {
		for range times {
			if _, in := s.connect("203.0.113.7:1000"); in != nil {
				let++
			}
		}
		return let
	}
	if let := connect(1000); let != 3+2*maxRenewals {
		t.Errorf("%d of a thousand idle connections at once were let in, want %d", let, 3+2*maxRenewals)
	}
	now = now.Add(time.Second)
	if let := connect(1000); let != maxRenewals {
		t.Errorf("%d a second later, want %d", let, maxRenewals)
	}
	if _, other := s.connect("203.0.113.8:1000"); other == nil {
		t.Error("another network was refused")
	}
}

// TestConnectionsOfAnIPv6Network: changing the /64 gains only a fixed factor.
func TestConnectionsOfAnIPv6Network(t *testing.T) {
	t.Parallel()
	s := newTestListener(t, 10_000, 3)
	passed := 0
	for i := range 256 {
		if _, in := s.connect(netip.AddrPortFrom(netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, 0, 0, byte(i), 15: 1}), 1000).String()); in != nil {
			passed++
			s.l.connState(in, http.StateActive)
		}
	}
	if passed != 6 {
		t.Errorf("%d connections of a /56, want 6", passed)
	}
}

// TestConnectionsOfAll: the process has a maximum of connections, whoever they are from, and forgets those that have ended.
func TestConnectionsOfAll(t *testing.T) {
	t.Parallel()
	s := newTestListener(t, 2, 0)
	_, first := s.connect("203.0.113.1:1")
	second, in := s.connect("203.0.113.2:1")
	s.l.connState(first, http.StateActive)
	third, _ := s.connect("203.0.113.3:1")
	if !second.closed || third.closed {
		t.Errorf("closed the second %v, the third %v; want the oldest that waits", second.closed, third.closed)
	}
	_ = in.Close()
	for range 3 {
		if err := first.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Fatal(err)
		}
	}
	_, fourth := s.connect("203.0.113.4:1")
	s.l.connState(fourth, http.StateActive)
	if third.closed || s.l.open != 2 {
		t.Errorf("after one ended there are %d, the third is closed: %v", s.l.open, third.closed)
	}
	_, fifth := s.connect("203.0.113.5:1")
	s.l.connState(fifth, http.StateActive)
	if _, sixth := s.connect("203.0.113.6:1"); sixth != nil || len(s.l.networks) != 0 {
		t.Errorf("a third was let in, or networks are counted: %v", s.l.networks)
	}
}

// TestSlowBodiesMakeRoom: where every connection has a running request, the one that has been sending its body for the
// longest time makes room, but neither an upload nor one that started a moment ago.
func TestSlowBodiesMakeRoom(t *testing.T) {
	t.Parallel()
	s := newTestListener(t, 3, 0)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.l.now = func() time.Time { return now }
	var offered []*socket
	request := func(read func(*http.Request)) {
		t.Helper()
		c, in := s.connect("203.0.113.7:1")
		if in == nil {
			t.Fatal("there is no room to begin with")
		}
		offered = append(offered, c)
		s.l.connState(in, http.StateActive)
		r := httptest.NewRequestWithContext(withConn(t.Context(), in), http.MethodPost, "/", strings.NewReader("{}"))
		trackBodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { read(r) })).ServeHTTP(httptest.NewRecorder(), r)
	}
	request(func(r *http.Request) { httpx.ExtendAnswerDeadline(httptest.NewRecorder(), r) }) // an upload
	request(func(*http.Request) {})                                                          // a slow body
	request(func(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })                    // a body that has arrived
	if _, in := s.connect("203.0.113.8:1"); in != nil {
		t.Error("a body that began a moment ago made room")
	}
	now = now.Add(slowBody)
	if _, in := s.connect("203.0.113.8:1"); in == nil || offered[0].closed || !offered[1].closed || offered[2].closed {
		t.Errorf("let in %v; closed the upload %v, the slow body %v, the other %v", in != nil, offered[0].closed, offered[1].closed, offered[2].closed)
	}
	if s.l.sending.Len() != 0 {
		t.Errorf("%d connections are thought to send", s.l.sending.Len())
	}
}

// TestServedConnections: over a real connection net/http reports the states that the listener needs. Of two connections one
// is busy, and the idle one is replaced by a new one.
func TestServedConnections(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	api := handlers{"GET /i/slow": func(http.ResponseWriter, *http.Request) { close(entered); <-leave }}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{MaxConnections: 2, Log: slog.New(slog.DiscardHandler)}
	l := s.bound(inner)
	mux := http.NewServeMux()
	api.Register(mux)
	mux.HandleFunc("GET /", func(http.ResponseWriter, *http.Request) {})
	idle := make(chan struct{}, 10)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, ConnState: func(conn net.Conn, state http.ConnState) {
		l.connState(conn, state)
		if state == http.StateIdle {
			idle <- struct{}{}
		}
	}}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	dial := func(request string) net.Conn {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	dial("GET /i/slow HTTP/1.1\r\nHost: v\r\n\r\n")
	<-entered
	kept := dial("GET / HTTP/1.1\r\nHost: v\r\n\r\n")
	<-idle
	dial("GET / HTTP/1.1\r\nHost: v\r\n\r\n")
	<-idle
	if _, err := io.ReadAll(kept); err != nil && !errors.Is(err, io.EOF) { // ends with the connection
		t.Logf("the idle connection ended with %v", err)
	}
	close(leave)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	<-served
	if l.open != 0 || l.waiting.Len() != 0 {
		t.Errorf("at the end %d connections are counted, %d wait", l.open, l.waiting.Len())
	}
}
