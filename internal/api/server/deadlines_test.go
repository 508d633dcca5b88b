package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/legacy"
	"verbatim/internal/api/media"
	"verbatim/internal/api/v1"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/objects"
)

// pipes is a listener whose connections are pipes, so that they use the time of a test's synctest bubble.
type pipes struct {
	offered chan net.Conn
	closed  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.offered:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (p pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.offered <- theirs
	return ours
}

type handlers map[string]http.HandlerFunc

func (h handlers) Register(mux *http.ServeMux) {
	for pattern, handler := range h {
		mux.HandleFunc(pattern, handler)
	}
}

// inBubble runs a test against a server in a bubble, in which time passes when everybody waits.
func inBubble(t *testing.T, api handlers, test func(t *testing.T, dial func() net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{Access: &access.Service{}, V1: &v1.API{}, Legacy: &legacy.API{}, Participant: api, Log: slog.New(slog.DiscardHandler)}
		p := pipes{make(chan net.Conn), make(chan struct{})}
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- s.Run(ctx, p) }()
		test(t, p.dial)
		stop()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
}

// lasts reads to the end of a connection. It returns how long that took and what was read.
func lasts(conn net.Conn) (time.Duration, string) {
	begun := time.Now()
	got, _ := io.ReadAll(conn) // ends with the connection, however that ends
	return time.Since(begun), string(got)
}

// drip sends bytes one at a time until a write fails.
func drip(conn net.Conn, every time.Duration) {
	for {
		time.Sleep(every)
		if _, err := conn.Write([]byte("0")); err != nil {
			return
		}
	}
}

// TestSlowRequests: whatever a client does slowly or not at all, its request and the answer end in time.
func TestSlowRequests(t *testing.T) {
	t.Parallel()
	read := func(w http.ResponseWriter, r *http.Request) {
		_, err := httpx.ReadBody(w, r)
		if err == nil {
			t.Error("a body that never ended was read")
		}
		httpx.WriteError(w, httpx.BadRequest("cut"))
	}
	api := handlers{
		"POST /s/{linkId}/interviews": read,
		"POST /i/{token}/answers":     read,
		"POST /s/unread":              func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "enough") },
		"GET /s/large":                func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 1<<20)) },
		"GET /i/waits": func(w http.ResponseWriter, r *http.Request) {
			httpx.Table{}.Handle(slog.New(slog.DiscardHandler), func(http.ResponseWriter, *http.Request) error {
				<-r.Context().Done()
				return r.Context().Err()
			}).ServeHTTP(w, r)
		},
	}
	slowBody := func(path string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: v\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
	}
	for what, c := range map[string]struct {
		sent  string
		drips time.Duration // between bytes that follow; 0: none
		reads bool          // the answer
		limit time.Duration
		never string // must not be in the answer
	}{
		"a header":                {"GET /s/x HTTP/1.1\r\nX: ", time.Second, true, headerTimeout, " 200 "},
		"nothing":                 {"", 0, true, headerTimeout, " 200 "},
		"a start":                 {slowBody("/s/x/interviews"), time.Second, true, httpx.RequestTimeout, " 200 "},
		"an answer":               {slowBody("/i/x/answers"), 20 * time.Second, true, httpx.RequestTimeout, " 200 "},
		"half an answer":          {slowBody("/i/x/answers"), 0, true, httpx.RequestTimeout, " 200 "},
		"a body nobody reads":     {slowBody("/s/unread"), time.Second, true, httpx.RequestTimeout, ""},
		"an answer nobody reads":  {"GET /s/large HTTP/1.1\r\nHost: v\r\n\r\n", 0, false, httpx.AnswerTimeout, ""},
		"work that does not end":  {"GET /i/waits HTTP/1.1\r\nHost: v\r\nConnection: close\r\n\r\n", 0, true, httpx.RequestTimeout, " 200 "},
		"the same, pipelined":     {"GET /i/waits HTTP/1.1\r\nHost: v\r\n\r\nGET /", 0, true, httpx.RequestTimeout + headerTimeout, " 200 "},
		"a key, and slow for it":  {"GET /api/public/v1/wallets HTTP/1.1\r\nHost: v\r\nContent-Length: 10\r\n\r\n", 20 * time.Second, true, httpx.RequestTimeout, " 200 "},
		"a kept connection, idle": {"GET /healthz HTTP/1.1\r\nHost: v\r\n\r\n", 0, true, idleTimeout, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			inBubble(t, api, func(t *testing.T, dial func() net.Conn) {
				conn := dial()
				var dripping sync.WaitGroup
				defer func() { conn.Close(); dripping.Wait() }()
				if c.sent != "" {
					if _, err := io.WriteString(conn, c.sent); err != nil {
						t.Fatal(err)
					}
				}
				if c.drips > 0 {
					dripping.Go(func() { drip(conn, c.drips) })
				}
				if !c.reads {
					time.Sleep(c.limit + time.Second) // so that the deadline comes first
				}
				took, got := lasts(conn)
				if c.reads && took > c.limit {
					t.Errorf("it ended after %v, want %v at most", took, c.limit)
				}
				if !c.reads && took > 0 {
					t.Errorf("it went on for %v after %v", took, c.limit)
				}
				if c.never != "" && strings.Contains(got, c.never) {
					t.Errorf("it was answered %q", got)
				}
			})
		})
	}
}

