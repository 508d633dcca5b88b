// Package fakehttp lets a handler be the transport of a client: it answers without a network, so that tests can run in the
// time of testing/synctest.
package fakehttp

import (
	"io"
	"net/http"
	"sync"
)

// Transport answers requests by a handler.
type Transport struct{ Handler http.Handler }

// RoundTrip implements http.RoundTripper. A handler that panics breaks the connection, as in a server.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, writer := io.Pipe()
	w := &responsePipe{header: http.Header{}, body: writer, started: make(chan struct{})}
	served := r.Clone(r.Context())
	panicked := make(chan struct{})
	go func() {
		var err error
		defer func() {
			if recover() != nil {
				err = io.ErrUnexpectedEOF
				w.once.Do(func() { close(panicked) }) // only if the answer has not started
			}
			w.start(http.StatusOK)
			_ = writer.CloseWithError(err)
		}()
		t.Handler.ServeHTTP(w, served)
	}()
	select {
	case <-w.started:
		return &http.Response{StatusCode: w.status, Header: w.header, Body: body, Request: r, ContentLength: -1, ProtoMajor: 1, ProtoMinor: 1}, nil
	case <-panicked:
		return nil, io.ErrUnexpectedEOF
	case <-r.Context().Done():
		_ = body.Close()
		return nil, r.Context().Err()
	}
}

// responsePipe is the ResponseWriter of the handler.
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
