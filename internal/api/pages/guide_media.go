package pages

import (
	"errors"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/service/objects"
)

// guideMedia serves an image, a film or captions of guides to everybody, complete or in ranges. The type is that of the file's name, which the service
// gave it, and never one that a browser guesses; the policy keeps whatever is in the file from running.
func (a *API) guideMedia(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	name := guidemedia.ObjectOf(r.PathValue("org"), r.PathValue("id"), file)
	if name == "" || a.Objects == nil {
		http.NotFound(w, r)
		return
	}
	content, err := a.Objects.Open(r.Context(), name)
	if errors.Is(err, objects.ErrNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		if r.Context().Err() == nil {
			a.Protocol.Log.ErrorContext(r.Context(), "reading a file of a guide", "error", err)
		}
		http.Error(w, "The file cannot be read now.", http.StatusServiceUnavailable)
		return
	}
	defer content.Close()
	header := w.Header()
	header.Set("Content-Type", guidemedia.FileType(file))
	header.Set("Content-Disposition", "inline")
	header.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // researchers' own pages may show it
	header.Set("Access-Control-Allow-Origin", "*")             // captions are read only with this
	header.Set("Cache-Control", "public, max-age=604800, immutable")
	http.ServeContent(w, r, "", content.ModTime, httpx.Chunks(w, content))
}
