package participant

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/api/locale"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

// The JSON of the protocol. Package pages puts Landing, Step and Organization into its pages for the app. Where a key does not apply, its pointer, or its slice of options, rows or columns, is nil and encoded as
// null.
type (
	// Landing is the study, before an interview.
	Landing struct {
		Title          string   `json:"title"`
		WelcomeMessage welcome  `json:"welcomeMessage"`
		InterviewMode  string   `json:"interviewMode"`
		Languages      []string `json:"languages"`
		Disclosure     string   `json:"disclosure"`
		Platforms      []string `json:"platforms"` // kinds of device that the study is for; empty: any
		Minutes        *Minutes `json:"minutes"`

		Organization *Organization `json:"organization"`
		Consent      *Consent      `json:"consent,omitempty"` // nil: the study sets none
	}
	// Minutes holds the range of minutes that an interview takes.
	Minutes struct {
		From int `json:"from"`
		To   int `json:"to"`
	}
	welcome struct {
		Title   *string `json:"title"`
		Message *string `json:"message"`
	}
	startedBody struct {
		Token string `json:"token"`
		Step  Step   `json:"step"`
	}
	stepBody struct {
		Step Step `json:"step"`
	}
	standingBody struct {
		Step      Step          `json:"step"`
		Answered  *AnsweredStep `json:"answered"`
		Accepting bool          `json:"accepting"`
		Consent   *Consent      `json:"consent,omitempty"` // to be given again; nil: none
	}
	takenBody struct {
		Step     Step          `json:"step"`
		Answered *AnsweredStep `json:"answered"`
		Accepted bool          `json:"accepted"`
	}
	// Step is the current step of an interview.
	Step struct {
		StepID    string    `json:"stepId"`
		Kind      string    `json:"kind"`
		Moderator *string   `json:"moderator"`
		Question  *question `json:"question"`
		Concept   *concept  `json:"concept"`
		Capture   *capture  `json:"capture"`
		Progress  progress  `json:"progress"`
		Message   *string   `json:"message"`
		Support   *string   `json:"support"`
		Reason    string    `json:"reason,omitempty"` // at the end of a screened-out interview: QuotaFull, or nothing
		Exit      *Exit     `json:"exit"`

		Conversation []AnsweredStep `json:"conversation"`
	}
	// Exit holds the way back to the panel, and the completion code.
	Exit struct {
		URL     *string `json:"url"`
		Seconds *int    `json:"seconds"` // until the page goes there by itself; null: it does not
		Code    *string `json:"code"`
	}
	withdrawnBody struct {
		URL string `json:"url"`
	}
	progress struct {
		Done  int     `json:"done"`
		Total int     `json:"total"`
		Share float64 `json:"share"`
	}
	question struct {
		ID                 string    `json:"id"`
		Number             int       `json:"number"`
		Type               string    `json:"type"`
		Text               string    `json:"text"`
		Options            []option  `json:"options"`
		Rows               []row     `json:"rows"`
		Columns            []row     `json:"columns"`
		MultiSelect        *bool     `json:"multiSelect"`
		MinSelect          *int      `json:"minSelect"`
		MaxSelect          *int      `json:"maxSelect"`
		AllowCustomOption  *bool     `json:"allowCustomOption"`
		Metric             *string   `json:"metric"`
		Screen             *screen   `json:"screen"`
		PreferredInput     *string   `json:"preferredInput"`
		Media              []media   `json:"media"`
		Embed              *embedded `json:"embed"`
		ContinueButtonText *string   `json:"continueButtonText"`
	}
	option struct {
		ID        string `json:"id"`
		Text      string `json:"text"`
		Exclusive bool   `json:"exclusive"`
	}
	row struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	screen struct {
		Index int `json:"index"` // zero-based
		Count int `json:"count"`
	}
	media struct {
		Type            string     `json:"type"`
		Name            string     `json:"name"`
		URL             string     `json:"url"`
		WidthPercentage *float64   `json:"widthPercentage"`
		ForceWatching   bool       `json:"forceWatching"`
		Captions        []captions `json:"captions"`
	}
	captions struct {
		URL      string `json:"url"`
		Language string `json:"language"` // a BCP 47 tag
		Label    string `json:"label"`
	}
	embedded struct {
		URL      string  `json:"url"`
		ProxyURL *string `json:"proxyUrl"`
	}
	concept struct {
		ID          string  `json:"id"`
		Title       string  `json:"title"`
		Description string  `json:"description"`
		Media       []media `json:"media"`
		EmbedURL    *string `json:"embedUrl"`
	}
)

// LandingOf returns the landing page of a study. language is that of the disclosure.
func LandingOf(f fieldwork.Landing, b org.Brand, language string) Landing {
	var minutes *Minutes
	if m := f.Minutes; m.To > 0 {
		minutes = &Minutes{m.From, m.To}
	}
	return Landing{
		Title:          f.Guide.ParticipantTitle(),
		WelcomeMessage: welcome{orNull(f.Guide.Welcome.Title), orNull(f.Guide.Welcome.Message)},
		InterviewMode:  cmp.Or(string(f.Guide.Config.InterviewMode), string(guide.ModeText)),
		Languages:      f.Languages,
		Disclosure:     locale.WordsFor(language)["disclosure"],
		Platforms:      Platforms(f.Guide),
		Minutes:        minutes,
		Organization:   OrganizationOf(b),
		Consent:        ConsentOf(f, b, language),
	}
}

