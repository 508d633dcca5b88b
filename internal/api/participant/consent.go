package participant

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/locale"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/fieldwork"
)

type (
	// Consent is the text that participants agree to before an interview, where the study sets one.
	Consent struct {
		Version  string           `json:"version"` // hash of the text
		Sections []ConsentSection `json:"sections"`
		Age      *AgeQuestion     `json:"age"`
		Again    *ConsentAgain    `json:"again,omitempty"`

		words response.Consent
	}
	// ConsentSection is a part of it. Where a key does not apply, it is empty or null.
	ConsentSection struct {
		Title string       `json:"title"`
		Text  string       `json:"text"` // the author's
		List  []string     `json:"list"`
		Link  *ConsentLink `json:"link"`
	}
	// ConsentLink is a link to another page.
	ConsentLink struct {
		Text string `json:"text"`
		URL  string `json:"url"`
	}
	// AgeQuestion asks whether a participant is old enough. Sorry is shown to one who is not.
	AgeQuestion struct {
		Minimum  int    `json:"minimum"`
		Question string `json:"question"`
		Yes      string `json:"yes"`
		No       string `json:"no"`
		Needed   string `json:"needed"`
		Title    string `json:"title"`
		Sorry    string `json:"sorry"`
	}
	// ConsentAgain has the words for a participant whose consent is asked for again.
	ConsentAgain struct {
		Title  string `json:"title"`
		Text   string `json:"text"`
		Button string `json:"button"`
	}
)

// ConsentOf returns the consent of a study in a language; nil if it sets none.
func ConsentOf(f fieldwork.Landing, b org.Brand, language string) *Consent {
	set, w := &f.Guide.Config.Consent, locale.WordsFor(language)
	if !set.Asked {
		return nil
	}
	c := &Consent{Sections: []ConsentSection{}}
	add := func(s ConsentSection) {
		if s.List == nil {
			s.List = []string{}
		}
		if s.Text != "" || len(s.List) > 0 || s.Link != nil {
			c.Sections = append(c.Sections, s)
		}
	}
	add(ConsentSection{Text: strings.TrimSpace(set.Text)})
	add(ConsentSection{Title: w["consentRecorded"], List: recorded(f.Guide, w)})
	add(ConsentSection{Title: w["consentProcessed"], List: processors(f, b, w)})
	add(ConsentSection{Title: w["consentKept"], Text: strings.TrimSpace(set.Retention)})
	contact := ConsentSection{Title: w["consentContact"], Text: strings.TrimSpace(set.Contact)}
	if set.PrivacyURL != "" {
		contact.Link = &ConsentLink{w["consentPrivacy"], set.PrivacyURL}
	}
	add(contact)
	if set.MinimumAge > 0 {
		c.Age = &AgeQuestion{
			Minimum: set.MinimumAge, Question: w.Number("consentAge", set.MinimumAge), Yes: w["consentYes"], No: w["consentNo"], Needed: w["consentAgeNeeded"],
			Title: w["tooYoungTitle"], Sorry: w["tooYoungText"],
		}
	}
	c.words = response.NewConsent(language, c.text(w))
	c.Version = c.words.Hash
	return c
}

// recorded lists what is stored of an interview, and that it is all.
func recorded(g *guide.Guide, w locale.Words) []string {
	list := []string{w["consentTyped"]}
	mode := g.Config.InterviewMode
	if mode != "" && mode != guide.ModeText {
		list = append(list, w["consentVoice"])
	}
	if mode == guide.ModeVideo || mode == guide.ModeVideoScreen {
		list = append(list, w["consentCamera"])
	}
	if mode == guide.ModeAudioScreen || mode == guide.ModeVideoScreen {
		list = append(list, w["consentScreen"])
	}
	if asksFiles(g) {
		list = append(list, w["consentFiles"])
	}
	return append(list, w["consentLink"], w["consentNothingElse"])
}

func asksFiles(g *guide.Guide) bool {
	for _, item := range g.Items() {
		if item.Type == guide.FileUpload {
			return true
		}
	}
	return false
}

// processors lists who processes an interview: the organization, and the services that this installation uses for it.
func processors(f fieldwork.Landing, b org.Brand, w locale.Words) (list []string) {
	add := func(key, name string) {
		if name != "" {
			list = append(list, strings.ReplaceAll(w[key], "{text}", name))
		}
	}
	speaks := f.Guide.Config.InterviewMode != "" && f.Guide.Config.InterviewMode != guide.ModeText
	add("consentBy", b.Name)
	if !f.Guide.Config.Model.SendNothing {
		add("consentModel", f.Processors.Model.String())
	}
	if speaks {
		add("consentSpeech", f.Processors.Speech.String())
	}
	if speaks || asksFiles(f.Guide) {
		add("consentStorage", f.Processors.Storage.String())
	}
	return append(list, w["consentNoOther"])
}

