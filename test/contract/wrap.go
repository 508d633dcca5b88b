package contract

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// Wrap returns a handler that serves as h does, and fails the test when an answer violates the document of its address: an address that no
// document has and that answers other than 404 or 405, an undocumented status, code or media type, a missing or malformed header, a body
// that violates its schema, and a request body that violates its schema and is answered 2xx. Addresses outside the documents' prefixes pass
// unchecked.
func (s *Suite) Wrap(t testing.TB, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent bytes.Buffer
		if r.Body != nil {
			r.Body = tee{io.TeeReader(r.Body, &sent), r.Body}
		}
		asked := r.Clone(r.Context()) // the handler may change its own
		recorder := &recorder{ResponseWriter: w}
		h.ServeHTTP(recorder, r)
		recorder.WriteHeader(http.StatusOK) // as the server does if a handler wrote nothing

		x := exchange{request: asked, sent: sent.Bytes(), status: recorder.status, header: recorder.sent, body: recorder.body.Bytes()}
		for _, violation := range s.check(x) {
			t.Helper()
			t.Errorf("%s %s answered %d against the contract: %s\n%s", asked.Method, asked.URL.RequestURI(), x.status, violation, excerpt(x.body))
		}
	})
}

// tee copies a request body as it is read.
type tee struct {
	io.Reader
	io.Closer
}

// recorder keeps a handler's answer.
type recorder struct {
	http.ResponseWriter
	status int
	sent   http.Header
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	final := status >= 200 || status == http.StatusSwitchingProtocols
	if r.status != 0 && final {
		return
	}
	if final {
		r.status, r.sent = status, r.Header().Clone()
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.body.Write(p)
	return r.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, for handlers that ask for it by type.
func (r *recorder) Flush() {
	r.WriteHeader(http.StatusOK)
	if flusher, ok := r.ResponseWriter.(http.Flusher); ok {
		flusher.Flush()
	}
}

// Unwrap lets http.ResponseController reach the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// excerpt returns the beginning of a body, for a failure's text.
func excerpt(body []byte) []byte { return body[:min(len(body), 500)] }
