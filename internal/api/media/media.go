package media

import (
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/objects"
)

// API serves the objects behind signed links. Share one value.
type API struct {
	Objects *objects.Service
	Log     *slog.Logger
}

// Routes returns the routes of signed links.
func (a *API) Routes() httpx.Routes {
	return httpx.Routes{
		"GET /m/{expiry}/{signature}/{name...}":     a.serve,
		"OPTIONS /m/{expiry}/{signature}/{name...}": preflight,
	}
}

// Register registers the routes on mux.
func (a *API) Register(mux *http.ServeMux) {
	own := http.NewServeMux()
	a.Routes().Mount(own, table, a.Log)
	mux.Handle("/m/", crossOrigin(httpx.JSONOnly(own)))
}

// crossOrigin lets pages of any site read every answer, also errors, so that researchers' own pages can play recordings. The
// link itself grants access, and no cookies are used.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		httpx.AllowAnyOrigin(header)
		header.Set("Cross-Origin-Resource-Policy", "cross-origin") // for pages that are cross-origin isolated
		next.ServeHTTP(w, r)
	})
}

// preflight answers the request that a browser sends before anything but a plain GET from a page of another site. The answer
// is the same for every link, so it reveals nothing about this one.
func preflight(w http.ResponseWriter, _ *http.Request) error {
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", "GET, HEAD")
	header.Set("Access-Control-Allow-Headers", "If-Modified-Since, If-Range, If-Unmodified-Since, Range")
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return nil
}

var table = httpx.WithOutages(httpx.Table{
	{Err: objects.ErrForged, Status: http.StatusForbidden, Code: "invalid_link", Message: "This link is not valid. Ask for a new one where you found it."},
	{Err: objects.ErrExpired, Status: http.StatusForbidden, Code: "expired_link", Message: "This link has expired. Ask for a new one where you found it."},
	{Err: objects.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "What this link led to is gone."},
})

func (a *API) serve(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	content, err := a.Objects.Linked(r.Context(), r.PathValue("expiry"), r.PathValue("signature"), name)
	if err != nil {
		return err
	}
	defer content.Close()
	setHeaders(w.Header(), name, content.ContentType)
	http.ServeContent(w, r, "", content.ModTime, httpx.Chunks(w, content))
	return nil
}

// setHeaders sets the headers that say what is served, so that browsers make nothing else of it.
func setHeaders(header http.Header, name, contentType string) {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	disposition := "inline"
	if !inlineTypes[kind] {
		kind, disposition = "application/octet-stream", "attachment"
	}
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", disposition+"; filename="+strconv.Quote(path.Base(name)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox")
	header.Set("Referrer-Policy", "no-referrer")               // the address grants access
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // researchers' own pages may play it
	header.Set("Cache-Control", "private, no-cache")           // objects that are erased or expired must not stay in caches
}

// inlineTypes are the types that browsers show or play and cannot run.
var inlineTypes = map[string]bool{
	"audio/aac": true, "audio/mp4": true, "audio/mpeg": true, "audio/ogg": true, "audio/wav": true, "audio/webm": true,
	"video/mp2t": true, "video/mp4": true, "video/ogg": true, "video/quicktime": true, "video/webm": true, "video/x-matroska": true,
	"application/vnd.apple.mpegurl": true,
	"image/gif":                     true, "image/jpeg": true, "image/png": true, "image/webp": true,
}