// TestLongTransfers: an upload may take longer than a request, as long as bytes arrive.
func TestLongTransfers(t *testing.T) {
	t.Parallel()
	const seconds, rate = 300, 2 * httpx.MinPacedRate
	api := handlers{
		"PATCH /i/upload": func(w http.ResponseWriter, r *http.Request) {
			httpx.ExtendAnswerDeadline(w, r)
			httpx.Pace(w, r)
			n, err := io.Copy(io.Discard, r.Body)
			if err != nil || n != seconds*rate || r.Context().Err() != nil {
				t.Errorf("%d bytes arrived: %v, %v", n, err, r.Context().Err())
			}
			w.WriteHeader(http.StatusNoContent)
		},
	}
	inBubble(t, api, func(t *testing.T, dial func() net.Conn) {
		conn := dial()
		defer conn.Close()
		if _, err := io.WriteString(conn, "PATCH /i/upload HTTP/1.1\r\nHost: v\r\nContent-Length: "+strconv.Itoa(seconds*rate)+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		go func() {
			second := make([]byte, rate)
			for range seconds {
				time.Sleep(time.Second)
				if _, err := conn.Write(second); err != nil && !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("the upload was cut: %v", err)
				}
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusNoContent {
			t.Errorf("the upload was answered %v, %v", answer, err)
		}
	})
}

// TestLongDownloads: a client that reads a recording slowly gets all of it, however long that takes.
func TestLongDownloads(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	folder := blobtest.Folder(t)
	blobtest.Put(t, folder, "a/b", strings.Repeat("x", size))
	links := blobtest.Links
	links.Now = time.Now // in the bubble its own
	mux := http.NewServeMux()
	(&media.API{Objects: &objects.Service{Store: folder, Links: links}, Log: slog.New(slog.DiscardHandler)}).Register(mux)
	inBubble(t, handlers{"/m/": mux.ServeHTTP}, func(t *testing.T, dial func() net.Conn) {
		path := strings.TrimPrefix(links.Object("a/b", blob.Lifetime), links.Base)
		conn := dial()
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: v\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		begun, got, chunk := time.Now(), 0, make([]byte, 64<<10)
		for {
			n, err := conn.Read(chunk)
			if got += n; err != nil {
				break
			}
			time.Sleep(5 * time.Second)
		}
		if took := time.Since(begun); got < size || took < 2*httpx.AnswerTimeout {
			t.Errorf("%d bytes came in %v, want %d in more than the time of an answer", got, took, size)
		}
	})
}
