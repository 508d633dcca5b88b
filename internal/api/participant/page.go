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

// sheet is a style sheet that stands in the page: nothing else has to come over a slow network before the page is painted.
type stylesheet struct {
	text   template.CSS
	source string // names it in a policy, by its hash
}

func stylesheetOf(texts ...[]byte) stylesheet {
	text := bytes.Join(texts, nil)
	sum := sha256.Sum256(text)
	return stylesheet{text: template.CSS(text), source: "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

// plainSheet is what pages without the app have.
var plainStylesheet = stylesheetOf(style)

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"tag": tag, "dir": direction, "paragraphs": paragraphs, "inc": func(n int) int { return n + 1 },
}).ParseFS(pageFiles, "page/*.html"))

// page is all that a page is made from.
type page struct {
	Body      string // name of the template in the middle
	Style     template.CSS
	App       *app       // nil: the page has no script
	Bootstrap *bootstrap // nil: the app has nothing to do here
	Words     words
	Language  string // of the page
	Content   string // language of the study's own texts
	Title     string
	Heading   string
	Text      string

	// of the front
	Action    string
	Chosen    string // language code of the interview
	BeginKey  string // of this view of the page, so that its form may be sent again
	Languages []languageChoice
	Switch    string            // where another language is chosen
	Params    []fieldwork.Param // what goes along to there

	// of a step
	Token  string
	Step   *interview.Step
	Form   url.Values
	picked map[[2]string]bool // the fields of Form with each of their values
	Errors []string
	wrong  map[string]bool // the fields of a ranking that are the reason

	Resend   string // of a notice: the address of the form that could not be taken, which Kept has; may be empty
	Kept     []fieldwork.Param
	Back     string // of a notice: where the visitor can go on; may be empty
	BackText string

	LargestFile int // megabytes

	Organization *organization // who asks; nil on pages that belong to none
	Paint        template.CSS  // of its colour
	paint        stylesheet
	Allowed      []string // kinds of device that the study is for, on a page for others
	Link         string   // of the study, to open elsewhere
}

type languageChoice struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Tag     string `json:"tag"`
	Current bool   `json:"current"`
}

// branded is the page in an organization's look.
func (p page) branded(b org.Brand) page {
	p.Organization = organizationOf(b)
	if b.Colour != 0 {
		p.paint = paint(b.Colour)
		p.Paint = p.paint.text
	}
	if p.Bootstrap != nil {
		p.Bootstrap.Organization = p.Organization
	}
	return p
}

// frontPage welcomes; on a device that the study is not for it says on which it can be taken.
func landingPage(landing fieldwork.Landing, brand org.Brand, language string, r *http.Request) page {
	g, params := landing.Guide, fieldwork.Params(r.URL.RawQuery)
	query := fieldwork.Query(params) // the rest of what came would only make the page longer
	w := phrases(language)
	p := page{
		Body: "front", Words: w, Language: spoken(language), Content: landing.TextLanguage,
		Title: g.ParticipantTitle(), Heading: cmp.Or(g.Welcome.Title, g.ParticipantTitle()), Text: cmp.Or(g.Welcome.Message, w["welcomeText"]),
		Action: (&url.URL{Path: "/s/" + landing.LinkID + "/interviews", RawQuery: query}).String(), Chosen: language, BeginKey: rand.Text(),
		Switch: "/s/" + landing.LinkID,
	}
	for _, code := range landing.Languages {
		p.Languages = append(p.Languages, languageChoice{Code: code, Name: languageName(code), Tag: tag(code), Current: code == language})
	}
	p.Params = slices.DeleteFunc(params, func(param fieldwork.Param) bool { return param.Name == languageParam })
	p.Bootstrap = bootstrapLanding(landing, brand, p, language, query)
	_, p.Bootstrap.Device.Unsure = deviceOf(r.Header)
	if turnedAway(g, r.Header) {
		p.Body, p.Bootstrap.View, p.Allowed = "devices", "devices", platforms(g)
		p.Heading, p.Text = w["devicesTitle"], w["devicesText"]
	}
	return p.branded(brand)
}

func stepPage(v fieldwork.View, token string) page {
	w := phrases(v.Response.Language)
	p := page{
		Body: "step", Words: w, Language: spoken(v.Response.Language),
		Content: v.TextLanguage,
		Title:   v.Guide.ParticipantTitle(), Token: token, Step: &v.Step,
	}
	switch v.Step.Kind {
	case interview.StepComplete:
		p.Body, p.Heading, p.Text = "end", w["completeTitle"], farewell(v)
	case interview.StepScreenedOut:
		p.Body, p.Heading, p.Text = "end", w["screenedTitle"], farewell(v)
	case interview.StepFollowUp:
		p.Chosen = v.Response.Language
	}
	p.Bootstrap = bootstrapStep(v, p, token)
	return p
}

