package speechtest

import (
	"io"
	"net/http"
	"sync"
)

// RoundTrip lets the provider be an http.RoundTripper: it answers without a network, so that time may be a test's own
// (testing/synctest).
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	body, writer := io.Pipe()
	w := &piped{header: http.Header{}, body: writer, begun: make(chan struct{})}
	served := r.Clone(r.Context())
	go func() {
		var err error
		defer func() {
			if recover() != nil { // as a server that ends the connection
				err = io.ErrUnexpectedEOF
			}
			w.begin(http.StatusOK)
			_ = writer.CloseWithError(err)
		}()
		p.ServeHTTP(w, served)
	}()
	select {
	case <-w.begun:
		return &http.Response{StatusCode: w.status, Header: w.header, Body: body, Request: r, ContentLength: -1, ProtoMajor: 1, ProtoMinor: 1}, nil
	case <-r.Context().Done():
		_ = body.Close()
		return nil, r.Context().Err()
	}
}

// piped is the writing end of an answer.
type piped struct {
	header http.Header
	body   *io.PipeWriter
	once   sync.Once
	begun  chan struct{}
	status int
}

func (w *piped) begin(status int) {
	w.once.Do(func() {
		w.status = status
		close(w.begun)
	})
}

// Header implements http.ResponseWriter.
func (w *piped) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *piped) WriteHeader(status int) { w.begin(status) }

// Write implements http.ResponseWriter.
func (w *piped) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.body.Write(p)
}

// Flush implements http.Flusher.
func (w *piped) Flush() {}
