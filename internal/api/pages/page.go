package pages

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

//go:embed templates/*.html
var pageFiles embed.FS

//go:embed templates/style.css
var style []byte

// stylesheet is a style sheet inside the page, so that the page can be shown before anything else is loaded over a slow network.
type stylesheet struct {
	text   template.CSS
	source string // names it by its hash in a Content-Security-Policy
}

func stylesheetOf(texts ...[]byte) stylesheet {
	text := bytes.Join(texts, nil)
	sum := sha256.Sum256(text)
	return stylesheet{text: template.CSS(text), source: "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

// plainStylesheet is the style sheet of pages without the app.
var plainStylesheet = stylesheetOf(style)

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"tag": locale.Tag, "dir": locale.Direction, "paragraphs": paragraphs, "inline": inline, "name": locale.Name, "inc": func(n int) int { return n + 1 },
}).ParseFS(pageFiles, "templates/*.html"))

// page holds the data of the templates.
type page struct {
	Body      string // name of the template in the middle
	Style     template.CSS
	App       *app       // nil: the page has no script
	Bootstrap *bootstrap // nil: the app is not used on this page
	Words     locale.Words
	Language  string // of the page
	Content   string // language of the study's own texts
	Title     string
	Heading   string
	Text      string

	// on the landing page
	Minutes   *participant.Minutes // that the interview takes; nil where it is not shown
	Action    string
	Chosen    string // language code of the interview
	StartKey  string // idempotency key of this form, so that it may be sent again
	Languages []languageChoice
	Switch    string            // address to choose another language at
	Params    []fieldwork.Param // the link's parameters, which are sent along

	// on the page of a step
	Token    string
	Step     *interview.Step
	captions map[string][]guide.Captions // by the video's address
	Support  string                      // the study's message to a participant in distress; may be empty

	Spoken       string                     // language of the participant and the moderator
	Conversation []participant.AnsweredStep // what was said about the question so far
	Remark       string                     // above the question; may be empty
	Elsewhere    *participant.AnsweredStep  // with the answer that stands in place of the one that was sent; may be nil
	Unsent       string                     // what the participant wrote in the answer that does not stand

	Form     url.Values
	selected map[[2]string]bool // names of Form's fields with each of their values
	Errors   []string
	invalid  map[string]bool // names of a ranking's fields to correct

	Preview bool // nothing of the interview becomes part of the results

	Resend   string // on a notice: the address for sending Kept again, a form that could not be stored; may be empty
	Kept     []fieldwork.Param
	Consent  *participant.Consent // on the landing page, and on the page that asks for it again; nil: none
	Exit     string               // at the end, and on a notice: the address of the panel that the visitor goes back to; may be empty
	Code     string               // at the end: the completion code; may be empty
	Back     string               // on a notice: the address where the visitor can continue; may be empty
	BackText string

	LargestFile int // MiB

	Icon        template.URL
	LinkPreview *linkPreview // nil: the page's link is not to be shown to others

	Organization *participant.Organization // nil on pages without one
	BrandStyle   template.CSS              // style sheet of its colour
	brandCSS     stylesheet
	Allowed      []string // kinds of device that the study is for, on the page for other devices
	Link         string   // of the study, to open on another device
}

type languageChoice struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Tag     string `json:"tag"`
	Current bool   `json:"current"`
}

// withBrand returns the page with an organization's brand.
func (p page) withBrand(b org.Brand) page {
	p.Organization = participant.OrganizationOf(b)
	p.Icon = icon(b.Colour)
	if b.Colour != 0 {
		p.brandCSS = brandStylesheet(b.Colour)
		p.BrandStyle = p.brandCSS.text
	}
	if p.Bootstrap != nil {
		p.Bootstrap.Organization = p.Organization
	}
	return p
}

