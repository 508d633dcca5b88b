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

// Fieldwork is the work behind the door; *fieldwork.Service does it.
type Fieldwork interface {
	Study(ctx context.Context, linkID string) (fieldwork.Landing, error)
	In(ctx context.Context, landing fieldwork.Landing, language string) (fieldwork.Landing, error)
	Begin(ctx context.Context, b fieldwork.Beginning) (token string, view fieldwork.View, err error)
	ResponseByToken(ctx context.Context, token string) (response.Response, error)
	Prepare(ctx context.Context, token string) error
	UploadSteps(ctx context.Context, token string) (response.Response, guide.InterviewMode, []interview.Step, error)
	Current(ctx context.Context, token string) (fieldwork.View, error)
	Answer(ctx context.Context, token, stepID string, answer interview.Answer) (fieldwork.View, error)
	Withdraw(ctx context.Context, token string) error
	Follow(ctx context.Context, token string, seen int, from ...fieldwork.Origin) (*fieldwork.Subscriber, error)
	Brand(ctx context.Context, orgID string) (org.Brand, error)
}

// networksOf returns the networks that a start counts in.
func networksOf(ctx context.Context) (from []response.Network) {
	for _, network := range access.ClientOf(ctx) {
		from = append(from, response.Network(network))
	}
	return from
}

// Door serves the participants. Share one value.
type API struct {
	Fieldwork     Fieldwork
	Uploads       Uploads          // nil: no uploads are taken
	Slots         *Slots           // of uploads under way; nil: no limit
	Transcription Transcription    // nil: there are no uploads to be heard
	Objects       *objects.Service // where logos are; nil: none is served
	Log           *slog.Logger
	BaseURL       string // the service's public address; pages from its origin may post here
	App           fs.FS  // the built app of the pages; nil or empty: the pages have no script

	app *app // nil: there is none
}

// route is an address with what answers programs and what answers browsers there.
type route struct {
	method, path string
	program      httpx.Handler
	browser      httpx.Handler // nil: browsers get what programs get
}

func (d *API) routes() []route {
	return []route{
		{"GET", "/s/{linkId}", d.study, d.studyPage},
		{"POST", "/s/{linkId}/interviews", d.start, d.startForm},
		{"GET", "/i/{token}", d.current, d.interviewPage},
		{"GET", "/i/{token}/events", d.events, nil},
		{"POST", "/i/{token}/answers", d.answer, d.answerPage},
		{"POST", "/i/{token}/uploads/{id}/transcript", d.transcript, nil},
		{"POST", "/i/{token}/withdraw", d.withdraw, d.withdrawForm},
	}
}

// Register puts the door's addresses on a mux. Everything else under /s/ and /i/ is answered 404.
func (d *API) Register(mux *http.ServeMux) {
	d.prepareApp(mux)
	guard := d.guard()
	allowed := map[string][]string{}
	for _, rt := range d.routes() {
		mux.Handle(rt.method+" "+rt.path, guard(d.serve(rt)))
		allowed[rt.path] = append(allowed[rt.path], rt.method)
	}
	for path, methods := range allowed {
		mux.Handle(path, d.refuse(http.StatusMethodNotAllowed, "method_not_allowed", methods))
	}
	for _, rt := range d.routes() {
		if rt.method == http.MethodPost && rt.browser != nil {
			mux.Handle("GET "+rt.path, d.leadBack(d.refuse(http.StatusMethodNotAllowed, "method_not_allowed", allowed[rt.path])))
		}
	}
	if d.Uploads != nil {
		d.registerUploads(mux, guard)
	}
	mux.HandleFunc("GET "+BrandPath+"{file}", d.logo)
	for _, rest := range []string{"/s/", "/i/"} {
		mux.Handle(rest, d.refuse(http.StatusNotFound, "not_found", nil))
	}
}

// prepareApp reads the app and puts its files on the mux. Pages work without it, so what is wrong with it is only logged.
func (d *API) prepareApp(mux *http.ServeMux) {
	if !built(d.App) {
		return
	}
	app, err := loadApp(d.App)
	if err != nil {
		d.Log.Error("the participant's app cannot be used; pages are served without it", "error", err)
		return
	}
	d.app = app
	mux.HandleFunc("GET "+appPath+"{file}", app.serve)
}

// serve hands a request to the program's handler or the browser's.
func (d *API) serve(rt route) http.Handler {
	program := table.Handle(d.Log, withStep(rt.program))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if rt.browser != nil && fromPage(r) {
			d.servePage(w, r, rt.browser)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		program.ServeHTTP(w, r)
	})
}

// fromPage tells a browser that wants a page, or sends the form of one, from a program.
func fromPage(r *http.Request) bool {
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

// guard keeps other sites' pages from posting in a participant's name. Programs send no Origin and pass.
func (d *API) guard() func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if base, err := url.Parse(d.BaseURL); err == nil && base.Host != "" {
		// Behind a proxy the request's Host may differ from the address in the browser.
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			d.Log.Warn("the base URL is no origin that pages can come from", "base_url", d.BaseURL, "error", err)
		}
	}
	protection.SetDenyHandler(d.refuse(http.StatusForbidden, "forbidden", nil))
	return protection.Handler
}

// refuse answers what no route takes. The answer is made once, for all requests.
func (d *API) refuse(status int, code string, methods []string) http.Handler {
	refusal := httpx.Errorf(status, code, "%s", refusals[code])
	if len(methods) > 0 {
		methods = slices.Clone(methods)
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead)
		}
		slices.Sort(methods)
		refusal.Header = http.Header{"Allow": {strings.Join(methods, ", ")}}
	}
	handler := func(http.ResponseWriter, *http.Request) error { return refusal }
	program := table.Handle(d.Log, handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wantsPage(r) {
			d.servePage(w, r, handler)
			return
		}
		program.ServeHTTP(w, r)
	})
}

// leadBack redirects a browser that opens the address of a form to the page of the form: a refused form leaves the browser there,
// and people reload it, keep it and come back to it. It keeps the query. Programs are refused.
func (d *API) leadBack(refused http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if !wantsPage(r) {
			refused.ServeHTTP(w, r)
			return
		}
		d.servePage(w, r, func(w http.ResponseWriter, r *http.Request) error {
			http.Redirect(w, r, pageOf(r), http.StatusSeeOther)
			return nil
		})
	})
}

// pageOf returns the address of the page that a request's address belongs to, with the query: of a study link, or of an interview.
// It is empty where there is none.
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

var refusals = map[string]string{
	"not_found":          "Nothing is at this address.",
	"method_not_allowed": "This address does not take this method.",
	"forbidden":          "A page of another site must not post here.",
}
