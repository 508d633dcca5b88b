package pages

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
)

// linkPreview holds the texts that messengers and networks show of a study's link: those of the study's page, never its goal or internal title.
type linkPreview struct {
	Title, Description string
	Address            string // of the study, without the link's parameters
	Image              string // absolute address of the organization's logo; may be empty
}

// maxDescription bounds the description of a preview, in characters. Messengers show less.
const maxDescription = 200

// newLinkPreview returns the preview of a landing page. baseURL is the public address of the service.
func newLinkPreview(p page, baseURL, linkID string) *linkPreview {
	v := &linkPreview{Title: p.Heading, Address: baseURL + (&url.URL{Path: "/s/" + linkID}).String()}
	var lines []string
	for _, line := range paragraphs(p.Text) {
		lines = append(lines, strings.TrimSpace(plainText(line)))
	}
	v.Description = shorten(strings.Join(lines, " "), maxDescription)
	if p.Organization != nil && p.Organization.Logo != nil {
		v.Image = baseURL + p.Organization.Logo.URL
	}
	return v
}

// shorten cuts a text after a word, so that it has at most the given number of characters.
func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	cut := string(runes[:limit-1])
	if i := strings.LastIndexAny(cut, " \t"); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " \t.,;:") + "…"
}

// wantsLinkPreview reports whether a request for a study's link comes from a program that shows previews of links. Such programs accept
// anything, as other programs do, and name themselves: most with the address of a page about them.
func wantsLinkPreview(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !strings.HasPrefix(r.URL.Path, "/s/") {
		return false
	}
	for _, accept := range r.Header.Values("Accept") {
		if strings.TrimSpace(accept) != "*/*" {
			return false
		}
	}
	agent := strings.ToLower(r.UserAgent())
	return slices.ContainsFunc([]string{"+http", "bot/", "bot ", "whatsapp/", "preview"}, func(mark string) bool { return strings.Contains(agent, mark) })
}

// icon returns the page's icon, an open speech bubble in the organization's colour, as a data address. It needs no request.
func icon(colour org.Colour) template.URL {
	fill := "#1f5f5b"
	if colour != 0 {
		fill = colour.String()
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="`+
		fill+`"/><path d="M8 9h16v11H15l-5 5v-5H8z" fill="#fff"/></svg>`))
}

// allowFraming lets the sites that a study names show its page inside theirs.
func allowFraming(w http.ResponseWriter, g *guide.Guide) {
	if origins := g.Config.Embedding.AllowedOrigins; len(origins) > 0 {
		policy := w.Header().Get("Content-Security-Policy")
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, framedNowhere, "frame-ancestors "+strings.Join(origins, " "), 1))
	}
}

// framedNowhere is the policy of pages that no site may show inside its own.
const framedNowhere = "frame-ancestors 'none'"
