package participant

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
	"strconv"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

//go:embed page/*.html
var pageFiles embed.FS

//go:embed page/style.css
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
	"tag": tag, "dir": direction, "paragraphs": paragraphs, "inc": func(n int) int { return n + 1 },
}).ParseFS(pageFiles, "page/*.html"))

// page holds the data of the templates.
type page struct {
	Body      string // name of the template in the middle
	Style     template.CSS
	App       *app       // nil: the page has no script
	Bootstrap *bootstrap // nil: the app is not used on this page
	Words     words
	Language  string // of the page
	Content   string // language of the study's own texts
	Title     string
	Heading   string
	Text      string

	// on the landing page
	Action    string
	Chosen    string // language code of the interview
	StartKey  string // idempotency key of this form, so that it may be sent again
	Languages []languageChoice
	Switch    string            // address to choose another language at
	Params    []fieldwork.Param // the link's parameters, which are sent along

	// on the page of a step
	Token    string
	Step     *interview.Step
	Form     url.Values
	selected map[[2]string]bool // names of Form's fields with each of their values
	Errors   []string
	invalid  map[string]bool // names of a ranking's fields to correct

	Resend   string // on a notice: the address for sending Kept again, a form that could not be stored; may be empty
	Kept     []fieldwork.Param
	Back     string // on a notice: the address where the visitor can continue; may be empty
	BackText string

	LargestFile int // MiB

	Organization *organization // nil on pages without one
	BrandStyle   template.CSS  // style sheet of its colour
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
	p.Organization = organizationOf(b)
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
	w := wordsFor(language)
	p := page{
		Body: "landing", Words: w, Language: pageLanguage(language), Content: landing.TextLanguage,
		Title: g.ParticipantTitle(), Heading: cmp.Or(g.Welcome.Title, g.ParticipantTitle()), Text: cmp.Or(g.Welcome.Message, w["welcomeText"]),
		Action: (&url.URL{Path: "/s/" + landing.LinkID + "/interviews", RawQuery: query}).String(), Chosen: language, StartKey: rand.Text(),
		Switch: "/s/" + landing.LinkID,
	}
	for _, code := range landing.Languages {
		p.Languages = append(p.Languages, languageChoice{Code: code, Name: languageName(code), Tag: tag(code), Current: code == language})
	}
	p.Params = slices.DeleteFunc(params, func(param fieldwork.Param) bool { return param.Name == languageParam })
	p.Bootstrap = bootstrapLanding(landing, brand, p, language, query)
	_, p.Bootstrap.Device.Unsure = deviceOf(r.Header)
	if isUnsupportedDevice(g, r.Header) {
		p.Body, p.Bootstrap.View, p.Allowed = "devices", "devices", platforms(g)
		p.Heading, p.Text = w["devicesTitle"], w["devicesText"]
	}
	return p.withBrand(brand)
}

func stepPage(v fieldwork.View, token string) page {
	w := wordsFor(v.Response.Language)
	p := page{
		Body: "step", Words: w, Language: pageLanguage(v.Response.Language),
		Content: v.TextLanguage,
		Title:   v.Guide.ParticipantTitle(), Token: token, Step: &v.Step,
	}
	switch v.Step.Kind {
	case interview.StepComplete:
		p.Body, p.Heading, p.Text = "end", w["completeTitle"], closingMessage(v)
	case interview.StepScreenedOut:
		p.Body, p.Heading, p.Text = "end", w["screenedTitle"], closingMessage(v)
	case interview.StepFollowUp:
		p.Chosen = v.Response.Language
	}
	p.Bootstrap = bootstrapStep(v, p, token)
	return p
}

// noticePage returns a page with a heading and a text: the words under name+"Title" and name+"Text".
func noticePage(language, name string) page {
	w := wordsFor(language)
	return page{
		Body: "notice", Words: w, Language: pageLanguage(language), Content: pageLanguage(language),
		Title: w[name+"Title"], Heading: w[name+"Title"], Text: w[name+"Text"],
	}
}

func (a *API) writePage(ctx context.Context, w http.ResponseWriter, status int, p page) error {
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
		a.Log.ErrorContext(ctx, "rendering a page failed after part of it was sent", "request_id", httpx.RequestID(ctx), "error", err)
		panic(http.ErrAbortHandler) // closes the connection, so that the browser does not treat the part as a complete page
	}
	return err
}

