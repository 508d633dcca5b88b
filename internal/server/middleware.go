package server

import (
	"errors"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"verbatim/internal/httpio"
	"verbatim/internal/tus"
)

func nosniff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
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
			s.Log.ErrorContext(r.Context(), "panic", "request_id", id, "method", r.Method, "route", r.Pattern, "panic", discreetly(p), "stack", string(debug.Stack()))
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
			network := s.clientNetwork(r)
			if ok, wait := s.Addresses.Allow(network); !ok {
				if r.Header.Get("Tus-Resumable") != "" { // its clients take no answer that does not say the protocol's version
					w.Header().Set("Tus-Resumable", tus.Version)
				}
				httpio.WriteError(w, rateLimited(wait))
				return
			}
			inner := r.WithContext(httpio.WithClientNetwork(r.Context(), network)) // doors have limits of their own
			defer func() { r.Pattern = inner.Pattern }()                           // for the access log
			next.ServeHTTP(w, inner)
			return
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
