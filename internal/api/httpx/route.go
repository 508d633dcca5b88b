package httpx

import (
	"log/slog"
	"net/http"
	"path"
	"strings"
)

// Routes is a door's table: patterns of the standard mux, such as "GET /things/{id}", and their handlers.
type Routes map[string]Handler

// Mount puts a door's routes on a mux. Their errors are answered by the door's own table.
func (rs Routes) Mount(mux *http.ServeMux, t Table, log *slog.Logger) {
	for pattern, handler := range rs {
		mux.Handle(pattern, mountedHandler{t.Handle(log, handler)})
	}
}

// mounted marks what Mount put there, to tell it from the mux's own answers.
type mountedHandler struct{ http.Handler }

// JSONOnly serves what Mount put on a mux and answers everything else with the envelope: 405 method_not_allowed with
// Allow where the path has other methods, 404 not_found elsewhere, also where the mux would redirect.
func JSONOnly(mux *http.ServeMux) http.Handler {
	return withEnvelope(mux, func(handler http.Handler, _ string) bool {
		_, ours := handler.(mountedHandler)
		return ours
	})
}

// JSONErrors serves what is on a mux and gives the mux's own answers the envelope, as JSONOnly does: unclean paths are 404
// not_found instead of redirects.
func JSONErrors(mux *http.ServeMux) http.Handler {
	return withEnvelope(mux, func(_ http.Handler, pattern string) bool {
		return pattern != ""
	})
}

// orEnvelope serves what a mux has for a request, if that is to be served, and the envelope otherwise.
func withEnvelope(mux *http.ServeMux, serves func(handler http.Handler, pattern string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, pattern := mux.Handler(r)
		if isClean(r.URL.EscapedPath()) && serves(handler, pattern) {
			mux.ServeHTTP(w, r)
			return
		}
		if allow := allowedMethods(handler, r); allow != "" {
			e := Errorf(http.StatusMethodNotAllowed, "method_not_allowed", "This path has no method %s. It has: %s.", MethodName(r), allow)
			e.Header = http.Header{"Allow": {allow}}
			WriteError(w, e)
			return
		}
		WriteError(w, Errorf(http.StatusNotFound, "not_found", "There is nothing at this path."))
	})
}

// allowed asks the mux's own answer which methods the path has; empty when there is no such path.
func allowedMethods(own http.Handler, r *http.Request) string {
	if !isClean(r.URL.EscapedPath()) {
		return ""
	}
	answer := headerRecorder{header: http.Header{}}
	own.ServeHTTP(&answer, r)
	return answer.header.Get("Allow")
}

// isClean reports whether a path has no empty and no dotted parts. The mux would redirect others.
func isClean(p string) bool {
	return p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/")
}

// discard keeps the header of an answer alone.
type headerRecorder struct{ header http.Header }

func (d *headerRecorder) Header() http.Header         { return d.header }
func (d *headerRecorder) Write(p []byte) (int, error) { return len(p), nil }
func (d *headerRecorder) WriteHeader(int)             {}
