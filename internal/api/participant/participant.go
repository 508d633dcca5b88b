package participant

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/service/fieldwork"
)

// Fieldwork runs interviews; *fieldwork.Service implements it.
type Fieldwork interface {
	Visit(ctx context.Context, linkID, query string) (fieldwork.Landing, error)
	Admits(ctx context.Context, landing fieldwork.Landing, query string) error
	Localize(ctx context.Context, landing fieldwork.Landing, language string) (fieldwork.Landing, error)
	Begin(ctx context.Context, b fieldwork.StartRequest) (token string, view fieldwork.View, err error)
	ResponseByToken(ctx context.Context, token string) (response.Response, error)
	GuideOf(ctx context.Context, token string) (*guide.Guide, error)
	Prepare(ctx context.Context, token string) error
	UploadSteps(ctx context.Context, token string) (response.Response, guide.InterviewMode, []interview.Step, error)
	Current(ctx context.Context, token string) (fieldwork.View, error)
	Answer(ctx context.Context, token, stepID string, answer interview.Answer) (fieldwork.View, error)
	Withdraw(ctx context.Context, token string) (fieldwork.Exit, error)
	PublishedFor(ctx context.Context, of response.Response) (fieldwork.Landing, error)
	Agree(ctx context.Context, token string, c response.Consent) error
	CheckLink(ctx context.Context, linkID, query string) error
	LinkExit(ctx context.Context, linkID, query string, outcome panel.Outcome) (fieldwork.Exit, error)
	Subscribe(ctx context.Context, token string, seen int, from ...fieldwork.Origin) (*fieldwork.Subscriber, error)
	Brand(ctx context.Context, orgID string) (org.Brand, error)
}

// API serves the protocol. Share one value.
type API struct {
	Fieldwork     Fieldwork
	Uploads       Uploads       // nil: uploads are not supported
	Slots         *Slots        // limits concurrent uploads; nil: no limit
	Transcription Transcription // nil: there are no transcripts
	Speech        Speech        // nil: the moderator's words are not read aloud by a service
	Log           *slog.Logger
	BaseURL       string // public address of the service; pages from its origin may post here
}

// Wrapper wraps the handlers of the protocol and may answer requests in their place. Package pages answers those of browsers.
type Wrapper interface {
	// Route returns the handler of a route. program is the protocol's.
	Route(method, path string, program http.Handler) http.Handler
	// Refuse returns the handler of requests that no route accepts. program answers with the refusal as JSON.
	Refuse(refusal *httpx.Error, program http.Handler) http.Handler
}

// programs is the Wrapper that leaves every request to the protocol.
type programs struct{}

// Route implements Wrapper.
func (programs) Route(_, _ string, program http.Handler) http.Handler { return program }

// Refuse implements Wrapper.
func (programs) Refuse(_ *httpx.Error, program http.Handler) http.Handler { return program }

// route is an address with its handler.
type route struct {
	method, path string
	handler      httpx.Handler
}

func (a *API) routes() []route {
	return []route{
		{"GET", "/s/{linkId}", a.landing},
		{"POST", "/s/{linkId}/interviews", a.start},
		{"GET", "/i/{token}", a.current},
		{"GET", "/i/{token}/events", a.events},
		{"POST", "/i/{token}/answers", a.answer},
		{"POST", "/i/{token}/uploads/{id}/transcript", a.transcript},
		{"GET", "/i/{token}/steps/{stepId}/speech", a.speech},
		{"POST", "/i/{token}/consent", a.agree},
		{"POST", "/i/{token}/withdraw", a.withdraw},
	}
}

// Register adds the routes to a mux. Every other address under /s/ and /i/ is answered 404.
func (a *API) Register(mux *http.ServeMux) { a.RegisterWrapped(mux, programs{}) }

// RegisterWrapped is Register with a wrapper around the handlers. Requests from other sites' pages are refused before it.
func (a *API) RegisterWrapped(mux *http.ServeMux, wrapper Wrapper) {
	guard := a.guard(wrapper)
	allowed := map[string][]string{}
	nothing := a.refuse(wrapper, httpx.Errorf(http.StatusNotFound, "not_found", "There is nothing at this address."))
	for _, rt := range a.routes() {
		mux.Handle(rt.method+" "+rt.path, guard(wrapper.Route(rt.method, rt.path, a.serve(rt))))
		allowed[rt.path] = append(allowed[rt.path], rt.method)
	}
	for path, methods := range allowed {
		if slices.Contains(methods, http.MethodGet) {
			mux.Handle("GET "+path+"/{$}", withoutSlash(nothing))
		}
		mux.Handle(path, a.refuse(wrapper, NotAllowed(methods...)))
	}
	if a.Uploads != nil {
		a.registerUploads(mux, guard)
	}
	for _, rest := range []string{"/s/", "/i/"} {
		mux.Handle(rest, nothing)
	}
}

// withoutSlash redirects from an address with a slash at its end, as people and programs that send links add one. An encoded slash is
// answered by nothing: it is part of no address.
func withoutSlash(nothing http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := url.URL{Path: strings.TrimSuffix(r.URL.Path, "/"), RawQuery: r.URL.RawQuery}
		if strings.HasSuffix(to.Path, "/") {
			nothing.ServeHTTP(w, r)
			return
		}
		http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
	})
}

// serve returns the handler of a route.
func (a *API) serve(rt route) http.Handler {
	handler := Errors.Handle(a.Log, withStep(rt.handler))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		handler.ServeHTTP(w, r)
	})
}

// guard returns middleware that keeps other sites' pages from posting in a participant's name. Programs send no Origin and pass.
func (a *API) guard(wrapper Wrapper) func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if base, err := url.Parse(a.BaseURL); err == nil && base.Host != "" {
		// Behind a proxy the request's Host may differ from the address in the browser.
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			a.Log.Warn("the base URL has no valid origin; pages behind a proxy may be refused when they post", "base_url", a.BaseURL, "error", err)
		}
	}
	protection.SetDenyHandler(a.refuse(wrapper, httpx.Errorf(http.StatusForbidden, "forbidden", "A page of another site must not post here.")))
	return protection.Handler
}

// refuse returns a handler for requests that no route accepts. All of them share the error.
func (a *API) refuse(wrapper Wrapper, refusal *httpx.Error) http.Handler {
	return wrapper.Refuse(refusal, a.Refuse(refusal))
}

// Refuse returns a handler that answers with a refusal as JSON.
func (a *API) Refuse(refusal *httpx.Error) http.Handler {
	return Errors.Handle(a.Log, func(http.ResponseWriter, *http.Request) error { return refusal })
}

// NotAllowed returns the refusal of the methods that an address does not accept. allowed are those that it does.
func NotAllowed(allowed ...string) *httpx.Error {
	allowed = slices.Clone(allowed)
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	slices.Sort(allowed)
	refusal := httpx.Errorf(http.StatusMethodNotAllowed, "method_not_allowed", "This address does not accept this method.")
	refusal.Header = http.Header{"Allow": {strings.Join(allowed, ", ")}}
	return refusal
}
