package participant

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

// BrandPath is the path of logos. A logo's name is made from its content, so it may be cached for ever.
const BrandPath = "/brand/"

// organization is the protocol's JSON of a brand.
type organization struct {
	Name   string  `json:"name"`
	Colour *string `json:"colour"` // as the organization set it
	Logo   *logo   `json:"logo"`
}

type logo struct {
	URL    string `json:"url"` // from the root of this server
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func organizationOf(b org.Brand) *organization {
	wire := &organization{Name: b.Name, Colour: orNull(b.Colour.String())}
	if b.Logo.File != "" {
		wire.Logo = &logo{BrandPath + b.Logo.File, b.Logo.Width, b.Logo.Height}
	}
	return wire
}

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
			a.Log.ErrorContext(r.Context(), "reading a logo", "error", err)
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
