package server

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"verbatim/internal/httpio"
)

func nosniff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// logAccess writes a line for every request. Paths are named by their pattern: a path may hold a participant's token, and
// a query what a participant's link carried.
func (s *Server) logAccess(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		seen := &observed{ResponseWriter: w}
		defer func() {
			s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("request_id", httpio.RequestID(r.Context())), slog.String("method", r.Method), slog.String("route", r.Pattern),
				slog.Int("status", seen.status), slog.Int64("bytes", seen.bytes), slog.Duration("took", time.Since(begun)))
		}()
		next.ServeHTTP(seen, r)
	})
}

// compress answers with zstd or gzip where the client takes it. ETags are weak, so one serves every encoding.
var compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(1024),
		gzhttp.CompressionLevel(gzip.BestSpeed), // of a page of 8 MB, compression is most of the cost
		gzhttp.ContentTypes([]string{"application/json", "application/yaml", "text/html", "text/css", "text/javascript", "image/svg+xml"}),
	)
	if err != nil {
		panic(err) // the options are constant and valid
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

// recoverPanics answers internal_error for a handler that panicked before it had written, and ends the connection of one
// that had.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &observed{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			id := httpio.RequestID(r.Context())
			s.Log.ErrorContext(r.Context(), "panic", "request_id", id, "method", r.Method, "route", r.Pattern, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if seen.status != 0 {
				panic(http.ErrAbortHandler)
			}
			httpio.WriteError(w, httpio.Errorf(http.StatusInternalServerError, "internal_error", "Something went wrong on our side. Request id: %s.", id))
		}()
		next.ServeHTTP(seen, r)
	})
}

// limitAddresses bounds how often one address may call the participant's door.
func (s *Server) limitAddresses(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/s/") || strings.HasPrefix(r.URL.Path, "/i/") {
			if ok, wait := s.Addresses.Allow(s.clientNetwork(r)); !ok {
				httpio.WriteError(w, rateLimited(wait))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func rateLimited(wait time.Duration) *httpio.Error {
	seconds := strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
	e := httpio.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many requests. Try again in %s s.", seconds)
	e.Header = http.Header{"Retry-After": {seconds}}
	return e
}

// observed notes what was answered.
type observed struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (o *observed) WriteHeader(status int) {
	if o.status == 0 && status >= 200 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (o *observed) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(p)
	o.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher, for answers that are written bit by bit.
func (o *observed) Flush() { _ = http.NewResponseController(o.ResponseWriter).Flush() }

// Unwrap serves http.ResponseController.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }
