package dashboard

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"

	"verbatim/internal/api/webapp"
)

// appPath is the path of the app's files.
const appPath = "/dashboard/"

// pagePolicy is the Content-Security-Policy of the pages: their own scripts, styles, pictures and recordings, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pagePatterns are the addresses of the dashboard, besides those below /p/, which package server shares with programs.
var pagePatterns = []string{"/signin", "/setup", "/invite", "/reset", "/me", "/instance", "/o/{org}/{rest...}"}

// HasPages reports whether the dashboard is built into the program.
func (a *API) HasPages() bool { return webapp.Built(a.App) }

// registerPages adds the pages to a mux. Without the web build they say that there is none.
func (a *API) registerPages(mux *http.ServeMux) {
	for _, pattern := range pagePatterns {
		mux.Handle("GET "+pattern, http.HandlerFunc(a.ServePage))
	}
	if !a.HasPages() {
		return
	}
	app, err := webapp.Load(a.App, appPath)
	if err != nil {
		panic(err) // the files are part of the program
	}
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, app); err != nil {
		panic(err)
	}
	a.page = page.Bytes()
	mux.HandleFunc("GET "+appPath+"{file}", app.Serve)
}

// ServePage answers with the one HTML document of all pages. It is the same for everybody and every address.
func (a *API) ServePage(w http.ResponseWriter, _ *http.Request) {
	header, status, page := w.Header(), http.StatusOK, a.page
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", pagePolicy)
	if page == nil {
		status, page = http.StatusNotFound, []byte("<!doctype html><html lang=\"en\"><title>Verbatim</title><p>The dashboard is not built into this program. Run <code>make web</code>, and build it again.</p>\n")
	}
	header.Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(status)
	_, _ = w.Write(page) // the client may be gone
}