func paragraphs(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), func(line string) bool {
		return strings.TrimSpace(line) == ""
	})
}

// The templates call the following methods.

// Widget returns the name of the template of the step's field.
func (p page) Widget() string {
	if p.Step.Kind == interview.StepFollowUp {
		return string(guide.OpenEnded)
	}
	return string(p.Step.Item.Type)
}

// Typed returns what was entered in a field before; "" the first time.
func (p page) Typed(name string) string { return p.Form.Get(name) }

// Picked reports whether a value of a field was selected before.
func (p page) Picked(name, value string) bool { return p.selected[[2]string{name, value}] }

// withForm returns the page with what was entered in its form before.
func (p page) withForm(form url.Values) page {
	p.Form, p.selected = form, map[[2]string]bool{}
	for name, values := range form {
		for _, value := range values {
			p.selected[[2]string{name, value}] = true
		}
	}
	if p.Step.Item != nil && p.Step.Item.Type == guide.Ranking {
		p.invalid = invalidRanks(*p.Step, form)
	}
	return p
}

// Wrong reports whether a field of a ranking has to be corrected.
func (p page) Wrong(name string) bool { return p.invalid[name] }

// fewLanguages is the maximum number of languages that are shown as buttons. More are shown as a list. The app
// reads it from web/shared/rules.json.
const fewLanguages = 12

// ManyLanguages reports whether the languages are shown as a list.
func (p page) ManyLanguages() bool { return len(p.Languages) > fewLanguages }

// CustomID returns the value of the custom option's button.
func (p page) CustomID() string { return guide.CustomOptionID(p.Step.Item.ID) }

// Several reports whether more than one option may be selected.
func (p page) Several() bool { return p.Step.Item.MultiSelect }

// Hint returns a sentence on how to answer the question; "" where it needs none.
func (p page) Hint() string {
	if p.Step.Kind == interview.StepFollowUp {
		return ""
	}
	switch it := p.Step.Item; it.Type {
	case guide.MultipleChoice:
		lower, upper := max(p.Step.MinSelect, 1), p.Step.MaxSelect
		switch {
		case !it.MultiSelect:
			return p.Words["hintOne"]
		case upper == 0 && lower == 1:
			return p.Words["hintAny"]
		case upper == 0:
			return p.Words.number("hintAtLeast", lower)
		case lower == 1:
			return p.Words.number("hintAtMost", upper)
		case lower == upper:
			return p.Words.number("hintExactly", upper)
		}
		return strings.ReplaceAll(p.Words.number("hintBetween", lower), "{total}", strconv.Itoa(upper))
	case guide.Ranking:
		return p.Words.number("hintRank", len(p.Step.Options))
	case guide.Matrix:
		return p.Words["hintMatrix"]
	case guide.MaxDiff:
		return p.Words["hintMaxDiff"]
	}
	return ""
}

// Progress returns how much of the interview is done, in words.
func (p page) Progress() string {
	return strings.ReplaceAll(p.Words.number("progress", p.Step.Progress.Done), "{total}", strconv.Itoa(p.Step.Progress.Total))
}

// Screen returns which screen of a MaxDiff question this is, in words.
func (p page) Screen() string {
	return strings.ReplaceAll(p.Words.number("screen", p.Step.Screen+1), "{total}", strconv.Itoa(p.Step.Screens))
}

// frame is another site's page inside the interview.
type frame struct{ Address, Label string }

// Frame returns the embedded page, through its proxy where it has one.
func (p page) Frame(e *guide.Embed) frame {
	return frame{Address: cmp.Or(e.ProxyURL, e.URL), Label: p.Words["openEmbed"]}
}

// Describes returns the ids for the field's aria-describedby.
func (p page) Describes() string {
	var list []string
	if len(p.Errors) > 0 {
		list = append(list, "errors")
	}
	if p.Hint() != "" {
		list = append(list, "hint")
	}
	return strings.Join(list, " ")
}

// Button returns the label of the button that submits the step.
func (p page) Button() string {
	if p.Step.Kind == interview.StepStatement {
		return cmp.Or(p.Step.Item.ContinueButtonText, p.Words["continue"])
	}
	return p.Words["next"]
}