// text returns all that the participant reads, as it is stored.
func (c *Consent) text(w locale.Words) string {
	lines := []string{w["disclosureTitle"], w["disclosure"], w["rights"]}
	for _, s := range c.Sections {
		lines = append(lines, "", s.Title, s.Text)
		for _, entry := range s.List {
			lines = append(lines, "- "+entry)
		}
		if s.Link != nil {
			lines = append(lines, s.Link.Text+": "+s.Link.URL)
		}
	}
	if c.Age != nil {
		lines = append(lines, "", c.Age.Question)
	}
	kept := lines[:0]
	for i, line := range lines {
		if line != "" || i > 0 && len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// Given holds what a participant declares when an interview starts.
type Given struct {
	Version string // of the consent; empty: the one of today
	Age     Answered
}

// Answered is the answer to a question that is answered with yes or no.
type Answered string

// The answers; empty: none was given.
const (
	Yes Answered = "yes"
	No  Answered = "no"
)

// Errors of a start whose consent is not valid.
var (
	errConsentChanged = errors.New("the participant agreed to another text")
	errTooYoung       = errors.New("the participant did not confirm the age")
)

// AskAgain reports whether a start was refused because of a consent that the participant has to read again, or a question that was not
// answered. age is the answer to it.
func AskAgain(err error, age string) bool {
	return errors.Is(err, errConsentChanged) || errors.Is(err, errTooYoung) && age == ""
}

// Consented returns the consent to store with an interview that starts; nil if the study sets none. It returns an error if the participant agreed
// to another text, or is not old enough.
func (a *API) Consented(ctx context.Context, landing fieldwork.Landing, language string, given Given) (*response.Consent, error) {
	if !landing.Guide.Config.Consent.Asked {
		return nil, nil
	}
	if language == "" {
		language = landing.Languages[0]
	}
	landing, err := a.Fieldwork.Localize(ctx, landing, language)
	if err != nil {
		return nil, err
	}
	brand, err := a.Fieldwork.Brand(ctx, landing.OrgID)
	if err != nil {
		return nil, err
	}
	c := ConsentOf(landing, brand, language)
	if c.Age != nil && given.Age != Yes {
		return nil, errTooYoung
	}
	if given.Version != "" && given.Version != c.Version {
		return nil, errConsentChanged
	}
	return &c.words, nil
}

// ConsentDue returns the consent that the participant of an interview has to give again, because its text has changed; nil if there is none.
func (a *API) ConsentDue(ctx context.Context, v fieldwork.View) (*Consent, error) {
	if !v.Guide.Config.Consent.Asked || v.Preview || v.Step.Ended() {
		return nil, nil
	}
	landing, err := a.Fieldwork.PublishedFor(ctx, v.Response)
	if err != nil {
		return nil, err
	}
	brand, err := a.Fieldwork.Brand(ctx, v.Response.OrgID)
	if err != nil {
		return nil, err
	}
	c := ConsentOf(landing, brand, v.Response.Language)
	if c == nil || c.Version == v.Response.ConsentHash {
		return nil, nil
	}
	w := locale.WordsFor(v.Response.Language)
	c.Age = nil // who has begun has confirmed it
	c.Again = &ConsentAgain{w["consentAgainTitle"], w["consentAgainText"], w["consentGoOn"]}
	return c, nil
}

// AgreeAgain stores the consent that is due, if it is the one with the given version; errConsentChanged.
func (a *API) AgreeAgain(ctx context.Context, token, version string) (fieldwork.View, error) {
	view, err := a.Fieldwork.Current(ctx, token)
	if err != nil {
		return fieldwork.View{}, err
	}
	due, err := a.ConsentDue(ctx, view)
	if err != nil || due == nil {
		return view, err
	}
	if due.Version != version {
		return view, errConsentChanged
	}
	return view, a.Fieldwork.Agree(ctx, token, due.words)
}

// agree is the handler of a consent that is given again. It reads the body only if the interview exists.
func (a *API) agree(w http.ResponseWriter, r *http.Request) error {
	if err := a.Fieldwork.Prepare(r.Context(), r.PathValue("token")); err != nil {
		return err
	}
	body, err := httpx.ReadSmallBody(w, r)
	if err != nil {
		return err
	}
	var version string
	if err := strictjson.Decode(body, func(o *strictjson.Object) { version = o.NonEmpty("consent", strictjson.Required) }); err != nil {
		return err
	}
	if _, err := a.AgreeAgain(r.Context(), r.PathValue("token"), version); err != nil {
		return err
	}
	return a.current(w, r)
}

// oldEnough reads the answer to the question for the age.
func oldEnough(o *strictjson.Object) Answered {
	confirmed := o.Bool("oldEnough", strictjson.Nullable)
	switch {
	case confirmed:
		return Yes
	case o.Has("oldEnough"):
		return No
	}
	return ""
}
