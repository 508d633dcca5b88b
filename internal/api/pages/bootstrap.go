package pages

import (
	"strings"

	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

// bootstrap is the data that a page holds for the app, as JSON: the body that the protocol would answer, and the page's words. Its
// TypeScript side is web/participant/bootstrap.ts.
type bootstrap struct {
	View       string               `json:"view"`   // front, devices, step or end
	LinkID     string               `json:"linkId"` // on the landing page, as Query
	Query      string               `json:"query"`
	Token      string               `json:"token"` // on the pages of a step and of the end
	Title      string               `json:"title"`
	Language   string               `json:"language"` // of the interview
	Tags       bootstrapTags        `json:"tags"`
	Direction  string               `json:"direction"` // of the page
	Words      locale.Words         `json:"words"`
	Languages  []languageChoice     `json:"languages"`
	Landing    *participant.Landing `json:"front"`
	Disclosure string               `json:"disclosure"` // in the page's language
	Step       *participant.Step    `json:"step"`
	Device     *bootstrapDevice     `json:"device"` // on the landing page

	Answered  *participant.AnsweredStep `json:"answered"`  // the step answered last
	Accepting bool                      `json:"accepting"` // an answer of this interview
	Consent   *participant.Consent      `json:"consent"`   // to be given again before the interview goes on; null: none is
	Closed    *bootstrapClosed          `json:"closed"`    // why nobody can begin an interview now; null: it can be begun
	Unsent    string                    `json:"unsent"`    // what was written in a form whose step was answered elsewhere

	Organization *participant.Organization `json:"organization"`
	Voice        *bootstrapVoice           `json:"voice"` // null: hands-free interviews are not offered
}

// bootstrapVoice is how hands-free interviews are held.
type bootstrapVoice struct {
	PauseSeconds float64 `json:"pauseSeconds"`
	LiveWords    bool    `json:"liveWords"`
}

// voiceOf returns how a study's hands-free interviews are held; nil where they are not offered.
func voiceOf(g *guide.Guide) *bootstrapVoice {
	if !g.Config.Voice.HandsFree {
		return nil
	}
	return &bootstrapVoice{g.Config.Voice.Pause(), g.Config.Voice.LiveWords}
}

// bootstrapTags are BCP 47 tags for lang attributes.
type bootstrapTags struct {
	Page      string `json:"page"`
	Content   string `json:"content"`   // of the study's own texts
	Moderator string `json:"moderator"` // of what the moderator writes
}

// bootstrapClosed is the page of a study that takes nobody now.
type bootstrapClosed struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Back  string `json:"back"` // the panel's address; empty: none
}

func bootstrapOf(view string, p page, language string) *bootstrap {
	return &bootstrap{
		View: view, Title: p.Title, Language: language,
		Tags:      bootstrapTags{Page: locale.Tag(p.Language), Content: locale.Tag(p.Content), Moderator: locale.Tag(language)},
		Direction: locale.Direction(p.Language), Languages: []languageChoice{}, Words: appWords(p.Words), Disclosure: p.Words["disclosure"],
	}
}

func bootstrapLanding(landing fieldwork.Landing, brand org.Brand, p page, language, query string) *bootstrap {
	b := bootstrapOf("front", p, language)
	wire := participant.LandingOf(landing, brand, landing.Languages[0])
	wire.Consent = participant.ConsentOf(landing, brand, language)
	b.Device = &bootstrapDevice{Allowed: wire.Platforms}
	b.LinkID, b.Query, b.Languages, b.Landing = landing.LinkID, query, p.Languages, &wire
	if !landing.Preview {
		b.Voice = voiceOf(landing.Guide)
	}
	return b
}

func bootstrapStep(v fieldwork.View, p page, token string) *bootstrap {
	view := "step"
	if v.Step.Ended() {
		view = "end"
	}
	b := bootstrapOf(view, p, v.Response.Language)
	wire := participant.StepOf(v)
	b.Token, b.Step, b.Answered, b.Accepting = token, &wire, participant.AnsweredOf(v), !v.Unfunded
	if !v.Preview {
		b.Voice = voiceOf(v.Guide)
	}
	return b
}

// appWords returns the words without those that the server alone uses: their keys begin with "consent", but for the button.
func appWords(all locale.Words) locale.Words {
	words := make(locale.Words, len(all))
	for key, text := range all {
		if key == "consent" || !strings.HasPrefix(key, "consent") {
			words[key] = text
		}
	}
	return words
}
