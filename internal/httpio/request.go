package httpio

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
)

// MaxBody is the largest body of a JSON request, in bytes.
const MaxBody = 4 << 20

type requestIDKey struct{}

// WithRequestID gives every request an id, answered as X-Request-Id.
func WithRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// RequestID is the id of the request that the context belongs to, or empty.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// ReadBody reads a whole body; 413 payload_too_large past MaxBody.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err == nil {
		return body, nil
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, Errorf(http.StatusRequestEntityTooLarge, "payload_too_large", "The body is larger than %d bytes.", MaxBody)
	}
	return nil, Errorf(http.StatusBadRequest, "bad_request", "The body could not be read to its end.")
}
