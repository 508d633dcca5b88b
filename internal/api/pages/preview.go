package pages

import (
	"net/http"
	"strings"

	"verbatim/internal/api/locale"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

// previewPattern is the address of the page that shows previews, in a frame of the dashboard. The app asks the dashboard's API for what it
// shows, so the page is the same for everybody.
const previewPattern = "GET /preview/{studyRef}"

// Preview has the data of a page of an interview that is not stored.
type Preview struct {
	Bootstrap  any    // JSON of the page's data
	BrandStyle string // style sheet of the organization's colour; may be empty
}

// PreviewLanding returns the landing page of a preview.
func PreviewLanding(landing fieldwork.Landing, brand org.Brand, language string) Preview {
	p := page{
		Words: locale.WordsFor(language), Language: locale.Language(language), Content: landing.TextLanguage, Title: landing.Guide.ParticipantTitle(),
	}
	for _, code := range landing.Languages {
		p.Languages = append(p.Languages, languageChoice{Code: code, Name: locale.Name(code), Tag: locale.Tag(code), Current: code == language})
	}
	p.Bootstrap = bootstrapLanding(landing, brand, p, language, "")
	p.Bootstrap.Device = nil // previews are shown on any device
	return previewOf(p, brand)
}

// PreviewStep returns a step of a preview. Nothing is recorded in it.
func PreviewStep(view fieldwork.View, brand org.Brand) Preview {
	p := stepPage(view, "")
	p.Bootstrap.Step.Capture = nil
	return previewOf(p, brand)
}

func previewOf(p page, brand org.Brand) Preview {
	p = p.withBrand(brand)
	return Preview{p.Bootstrap, string(p.BrandStyle)}
}

// previewPage answers with the page without data. Only pages of this origin may show it in a frame.
func (a *API) previewPage(w http.ResponseWriter, r *http.Request) error {
	policy := w.Header().Get("Content-Security-Policy")
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
	language := locale.Accepted(r.Header.Get("Accept-Language"))
	p := noticePage(language, "failed")
	p.Bootstrap = bootstrapOf("preview", p, language)
	p.Bootstrap.LinkID = r.PathValue("studyRef")
	return a.writePage(r.Context(), w, http.StatusOK, p)
}