// newLandingPage returns the landing page; on a device that the study is not for, the page that lists the allowed devices.
func newLandingPage(landing fieldwork.Landing, brand org.Brand, language string, r *http.Request) page {
	g, params := landing.Guide, fieldwork.Params(r.URL.RawQuery)
	query := fieldwork.Query(params) // only the stored parameters: others would make the page longer
	w := locale.WordsFor(language)
	p := page{
		Body: "landing", Words: w, Language: locale.Language(language), Content: landing.TextLanguage,
		Title: g.ParticipantTitle(), Heading: cmp.Or(g.Welcome.Title, g.ParticipantTitle()), Text: cmp.Or(g.Welcome.Message, w["welcomeText"]),
		Action: (&url.URL{Path: "/s/" + landing.LinkID + "/interviews", RawQuery: query}).String(), Chosen: language, StartKey: rand.Text(),
		Switch: "/s/" + landing.LinkID, Preview: landing.Preview,
	}
	codes := landing.Languages
	if !slices.Contains(codes, language) { // the link asks for it by name
		codes = append(slices.Clone(codes), language)
	}
	for _, code := range codes {
		p.Languages = append(p.Languages, languageChoice{Code: code, Name: locale.Name(code), Tag: locale.Tag(code), Current: code == language})
	}
	p.Params = slices.DeleteFunc(params, func(param fieldwork.Param) bool { return param.Name == participant.LanguageParam })
	p.Bootstrap = bootstrapLanding(landing, brand, p, language, query)
	p.Minutes, p.Bootstrap.Accepting, p.Consent = p.Bootstrap.Landing.Minutes, true, p.Bootstrap.Landing.Consent
	_, p.Bootstrap.Device.Unsure = participant.DeviceOf(r.Header)
	if participant.IsUnsupportedDevice(g, r.Header) {
		p.Body, p.Bootstrap.View, p.Allowed = "devices", "devices", participant.Platforms(g)
		p.Heading, p.Text = w["devicesTitle"], w["devicesText"]
		if g.RecordsScreen() {
			p.Heading, p.Text = w["screenDeviceTitle"], w["screenDeviceText"]
		}
	}
	return p.withBrand(brand)
}

func stepPage(v fieldwork.View, token string) page {
	w := locale.WordsFor(v.Response.Language)
	p := page{
		Body: "step", Words: w, Language: locale.Language(v.Response.Language),
		Content: v.TextLanguage,
		Title:   v.Guide.ParticipantTitle(), Token: token, Step: &v.Step, Support: v.Support, Preview: v.Preview,
		Exit: v.Exit.URL, Code: v.Exit.Code, Spoken: v.Response.Language, Conversation: participant.ConversationOf(v),
	}
	switch v.Step.Kind {
	case interview.StepComplete:
		p.Body, p.Heading, p.Text = "end", w["completeTitle"], participant.ClosingMessage(v)
	case interview.StepScreenedOut:
		p.Body, p.Heading, p.Text = "end", w["screenedTitle"], participant.ClosingMessage(v)
	case interview.StepFollowUp:
		p.Chosen = v.Response.Language
	}
	for _, c := range v.Guide.Config.Captions {
		if p.captions == nil {
			p.captions = map[string][]guide.Captions{}
		}
		p.captions[c.MediaURL] = append(p.captions[c.MediaURL], c)
	}
	p.Bootstrap = bootstrapStep(v, p, token)
	return p
}

// noticePage returns a page with a heading and a text: the words under name+"Title" and name+"Text".
func noticePage(language, name string) page {
	w := locale.WordsFor(language)
	return page{
		Body: "notice", Words: w, Language: locale.Language(language), Content: locale.Language(language),
		Title: w[name+"Title"], Heading: w[name+"Title"], Text: w[name+"Text"],
	}
}

func (a *API) writePage(ctx context.Context, w http.ResponseWriter, status int, p page) error {
	if p.Icon == "" {
		p.Icon = icon(0)
	}
	p.Style, p.App, p.LargestFile = plainStylesheet.text, a.app, a.largestFile()
	if a.app != nil && p.Bootstrap != nil {
		p.Style = a.app.style.text
	}
	if p.brandCSS.source != "" {
		policy := w.Header().Get("Content-Security-Policy")
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, "style-src ", "style-src "+p.brandCSS.source+" ", 1))
	}
	err := stream(ctx, w, status, func(to io.Writer) error { return templates.ExecuteTemplate(to, "layout", p) })
	if errors.Is(err, errPartlySent) {
		a.Protocol.Log.ErrorContext(ctx, "rendering a page failed after part of it was sent", "request_id", httpx.RequestID(ctx), "error", err)
		panic(http.ErrAbortHandler) // closes the connection, so that the browser does not treat the part as a complete page
	}
	return err
}

func paragraphs(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), func(line string) bool {
		return strings.TrimSpace(line) == ""
	})
}
