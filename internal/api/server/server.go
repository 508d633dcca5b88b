package server

import (
	"context"
	"errors"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/legacy"
	"verbatim/internal/api/v1"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/access"
)

// Registrar is a door that puts its own addresses on the mux.
type Registrar interface {
	Register(*http.ServeMux)
}

// Server is every door behind one address. Fields that may be nil say so.
type Server struct {
	Access      *access.Service
	V1          *v1.API
	Legacy      *legacy.API
	Participant Registrar // nil: no participants here
	Media       Registrar // signed links to recordings; nil: nothing is recorded here

	Keys           *access.Limiter // requests of one API key; nil: no limit
	Addresses      *access.Limiter // requests of one network to what asks for no key, and its wrong keys; nil: no limit
	TrustedProxies []netip.Prefix  // who may say in X-Forwarded-For whose request they pass on

	MaxConnections        int           // that are open; 0: no limit
	MaxNetworkConnections int           // of them of one network, other than a trusted proxy's; 0: no limit
	Bodies                *httpx.Budget // memory for the bodies of requests; nil: no bound

	Ready     func(context.Context) error // what /readyz asks: can the database be read and written?
	Objects   func() error                // nil or why recordings and uploads cannot be reached, which /readyz says and stays 200; nil: there are none
	Contracts map[string][]byte           // by the name under /openapi/, for example v1.yaml; each is served as JSON, too
	Docs      fs.FS                       // the built pages; the API reference is their folder docs. nil: none
	Log       *slog.Logger
	Drain     time.Duration // how long a stop goes on taking requests, while /readyz tells balancers to send no more
	Grace     time.Duration // how long a stop then waits for requests under way; 0: 15 s

	// Watch is told of each request and its id. It gives the context to serve it in, and what to call at the end with the
	// pattern that matched, empty when none did, and the status, 0 when the answer was broken off. nil: nobody watches.
	Watch func(r *http.Request, id string) (_ context.Context, end func(pattern string, status int))

	stopping atomic.Bool
	proven   access.Proven
	callers  access.CallerCache
	refusals sampler
}

// Handler is the whole service.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	if s.Participant != nil {
		s.Participant.Register(mux)
	}
	if s.Media != nil {
		s.Media.Register(mux)
	}
	s.registerHealth(mux)
	s.registerPages(mux)

	h := splitByPrefix(apiPrefix, s.api(), s.limitAddresses(httpx.JSONErrors(mux)))
	h = s.recoverPanics(h)
	h = compress(h)
	h = httpx.LimitLongAnswers(h)
	h = s.observe(h)
	h = httpx.WithCleanPath(h)
	if s.Bodies != nil {
		h = s.Bodies.Serve(func(r *http.Request) string { return access.NetworkOf(r.Context()) }, h)
	}
	return httpx.WithRequestID(httpx.WithSecurityHeaders(httpx.WithAnswerTimeout(trackBodies(s.withClient(h)))))
}

// apiPrefix is where every answer is JSON.
const apiPrefix = "/api/public/"

// apart keeps what is under a prefix from the rest's mux, which would redirect unclean paths before the caller is told.
func splitByPrefix(prefix string, under, rest http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			r.Pattern = prefix
			under.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

// api is all that is under /api/public/. The caller is told before anything else, so that without a key nothing can be
// learned, and every answer is JSON.
func (s *Server) api() http.Handler {
	mux := http.NewServeMux()
	s.V1.Routes().Mount(mux, v1.Errors, s.Log)
	s.Legacy.Routes().Mount(mux, legacy.Errors, s.Log)
	routes := httpx.JSONOnly(mux)
	return accessErrors.Handle(s.Log, func(w http.ResponseWriter, r *http.Request) error {
		caller, recalled := s.cachedCaller(r)
		if !recalled {
			var err error
			if caller, err = s.authenticate(r); err != nil {
				return err
			}
		}
		q := s.Keys.Take(1, access.Share{Name: caller.KeyID, Times: 1})
		if !q.OK {
			return rateLimited(q)
		}
		setQuotaHeaders(w.Header(), q)
		if err := access.CheckMethod(caller, r.Method); err != nil {
			return err
		}
		httpx.ChargeTo(r.Context(), "organization "+caller.OrgID)
		sent := &countedBody{ReadCloser: r.Body}
		defer func() { s.Keys.Charge(int(sent.bytes/bytesPerRequest), access.Share{Name: caller.KeyID, Times: 1}) }()
		ctx := r.Context()
		if recalled {
			ctx = access.WithUnproven(ctx, caller, func() (org.Caller, error) {
				proven, err := s.authenticate(r)
				if answer, known := accessErrors.Translate(err); err != nil && known {
					err = answer
				}
				return proven, err
			})
		} else {
			ctx = access.WithCaller(ctx, caller)
		}
		inner := r.WithContext(ctx)
		if r.Body != nil && r.Body != http.NoBody {
			inner.Body = sent
		}
		defer func() { r.Pattern = inner.Pattern }() // for the access log
		routes.ServeHTTP(w, inner)
		return nil
	})
}

// accessErrors is the same for every dialect.
var accessErrors = httpx.WithOutages(httpx.Table{
	{Err: access.ErrMissingKey, Status: http.StatusUnauthorized, Code: "missing_api_key", Message: "Send your API key in the header x-api-key."},
	{Err: access.ErrInvalidKey, Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "The API key is not valid."},
	{Err: access.ErrNotMember, Status: http.StatusForbidden, Code: "forbidden", Message: "The key's user is no member of the key's organization."},
	{Err: access.ErrReadOnly, Status: http.StatusForbidden, Code: "forbidden", Message: "The API key is read-only: it may send GET and HEAD requests alone."},
})

// Bounds of what a connection may bring and last besides the times of httpio.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = time.Minute // between requests; less where others need the place
	maxHeaderBytes = 64 << 10    // bytes; a study link may carry many parameters, and nobody is turned away for them
)

// Run serves until ctx ends, then says so at /readyz for Drain, takes no new requests, waits Grace for those under way,
// and returns.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	bounded := s.bound(listener)
	var protocols http.Protocols
	protocols.SetHTTP1(true) // a proxy speaks HTTP/2 with browsers
	server := &http.Server{
		Handler:           s.Handler(),
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       httpx.RequestTimeout, // what takes uploads sets its own deadlines, and so does what answers at length
		WriteTimeout:      httpx.AnswerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         bounded.connState,
		ConnContext:       withConn,
		ErrorLog:          log.New(redactingLog{s.Log}, "", 0),
		BaseContext:       func(net.Listener) context.Context { return httpx.WithStopping(base, ctx.Done()) },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(bounded) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	drained := time.NewTimer(s.Drain)
	defer drained.Stop()
	select {
	case err := <-served:
		return err
	case <-drained.C:
	}
	grace := s.Grace
	if grace == 0 {
		grace = 15 * time.Second
	}
	timeout, cancel := context.WithTimeout(base, grace)
	defer cancel()
	err := server.Shutdown(timeout)
	if errors.Is(err, context.DeadlineExceeded) {
		cut()
		err = server.Close()
	}
	if serveErr := <-served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}
