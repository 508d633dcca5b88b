package httpx

import (
	"log/slog"
	"net/http"
	"path"
	"strings"
)

// Routes maps patterns of http.ServeMux, such as "GET /things/{id}", to the handlers of one api package.
type Routes map[string]Handler

// Mount registers the routes on a mux. Errors of their handlers are answered by t.
func (rs Routes) Mount(mux *http.ServeMux, t Table, log *slog.Logger) {
	for pattern, handler := range rs {
		mux.Handle(pattern, mountedHandler{t.Handle(log, handler)})
	}
}

// mountedHandler marks a handler that Mount registered, to distinguish it from those of the mux itself.
type mountedHandler struct{ http.Handler }

// JSONOnly serves the routes that Mount registered on mux and answers everything else with the error envelope: 405
// method_not_allowed with Allow if the path has other methods, otherwise 404 not_found, also if the mux would
// redirect.
func JSONOnly(mux *http.ServeMux) http.Handler {
	return withEnvelope(mux, func(handler http.Handler, _ string) bool {
		_, ours := handler.(mountedHandler)
		return ours
	})
}

// JSONErrors serves every route of mux and answers with the envelope if the mux would answer itself, as JSONOnly does:
// paths that are not clean are 404 not_found, not redirects.
func JSONErrors(mux *http.ServeMux) http.Handler {
	return withEnvelope(mux, func(_ http.Handler, pattern string) bool {
		return pattern != ""
	})
}

// withEnvelope serves a request by mux if serves accepts the matched handler, and answers with the error envelope
// otherwise.
func withEnvelope(mux *http.ServeMux, serves func(handler http.Handler, pattern string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, pattern := mux.Handler(r)
		if isClean(r.URL.EscapedPath()) && serves(handler, pattern) {
			mux.ServeHTTP(w, r)
			return
		}
		if allow := allowedMethods(handler, r); allow != "" {
			e := Errorf(http.StatusMethodNotAllowed, "method_not_allowed", "This path does not support the method %s. It supports: %s.", MethodName(r), allow)
			e.Header = http.Header{"Allow": {allow}}
			WriteError(w, e)
			return
		}
		WriteError(w, Errorf(http.StatusNotFound, "not_found", "There is nothing at this path."))
	})
}

// allowedMethods returns the Allow header of the mux's own answer, or "" when the path does not exist.
func allowedMethods(own http.Handler, r *http.Request) string {
	if !isClean(r.URL.EscapedPath()) {
		return ""
	}
	answer := headerRecorder{header: http.Header{}}
	own.ServeHTTP(&answer, r)
	return answer.header.Get("Allow")
}

// isClean reports whether a path has no empty or dotted segments. The mux would redirect others.
func isClean(p string) bool {
	return p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/")
}

// headerRecorder is a ResponseWriter that keeps the header and drops the rest.
type headerRecorder struct{ header http.Header }

func (d *headerRecorder) Header() http.Header         { return d.header }
func (d *headerRecorder) Write(p []byte) (int, error) { return len(p), nil }
func (d *headerRecorder) WriteHeader(int)             {}