// noticePage is a page of two sentences: the words under name+"Title" and name+"Text".
func noticePage(language, name string) page {
	w := phrases(language)
	return page{
		Body: "notice", Words: w, Language: spoken(language), Content: spoken(language),
		Title: w[name+"Title"], Heading: w[name+"Title"], Text: w[name+"Text"],
	}
}

func (d *API) writePage(ctx context.Context, w http.ResponseWriter, status int, p page) error {
	p.Style, p.App, p.LargestFile = plainStylesheet.text, d.app, d.largestFile()
	if d.app != nil && p.Bootstrap != nil {
		p.Style = d.app.style.text
	}
	if p.paint.source != "" {
		policy := w.Header().Get("Content-Security-Policy")
		w.Header().Set("Content-Security-Policy", strings.Replace(policy, "style-src ", "style-src "+p.paint.source+" ", 1))
	}
	err := stream(ctx, w, status, func(to io.Writer) error { return templates.ExecuteTemplate(to, "layout", p) })
	if errors.Is(err, errHalfSent) {
		d.Log.ErrorContext(ctx, "a page broke", "request_id", httpx.RequestID(ctx), "error", err)
		panic(http.ErrAbortHandler) // the connection ends, so that half a page is not taken for a whole one
	}
	return err
}

func paragraphs(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), func(line string) bool {
		return strings.TrimSpace(line) == ""
	})
}

// The following are asked by the templates.

// Widget names the template of the step's field.
func (p page) Widget() string {
	if p.Step.Kind == interview.StepFollowUp {
		return string(guide.OpenEnded)
	}
	return string(p.Step.Item.Type)
}

// Typed is what was given in a field before; empty the first time.
func (p page) Typed(name string) string { return p.Form.Get(name) }

// Picked tells whether a value of a field was chosen before.
func (p page) Picked(name, value string) bool { return p.picked[[2]string{name, value}] }

// filled is the page with what was given in its form before.
func (p page) filled(form url.Values) page {
	p.Form, p.picked = form, map[[2]string]bool{}
	for name, values := range form {
		for _, value := range values {
			p.picked[[2]string{name, value}] = true
		}
	}
	if p.Step.Item != nil && p.Step.Item.Type == guide.Ranking {
		p.wrong = wrongPlaces(*p.Step, form)
	}
	return p
}

// Wrong reports whether a field of a ranking has to be corrected.
func (p page) Wrong(name string) bool { return p.wrong[name] }

// fewLanguages is how many languages have a button each; more are in a list.
const fewLanguages = 12

// ManyLanguages reports whether the languages are in a list.
func (p page) ManyLanguages() bool { return len(p.Languages) > fewLanguages }

// CustomID is the value of the custom option's button.
func (p page) CustomID() string { return guide.CustomOptionID(p.Step.Item.ID) }

// Several tells whether more than one option may be chosen.
func (p page) Several() bool { return p.Step.Item.MultiSelect }

// Hint says how the question is to be answered.
func (p page) Hint() string {
	if p.Step.Kind == interview.StepFollowUp {
		return ""
	}
	switch it := p.Step.Item; it.Type {
	case guide.MultipleChoice:
		least, limit := max(p.Step.MinSelect, 1), p.Step.MaxSelect
		switch {
		case !it.MultiSelect:
			return p.Words["hintOne"]
		case limit == 0 && least == 1:
			return p.Words["hintAny"]
		case limit == 0:
			return p.Words.number("hintAtLeast", least)
		case least == 1:
			return p.Words.number("hintAtMost", limit)
		case least == limit:
			return p.Words.number("hintExactly", limit)
		}
		return strings.ReplaceAll(p.Words.number("hintBetween", least), "{total}", strconv.Itoa(limit))
	case guide.Ranking:
		return p.Words.number("hintRank", len(p.Step.Options))
	case guide.Matrix:
		return p.Words["hintMatrix"]
	case guide.MaxDiff:
		return p.Words["hintMaxDiff"]
	}
	return ""
}

// Progress says how far the interview has come.
func (p page) Progress() string {
	return strings.ReplaceAll(p.Words.number("progress", p.Step.Progress.Done), "{total}", strconv.Itoa(p.Step.Progress.Total))
}

// Screen says which screen of a MaxDiff this is.
func (p page) Screen() string {
	return strings.ReplaceAll(p.Words.number("screen", p.Step.Screen+1), "{total}", strconv.Itoa(p.Step.Screens))
}

// frame is a page shown inside the interview.
type frame struct{ Address, Label string }

// Frame is the embedded page as it is to be shown: through its proxy, where it has one.
func (p page) Frame(e *guide.Embed) frame {
	return frame{Address: cmp.Or(e.ProxyURL, e.URL), Label: p.Words["openEmbed"]}
}

// Describes are the ids of what a screen reader says with the field.
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

// Button is the label of the button that goes on.
func (p page) Button() string {
	if p.Step.Kind == interview.StepStatement {
		return cmp.Or(p.Step.Item.ContinueButtonText, p.Words["continue"])
	}
	return p.Words["next"]
}
