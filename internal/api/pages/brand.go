package pages

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/service/objects"
)

// logo serves a logo. Its policy keeps scripts in the file from running.
func (a *API) logo(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	kind := org.LogoType(file)
	if kind == "" || a.Objects == nil {
		http.NotFound(w, r)
		return
	}
	content, err := a.Objects.Open(r.Context(), org.Logo{File: file}.Object())
	if errors.Is(err, objects.ErrNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		if r.Context().Err() == nil {
			a.Protocol.Log.ErrorContext(r.Context(), "reading a logo", "error", err)
		}
		http.Error(w, "The logo cannot be read now.", http.StatusServiceUnavailable)
		return
	}
	defer content.Close()
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.FormatInt(content.Size, 10))
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = io.Copy(w, content) // fails when the client is gone, which needs no handling
}

// brandStylesheet returns the style sheet of a brand's colour, which follows the page's own.
func brandStylesheet(colour org.Colour) stylesheet {
	var css strings.Builder
	rule := func(p org.Palette) {
		fmt.Fprintf(&css, ":root{--accent:%s;--on-accent:%s;--fill:%s;--on-fill:%s;--tint:%s}", p.Accent, p.OnAccent, p.Fill, p.OnFill, p.Tint)
	}
	rule(colour.On(org.Light))
	css.WriteString("@media (prefers-color-scheme:dark){")
	rule(colour.On(org.Dark))
	css.WriteByte('}')
	return stylesheetOf([]byte(css.String()))
}
