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

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/tus"
	"verbatim/internal/domain/plaintext"
	"verbatim/internal/service/access"
)

// compress encodes answers with zstd or gzip where the client accepts it. ETags are weak, so one ETag serves every encoding.
var compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(1024),
		gzhttp.CompressionLevel(gzip.BestSpeed), // compression is most of the cost of an 8 MB page of responses
		gzhttp.ContentTypes([]string{"application/json", "application/yaml", "text/html", "text/css", "text/javascript", "image/svg+xml"}),
	)
	if err != nil {
		panic(err) // the options are constant and valid
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

// recoverPanics answers internal_error for a handler that panicked before it wrote anything, and closes the connection of
// one that panicked later.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &statusWriter{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			id := httpx.RequestID(r.Context())
			s.Log.ErrorContext(r.Context(), "panic", "request_id", id, "method", httpx.MethodName(r), "route", r.Pattern, "panic", plaintext.DescribePanic(p), "stack", string(debug.Stack()))
			if seen.status != 0 {
				panic(http.ErrAbortHandler)
			}
			httpx.WriteError(w, httpx.Errorf(http.StatusInternalServerError, "internal_error", "Something went wrong on our side. Request id: %s.", id))
		}()
		next.ServeHTTP(seen, r)
	})
}

// withClient adds the networks that a request counts for to its context.
func (s *Server) withClient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(access.WithClient(r.Context(), s.client(r))))
	})
}

// limitAddresses limits how often one address may request paths that need no key. Each class of paths has its own limit, so
// that loading pictures does not use up what the answers of the same network need.
func (s *Server) limitAddresses(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		class := classOf(r.URL.Path)
		if q := s.Addresses.Take(1, ofClass(class, access.ClientOf(r.Context()))...); !q.OK {
			if class == mediaClass {
				httpx.AllowAnyOrigin(w.Header()) // as package media's own answers are
			}
			if !s.fromProxy(r) {
				w.Header().Set("Connection", "close") // whoever goes on must connect again for each request
			}
			if r.Header.Get("Tus-Resumable") != "" { // clients of tus accept no answer without the protocol's version
				w.Header().Set("Tus-Resumable", tus.Version)
			}
			httpx.WriteError(w, rateLimited(q))
			return
		}
		next.ServeHTTP(w, r)
	})
}

const mediaClass = "media" // recordings

// classOf returns the class of a path. Each class has its own limit.
func classOf(path string) string {
	switch {
	case strings.HasPrefix(path, "/s/"), strings.HasPrefix(path, "/i/"):
		return "interview"
	case strings.HasPrefix(path, "/api/dashboard/"):
		return "dashboard"
	case strings.HasPrefix(path, "/m/"):
		return mediaClass
	case path == "/healthz", path == "/readyz":
		return "health"
	}
	return "page"
}

// ofClass returns the networks under names that are distinct from those of other classes.
func ofClass(class string, networks []access.Share) []access.Share {
	named := make([]access.Share, 0, len(networks))
	for _, n := range networks {
		named = append(named, access.Share{Name: class + " " + n.Name, Times: n.Times})
	}
	return named
}

// rateLimited returns the answer to a client that must wait.
func rateLimited(q access.Quota) *httpx.Error {
	seconds := ceilSeconds(max(q.Wait, 1))
	e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many requests. Try again in %s s.", seconds)
	e.Header = http.Header{"Retry-After": {seconds}}
	setQuotaHeaders(e.Header, q)
	return e
}

// setQuotaHeaders sets the headers for how many requests may be sent at once, and in how many seconds the quota is full
// again.
func setQuotaHeaders(header http.Header, q access.Quota) {
	if q.Limit == 0 {
		return
	}
	header.Set("RateLimit-Limit", strconv.Itoa(q.Limit))
	header.Set("RateLimit-Remaining", strconv.Itoa(q.Remaining))
	header.Set("RateLimit-Reset", ceilSeconds(q.Reset))
}

// ceilSeconds returns d in seconds, rounded up, so that a client that waits so long does not come too early.
func ceilSeconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }
