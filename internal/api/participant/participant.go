package participant

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/objects"
)

// Fieldwork runs interviews; *fieldwork.Service implements it.
type Fieldwork interface {
	Study(ctx context.Context, linkID string) (fieldwork.Landing, error)
	Localize(ctx context.Context, landing fieldwork.Landing, language string) (fieldwork.Landing, error)
	Begin(ctx context.Context, b fieldwork.StartRequest) (token string, view fieldwork.View, err error)
	ResponseByToken(ctx context.Context, token string) (response.Response, error)
	Prepare(ctx context.Context, token string) error
	UploadSteps(ctx context.Context, token string) (response.Response, guide.InterviewMode, []interview.Step, error)
	Current(ctx context.Context, token string) (fieldwork.View, error)
	Answer(ctx context.Context, token, stepID string, answer interview.Answer) (fieldwork.View, error)
	Withdraw(ctx context.Context, token string) error
	Subscribe(ctx context.Context, token string, seen int, from ...fieldwork.Origin) (*fieldwork.Subscriber, error)
	Brand(ctx context.Context, orgID string) (org.Brand, error)
}

// networksOf returns the client's networks, whose limits a start counts towards.
func networksOf(ctx context.Context) (from []response.Network) {
	for _, network := range access.ClientOf(ctx) {
		from = append(from, response.Network(network))
	}
	return from
}

// API serves participants. Share one value.
type API struct {
	Fieldwork     Fieldwork
	Uploads       Uploads          // nil: uploads are not supported
	Slots         *Slots           // limits concurrent uploads; nil: no limit
	Transcription Transcription    // nil: there are no transcripts
	Objects       *objects.Service // stores the logos; nil: logos are not served
	Log           *slog.Logger
	BaseURL       string // public address of the service; pages from its origin may post here
	App           fs.FS  // built app of the pages; nil or empty: the pages have no script

	app *app // nil: pages have no script
}

// route is an address with its handlers for programs and for browsers.
type route struct {
	method, path string
	program      httpx.Handler
	browser      httpx.Handler // nil: browsers get the same as programs
}

func (a *API) routes() []route {
	return []route{
		{"GET", "/s/{linkId}", a.landing, a.landingPage},
		{"POST", "/s/{linkId}/interviews", a.start, a.startForm},
		{"GET", "/i/{token}", a.current, a.interviewPage},
		{"GET", "/i/{token}/events", a.events, nil},
		{"POST", "/i/{token}/answers", a.answer, a.answerPage},
		{"POST", "/i/{token}/uploads/{id}/transcript", a.transcript, nil},
		{"POST", "/i/{token}/withdraw", a.withdraw, a.withdrawForm},
	}
}

// Register adds the routes to a mux. Every other address under /s/ and /i/ is answered 404.
func (a *API) Register(mux *http.ServeMux) {
	a.prepareApp(mux)
	guard := a.guard()
	allowed := map[string][]string{}
	for _, rt := range a.routes() {
		mux.Handle(rt.method+" "+rt.path, guard(a.serve(rt)))
		allowed[rt.path] = append(allowed[rt.path], rt.method)
	}
	for path, methods := range allowed {
		mux.Handle(path, a.refuse(http.StatusMethodNotAllowed, "method_not_allowed", methods))
	}
	for _, rt := range a.routes() {
		if rt.method == http.MethodPost && rt.browser != nil {
			mux.Handle("GET "+rt.path, a.redirectToPage(a.refuse(http.StatusMethodNotAllowed, "method_not_allowed", allowed[rt.path])))
		}
	}
	if a.Uploads != nil {
		a.registerUploads(mux, guard)
	}
	mux.HandleFunc("GET "+BrandPath+"{file}", a.logo)
	for _, rest := range []string{"/s/", "/i/"} {
		mux.Handle(rest, a.refuse(http.StatusNotFound, "not_found", nil))
	}
}

// prepareApp loads the app and adds its files to the mux. Pages work without it, so an error is only logged.
func (a *API) prepareApp(mux *http.ServeMux) {
	if !hasApp(a.App) {
		return
	}
	app, err := loadApp(a.App)
	if err != nil {
		a.Log.Error("loading the participant's app failed; pages are served without it", "error", err)
		return
	}
	a.app = app
	mux.HandleFunc("GET "+appPath+"{file}", app.serve)
}

// serve returns a handler that passes a request to the route's handler for programs or for browsers.
func (a *API) serve(rt route) http.Handler {
	program := table.Handle(a.Log, withStep(rt.program))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if rt.browser != nil && isPageRequest(r) {
			a.servePage(w, r, rt.browser)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		program.ServeHTTP(w, r)
	})
}

// isPageRequest reports whether a request comes from a browser that wants a page or sends a page's form, and not from a program.
func isPageRequest(r *http.Request) bool {
	if r.Method == http.MethodPost {
		kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
		return (kind == "application/x-www-form-urlencoded" || kind == formType) && wantsPage(r)
	}
	return wantsPage(r)
}

func wantsPage(r *http.Request) bool {
	return slices.ContainsFunc(r.Header.Values("Accept"), func(accept string) bool { return strings.Contains(accept, "text/html") })
}

// guard returns middleware that keeps other sites' pages from posting in a participant's name. Programs send no Origin and pass.
func (a *API) guard() func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if base, err := url.Parse(a.BaseURL); err == nil && base.Host != "" {
		// Behind a proxy the request's Host may differ from the address in the browser.
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			a.Log.Warn("the base URL has no valid origin; pages behind a proxy may be refused when they post", "base_url", a.BaseURL, "error", err)
		}
	}
	protection.SetDenyHandler(a.refuse(http.StatusForbidden, "forbidden", nil))
	return protection.Handler
}

// refuse returns a handler for requests that no route accepts. The error is made once, for all requests.
func (a *API) refuse(status int, code string, methods []string) http.Handler {
	refusal := httpx.Errorf(status, code, "%s", refusalMessages[code])
	if len(methods) > 0 {
		methods = slices.Clone(methods)
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead)
		}
		slices.Sort(methods)
		refusal.Header = http.Header{"Allow": {strings.Join(methods, ", ")}}
	}
	handler := func(http.ResponseWriter, *http.Request) error { return refusal }
	program := table.Handle(a.Log, handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wantsPage(r) {
			a.servePage(w, r, handler)
			return
		}
		program.ServeHTTP(w, r)
	})
}

// redirectToPage redirects a browser that opens a form's address to the page of the form, with the query. A refused form leaves the
// browser at its address, and people reload or bookmark it. Programs are refused.
func (a *API) redirectToPage(refused http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if !wantsPage(r) {
			refused.ServeHTTP(w, r)
			return
		}
		a.servePage(w, r, func(w http.ResponseWriter, r *http.Request) error {
			http.Redirect(w, r, pageOf(r), http.StatusSeeOther)
			return nil
		})
	})
}

// pageOf returns the address of the study's or interview's page that a request belongs to, with the query. It is "" where there is
// none.
func pageOf(r *http.Request) string {
	page, linkID, token := "", r.PathValue("linkId"), r.PathValue("token")
	switch {
	case linkID != "":
		page = "/s/" + url.PathEscape(linkID)
	case token != "":
		page = "/i/" + url.PathEscape(token)
	default:
		return ""
	}
	if r.URL.RawQuery != "" {
		page += "?" + r.URL.RawQuery
	}
	return page
}

var refusalMessages = map[string]string{
	"not_found":          "There is nothing at this address.",
	"method_not_allowed": "This address does not accept this method.",
	"forbidden":          "A page of another site must not post here.",
}