// StepOf returns the JSON of a step.
func StepOf(v fieldwork.View) Step {
	at := v.Step
	s := Step{
		StepID: at.ID, Kind: string(at.Kind), Moderator: orNull(at.Words),
		Question: questionOf(v.Guide, at), Concept: conceptOf(v.Guide, at.Concept),
		Capture:  captureOf(v.Guide.Config.InterviewMode, at),
		Progress: progress{at.Progress.Done, at.Progress.Total, math.Round(at.Progress.Share()*1e4) / 1e4},
		Support:  orNull(v.Support),

		Conversation: ConversationOf(v),
	}
	if v.Preview {
		s.Capture = nil // nothing is recorded
	}
	if at.Ended() {
		s.Message = orNull(ClosingMessage(v))
		s.Exit = exitOf(v)
	}
	if at.QuotaFull != nil {
		s.Reason = QuotaFull
	}
	return s
}

// exitOf returns what the participant takes along; nil for nothing.
func exitOf(v fieldwork.View) *Exit {
	if v.Exit == (fieldwork.Exit{}) {
		return nil
	}
	exit := &Exit{URL: orNull(v.Exit.URL), Code: orNull(v.Exit.Code)}
	if v.Exit.URL != "" && strings.Contains(v.Exit.URL, v.Exit.Code) { // who has a code to copy leaves in their own time
		exit.Seconds = orNull(v.Guide.Config.Panel.Redirects.Wait(utf8.RuneCountInString(ClosingMessage(v))))
	}
	return exit
}

// QuotaFull is the reason of a step at which a participant was screened out because a quota is full.
const QuotaFull = "quota_full"

// ClosingMessage returns the text at the end: the guide's closing message, the text of a full quota, or the service's.
func ClosingMessage(v fieldwork.View) string {
	words := locale.WordsFor(v.Response.Language)
	if full := v.Step.QuotaFull; full != nil {
		cell, _ := v.Guide.Cell(*full)
		return cmp.Or(strings.TrimSpace(cell.FullText), words["quotaText"])
	}
	if v.Step.Kind == interview.StepScreenedOut {
		return words["screenedText"]
	}
	return cmp.Or(v.Guide.ClosingMessage, words["completeText"])
}

func questionOf(g *guide.Guide, at interview.Step) *question {
	it := at.Item
	if it == nil {
		return nil
	}
	q := &question{
		ID: it.ID, Number: at.Number, Type: string(it.Type), Text: it.Text,
		MinSelect: orNull(at.MinSelect), MaxSelect: orNull(at.MaxSelect),
		Metric: orNull(it.Metric), PreferredInput: orNull(it.PreferredInput),
		Media: mediaOf(g, it.Media), ContinueButtonText: orNull(it.ContinueButtonText),
	}
	if it.Embed != nil {
		q.Embed = &embedded{it.Embed.URL, orNull(it.Embed.ProxyURL)}
	}
	switch it.Type {
	case guide.Matrix:
		q.MultiSelect = new(false)
		for _, r := range it.Rows {
			q.Rows = append(q.Rows, row{r.ID, r.Text})
		}
		for _, c := range at.Options {
			q.Columns = append(q.Columns, row{c.ID, c.Text})
		}
		return q
	case guide.MultipleChoice:
		q.MultiSelect, q.AllowCustomOption = new(it.MultiSelect), new(it.AllowCustomOption)
	case guide.MaxDiff:
		q.Screen = &screen{at.Screen, at.Screens}
	}
	for _, o := range at.Options {
		q.Options = append(q.Options, option{o.ID, o.Text, o.Exclusive})
	}
	return q
}

func conceptOf(g *guide.Guide, c *guide.Concept) *concept {
	if c == nil {
		return nil
	}
	wire := &concept{ID: c.ID, Title: c.Title, Description: c.Description, Media: mediaOf(g, c.Media)}
	if c.Embed != nil {
		wire.EmbedURL = orNull(cmp.Or(c.Embed.ProxyURL, c.Embed.URL)) // through its proxy where it has one
	}
	return wire
}

func mediaOf(g *guide.Guide, all []guide.Media) []media {
	wire := make([]media, 0, len(all))
	for _, m := range all {
		name := m.Name // read out to those who do not see it
		if slices.Contains(g.Config.DecorativeMedia, m.URL) {
			name = ""
		}
		wire = append(wire, media{m.Type, name, m.URL, orNull(m.WidthPercentage), m.ForceWatching, captionsOf(g, m)})
	}
	return wire
}

func captionsOf(g *guide.Guide, m guide.Media) []captions {
	wire := []captions{}
	for _, c := range g.CaptionsOf(m.URL) {
		wire = append(wire, captions{c.URL, locale.Tag(c.Language), locale.Name(c.Language)})
	}
	return wire
}

// BrandPath is the path of logos, which package pages serves.
const BrandPath = "/brand/"

// Organization is the JSON of a brand.
type Organization struct {
	Name   string  `json:"name"`
	Colour *string `json:"colour"` // as the organization set it
	Logo   *Logo   `json:"logo"`
}

// Logo is the JSON of a logo.
type Logo struct {
	URL    string `json:"url"` // from the root of this server
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// OrganizationOf returns the JSON of a brand.
func OrganizationOf(b org.Brand) *Organization {
	wire := &Organization{Name: b.Name, Colour: orNull(b.Colour.String())}
	if b.Logo.File != "" {
		wire.Logo = &Logo{BrandPath + b.Logo.File, b.Logo.Width, b.Logo.Height}
	}
	return wire
}

// orNull returns a pointer to v, or nil for the zero value.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
