package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type counter struct{ n atomic.Int64 }

func (c *counter) add()         { c.n.Add(1) }
func (c *counter) value() int64 { return c.n.Load() }

// person sends requests from an address of their own. All addresses belong to the loopback network.
type person struct {
	server    *server
	client    *http.Client
	forwarded string // the client's address as a trusted proxy reports it; empty: the connection's own address
}

// proxied returns a person behind the proxy at 127.0.0.1, which the server trusts.
func (s *server) proxied(address string) *person {
	return &person{server: s, client: client("127.0.0.1", 60*time.Second), forwarded: address}
}

// direct returns a person whose connections come from an address of the loopback network.
func (s *server) direct(address string) *person {
	return &person{server: s, client: client(address, 60*time.Second)}
}

func client(from string, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	return &http.Client{
		Timeout:       timeout,
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 64, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// reply is an answer that arrived complete.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) decode(v any) error {
	if err := json.Unmarshal(r.body, v); err != nil {
		return fmt.Errorf("%d %.200s: %w", r.status, r.body, err)
	}
	return nil
}

// code returns the answer's error code, or "".
func (r reply) code() string {
	var e struct{ Code string }
	_ = json.Unmarshal(r.body, &e) // a page has none
	return e.Code
}

// maxRead bounds how much of an answer is kept.
const maxRead = 64 * mib

// send makes a request. A body may be a reader, bytes, or a value to encode as JSON.
func (p *person) send(ctx context.Context, method, path string, body any, header ...string) (reply, error) {
	var payload io.Reader
	switch body := body.(type) {
	case nil:
	case io.Reader:
		payload = body
	case []byte:
		payload = bytes.NewReader(body)
	case string:
		payload = bytes.NewReader([]byte(body))
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+p.server.address+path, payload)
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Accept", "application/json")
	if p.forwarded != "" {
		request.Header.Set("X-Forwarded-For", p.forwarded)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	if length := request.Header.Get("Content-Length"); length != "" {
		_, _ = fmt.Sscan(length, &request.ContentLength)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(io.LimitReader(answer.Body, maxRead))
	return reply{answer.StatusCode, answer.Header, read}, err
}

// statuses counts answers by status; 0 counts requests without an answer.
type statuses struct {
	mu sync.Mutex
	of map[int]int
}

func (s *statuses) saw(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[int]int{}
	}
	s.of[status]++
}

func (s *statuses) count(wanted ...int) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, status := range wanted {
		n += s.of[status]
	}
	return n
}

// wrong counts the answers with a status of 500 or above that do not ask for another try.
func (s *statuses) wrong() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for status, times := range s.of {
		if status >= 500 && status != http.StatusServiceUnavailable && status != http.StatusInsufficientStorage {
			n += times
		}
	}
	return n
}

func (s *statuses) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.of)
}

// flood sends n requests, atOnce at a time, and counts the answers. send sends the i-th.
func (s *stage) flood(n, atOnce int, send func(i int) (reply, error)) *statuses {
	var seen statuses
	var next atomic.Int64
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || !s.server.alive() {
					return
				}
				s.sent.add()
				r, err := send(i)
				if err != nil {
					seen.saw(0)
					continue
				}
				seen.saw(r.status)
			}
		})
	}
	workers.Wait()
	s.note("answers %s", &seen)
	if wrong := seen.wrong(); wrong > 0 {
		s.fail("%d answers of 500 and above: %s", wrong, &seen)
	}
	return &seen
}

// repeat is a reader of a text that repeats up to a length, between a head and a tail; it takes no memory.
type repeat struct {
	head, text, tail string
	length           int64 // of all that is read
	read             atomic.Int64
}

// sent returns the number of bytes that were read so far.
func (r *repeat) sent() int64 { return r.read.Load() }

func (r *repeat) Read(p []byte) (n int, err error) {
	at := r.read.Load()
	for n < len(p) && at < r.length {
		switch {
		case at < int64(len(r.head)):
			p[n] = r.head[at]
		case at >= r.length-int64(len(r.tail)):
			p[n] = r.tail[at-(r.length-int64(len(r.tail)))]
		default:
			p[n] = r.text[(at-int64(len(r.head)))%int64(len(r.text))]
		}
		n++
		at++
	}
	r.read.Store(at)
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// dial opens a bare connection from an address of the loopback network.
func (s *server) dial(from string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	return d.Dial("tcp", s.address)
}
