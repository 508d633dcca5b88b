package pages

import (
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/webapp"
	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/service/objects"
)

// API serves the pages, and the protocol behind them. Share one value.
type API struct {
	Protocol *participant.API
	Objects  *objects.Service // stores the logos; nil: logos are not served
	App      fs.FS            // built app of the pages; nil or empty: the pages have no script

	app *app // nil: pages have no script
}

// handlers returns the handlers of the pages by the method and path of their routes. Browsers get the same as programs at the others.
func (a *API) handlers() map[string]httpx.Handler {
	return map[string]httpx.Handler{
		"GET /s/{linkId}":             a.landingPage,
		"POST /s/{linkId}/interviews": a.startForm,
		"GET /i/{token}":              a.interviewPage,
		"POST /i/{token}/answers":     a.answerPage,
		"POST /i/{token}/consent":     a.consentForm,
		"POST /i/{token}/withdraw":    a.withdrawForm,
	}
}

// Register adds the routes of the pages and of the protocol to a mux.
func (a *API) Register(mux *http.ServeMux) {
	a.prepareApp(mux)
	a.Protocol.RegisterWrapped(mux, a)
	for pattern := range a.handlers() {
		if path, isForm := strings.CutPrefix(pattern, "POST "); isForm {
			mux.Handle("GET "+path, a.redirectToPage(a.Protocol.Refuse(participant.NotAllowed(http.MethodPost))))
		}
	}
	mux.HandleFunc("GET "+participant.BrandPath+"{file}", a.logo)
	mux.HandleFunc("GET "+guidemedia.Path+"{org}/{id}/{file}", a.guideMedia)
}

// prepareApp loads the app and adds its files to the mux. Pages work without it, so an error is only logged.
func (a *API) prepareApp(mux *http.ServeMux) {
	if !webapp.Built(a.App) {
		return
	}
	app, err := loadApp(a.App)
	if err != nil {
		a.Protocol.Log.Error("loading the participant's app failed; pages are served without it", "error", err)
		return
	}
	a.app = app
	mux.HandleFunc("GET "+appPath+"{file}", app.Serve)
	mux.HandleFunc(previewPattern, func(w http.ResponseWriter, r *http.Request) { a.servePage(w, r, a.previewPage) })
}

// Route implements participant.Wrapper: it answers browsers with the route's page, if there is one.
func (a *API) Route(method, path string, program http.Handler) http.Handler {
	browser := a.handlers()[method+" "+path]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if browser != nil && (isPageRequest(r) || wantsLinkPreview(r)) {
			a.servePage(w, r, browser)
			return
		}
		program.ServeHTTP(w, r)
	})
}

// Refuse implements participant.Wrapper: it answers browsers with the refusal as a page.
func (a *API) Refuse(refusal *httpx.Error, program http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wantsPage(r) || wantsLinkPreview(r) {
			a.servePage(w, r, func(http.ResponseWriter, *http.Request) error { return refusal })
			return
		}
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
