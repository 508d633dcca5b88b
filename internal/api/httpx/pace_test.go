package httpx

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestPace sends at the slowest allowed pace, and then slower.
func TestPace(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	r := httptest.NewRequest(http.MethodPatch, "/", strings.NewReader(strings.Repeat("x", 1<<20)))
	p := Pace(httptest.NewRecorder(), r)
	p.now = func() time.Time { return now }
	buf := make([]byte, MinPacedRate)
	for i := range 100 { // each second what must come in one
		if _, err := io.ReadFull(r.Body, buf); err != nil {
			t.Fatalf("in second %d: %v", i, err)
		}
		now = now.Add(time.Second)
	}
	buf = buf[:MinPacedRate-20]
	var err error
	for range 2 * PaceWindow / time.Second {
		if _, err = io.ReadFull(r.Body, buf); err != nil {
			break
		}
		now = now.Add(time.Second)
	}
	if !errors.Is(err, ErrCut) {
		t.Errorf("a sender that is too slow: %v, want ErrCut", err)
	}
}

// TestCut cuts a read that waits for its sender.
func TestCut(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	reading := make(chan *Paced, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := Pace(w, r)
		if _, err := io.ReadFull(r.Body, make([]byte, 4)); err != nil {
			t.Error(err)
		}
		reading <- p
		_, err := r.Body.Read(make([]byte, 1))
		ended <- err
	}))
	t.Cleanup(server.Close)
	body, send := io.Pipe()
	t.Cleanup(func() { _ = send.Close() })
	go func() { _, _ = send.Write([]byte("four")) }()
	go func() {
		reply, err := http.Post(server.URL, "text/plain", body)
		if err == nil {
			_ = reply.Body.Close()
		}
	}()
	(<-reading).Cut()
	if err := <-ended; err == nil || err == io.EOF {
		t.Errorf("the read ends with %v", err)
	}
}
