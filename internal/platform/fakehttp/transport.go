// Package fakehttp lets a handler be a transport: it answers without a network, so that time may be a test's own
// (testing/synctest).
package fakehttp

import (
	"io"
	"net/http"
	"sync"
)

// Transport asks a handler.
type Transport struct{ Handler http.Handler }

// RoundTrip implements http.RoundTripper. A handler that panics ends the connection, as in a server.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, writer := io.Pipe()
	w := &responsePipe{header: http.Header{}, body: writer, started: make(chan struct{})}
	served := r.Clone(r.Context())
	broke := make(chan struct{})
	go func() {
		var err error
		defer func() {
			if recover() != nil {
				err = io.ErrUnexpectedEOF
				w.once.Do(func() { close(broke) }) // before its answer began
			}
			w.start(http.StatusOK)
			_ = writer.CloseWithError(err)
		}()
		t.Handler.ServeHTTP(w, served)
	}()
	select {
	case <-w.started:
		return &http.Response{StatusCode: w.status, Header: w.header, Body: body, Request: r, ContentLength: -1, ProtoMajor: 1, ProtoMinor: 1}, nil
	case <-broke:
		return nil, io.ErrUnexpectedEOF
	case <-r.Context().Done():
		_ = body.Close()
		return nil, r.Context().Err()
	}
}

// piped is the writing end of an answer.
type responsePipe struct {
	header  http.Header
	body    *io.PipeWriter
	once    sync.Once
	started chan struct{}
	status  int
}

func (w *responsePipe) start(status int) {
	w.once.Do(func() {
		w.status = status
		close(w.started)
	})
}

// Header implements http.ResponseWriter.
func (w *responsePipe) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *responsePipe) WriteHeader(status int) { w.start(status) }

// Write implements http.ResponseWriter.
func (w *responsePipe) Write(p []byte) (int, error) {
	w.start(http.StatusOK)
	return w.body.Write(p)
}

// Flush implements http.Flusher.
func (w *responsePipe) Flush() {}
