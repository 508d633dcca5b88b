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

// Registrar is an api package that registers its own routes on the mux.
type Registrar interface {
	Register(*http.ServeMux)
}

// Dashboard is the researcher's dashboard.
type Dashboard interface {
	Registrar
	HasPages() bool // whether its pages are built into the program
	ServePage(http.ResponseWriter, *http.Request)
}

// Server serves every api package behind one address. Fields that may be nil say so.
type Server struct {
	Access      *access.Service
	V1          *v1.API
	Legacy      *legacy.API
	Participant Registrar // nil: this server has no pages for participants
	Dashboard   Dashboard // nil: there is none
	Media       Registrar // signed links to recordings; nil: none are served

	Keys           *access.Limiter // requests of one API key; nil: no limit
	Addresses      *access.Limiter // requests of one network to paths without a key, and its failed keys; nil: no limit
	TrustedProxies []netip.Prefix  // whose X-Forwarded-For is believed

	MaxConnections        int           // open at the same time; 0: no limit
	MaxNetworkConnections int           // the same of one network, trusted proxies excepted; 0: no limit
	Bodies                *httpx.Budget // memory for the bodies of requests; nil: no limit

	Ready     func(context.Context) error // called by /readyz: can the database be read and written?
	Objects   func() error                // why recordings and uploads cannot be reached, or nil; /readyz reports it and stays 200. nil: there is no object store
	Contracts map[string][]byte           // by the name under /openapi/, for example v1.yaml; each is also served as JSON
	Docs      fs.FS                       // the built pages, with the API reference in the folder docs; nil: none
	Log       *slog.Logger
	Drain     time.Duration // how long a stopping server still accepts requests, while /readyz tells load balancers to send no more
	Grace     time.Duration // how long it then waits for running requests; 0: 15 s

	// Watch is called for each request with its id. It returns the context to serve the request in, and a function that is
	// called at the end with the pattern that matched, "" where none did, and the status, 0 where the answer was cut off.
	// nil: not called.
	Watch func(r *http.Request, id string) (_ context.Context, end func(pattern string, status int))

	stopping atomic.Bool
	proven   access.Proven
	callers  access.CallerCache
	refusals sampler
}

// Handler returns the handler of the complete service.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	if s.Participant != nil {
		s.Participant.Register(mux)
	}
	if s.Media != nil {
		s.Media.Register(mux)
	}
	if s.Dashboard != nil {
		s.Dashboard.Register(mux)
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

// apiPrefix is the path below which every answer is JSON.
const apiPrefix = "/api/public/"

// splitByPrefix serves paths below prefix with under and all others with rest, whose mux would redirect paths that are not
// clean before the caller is authenticated.
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

// api serves everything below /api/public/. Callers are authenticated first, so that nothing can be learned without a key.
// Every answer is JSON.
func (s *Server) api() http.Handler {
	mux := http.NewServeMux()
	s.V1.Routes().Mount(mux, v1.Errors, s.Log)
	s.Legacy.Routes().Mount(mux, legacy.Errors, s.Log)
	routes := httpx.JSONOnly(mux)
	return accessErrors.Handle(s.Log, func(w http.ResponseWriter, r *http.Request) error {
		caller, cached := s.cachedCaller(r)
		if !cached {
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
		if err := checkScope(caller, r); err != nil {
			return err
		}
		httpx.ChargeTo(r.Context(), "organization "+caller.OrgID)
		body := &countedBody{ReadCloser: r.Body}
		defer func() { s.Keys.Charge(int(body.bytes/bytesPerRequest), access.Share{Name: caller.KeyID, Times: 1}) }()
		ctx := r.Context()
		if cached {
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
			inner.Body = body
		}
		defer func() { r.Pattern = inner.Pattern }() // for the access log
		routes.ServeHTTP(w, inner)
		return nil
	})
}

// accessErrors are the errors of authentication, which are the same in every API.
var accessErrors = httpx.WithOutages(httpx.Table{
	{Err: access.ErrMissingKey, Status: http.StatusUnauthorized, Code: "missing_api_key", Message: "Send your API key in the header x-api-key."},
	{Err: access.ErrInvalidKey, Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "The API key is not valid."},
	{Err: access.ErrNotMember, Status: http.StatusForbidden, Code: "forbidden", Message: "The key's user is not a member of the key's organization."},
	{Err: access.ErrReadOnly, Status: http.StatusForbidden, Code: "forbidden", Message: "The API key is read-only: it may only send GET and HEAD requests, and ask questions of the data."},
})

// Limits of a connection, besides the timeouts of httpx.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = time.Minute // between requests; less where others need the connection
	maxHeaderBytes = 64 << 10    // bytes; a study link may have many parameters, and nobody is refused for that
)

// Run serves until ctx ends. Then /readyz says so for Drain, while requests are still accepted. After that Run accepts no
// new requests, waits up to Grace for those that are running, and returns.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	bounded := s.bound(listener)
	var protocols http.Protocols
	protocols.SetHTTP1(true) // HTTP/2 with browsers is the proxy's
	server := &http.Server{
		Handler:           s.Handler(),
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       httpx.RequestTimeout, // handlers of uploads and of long answers set their own deadlines
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
