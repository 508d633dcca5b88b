package pages

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// The templates call the methods of this file.

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
const fewLanguages = 3

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
			return p.Words.Number("hintAtLeast", lower)
		case lower == 1:
			return p.Words.Number("hintAtMost", upper)
		case lower == upper:
			return p.Words.Number("hintExactly", upper)
		}
		return strings.ReplaceAll(p.Words.Number("hintBetween", lower), "{total}", strconv.Itoa(upper))
	case guide.Ranking:
		return p.Words.Number("hintRank", len(p.Step.Options))
	case guide.Matrix:
		return p.Words["hintMatrix"]
	case guide.MaxDiff:
		return p.Words["hintMaxDiff"]
	}
	return ""
}

// Progress returns how much of the interview is done, in words.
func (p page) Progress() string {
	return strings.ReplaceAll(p.Words.Number("progress", p.Step.Progress.Done), "{total}", strconv.Itoa(p.Step.Progress.Total))
}

// Duration returns how long the interview takes, in words.
func (p page) Duration() string {
	return strings.ReplaceAll(p.Words.Number("duration", p.Minutes.From), "{total}", strconv.Itoa(p.Minutes.To))
}

// Share returns the part of the interview that is done, from 0 to 1.
func (p page) Share() string { return strconv.FormatFloat(p.Step.Progress.Share(), 'f', 4, 64) }

// said is an answer as it is shown above a question.
type said struct {
	Lines         []string
	Language, You string
}

// Said returns the answer of a step that was answered before.
func (p page) Said(at participant.AnsweredStep) said {
	s := said{Lines: at.Said, Language: p.Content, You: p.Words["you"]}
	switch {
	case at.Recorded && len(at.Said) == 0:
		s.Lines, s.Language = []string{p.Words["spoken"]}, p.Language
	case at.Type == string(guide.OpenEnded):
		s.Language = p.Spoken
	}
	return s
}

// SaidElsewhere returns the answer that stands in place of the one that was sent; nil where it has no words.
func (p page) SaidElsewhere() *said {
	if p.Elsewhere == nil {
		return nil
	}
	if s := p.Said(*p.Elsewhere); len(s.Lines) > 0 {
		return &s
	}
	return nil
}

// ShowsElsewhere reports whether there is anything to show of an answer that does not stand.
func (p page) ShowsElsewhere() bool { return p.Unsent != "" || p.SaidElsewhere() != nil }

// Lines splits a text at its line ends.
func (p page) Lines(text string) []string { return strings.Split(text, "\n") }

// Screen returns which screen of a MaxDiff question this is, in words.
func (p page) Screen() string {
	return strings.ReplaceAll(p.Words.Number("screen", p.Step.Screen+1), "{total}", strconv.Itoa(p.Step.Screens))
}

// frame is another site's page inside the interview.
type frame struct{ Address, Title, Label string }

// Frame returns the embedded page, through its proxy where it has one. It is named by the concept that it shows, or by its question.
func (p page) Frame(e *guide.Embed) frame {
	title := ""
	if p.Step.Concept != nil {
		title = p.Step.Concept.Title
	}
	return frame{Address: cmp.Or(e.ProxyURL, e.URL), Title: cmp.Or(title, p.Step.Item.Text), Label: p.Words["openEmbed"]}
}

// shownMedia is a picture or a video with its captions, of which the one in the page's language is shown first.
type shownMedia struct {
	guide.Media
	Captions []shownCaptions
}

type shownCaptions struct {
	guide.Captions
	Default bool
}

// Shown returns media with their captions.
func (p page) Shown(all []guide.Media) []shownMedia {
	shown := make([]shownMedia, len(all))
	for i, m := range all {
		shown[i].Media = m
		for _, c := range p.captions[m.URL] {
			shown[i].Captions = append(shown[i].Captions, shownCaptions{c, locale.Tag(c.Language) == locale.Tag(p.Language)})
		}
	}
	return shown
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

// wideMatrix limits the letters that the longest words of a matrix have together on a page that breaks none of them.
const wideMatrix = 110

// KeepsWords reports whether a matrix fits on a wide screen without a broken word. matrixLayout in web/shared/matrix_layout.ts decides it for
// the app, which knows the screen.
func (p page) KeepsWords() bool {
	longest := func(text string) (letters int) {
		for _, word := range strings.Fields(text) {
			letters = max(letters, utf8.RuneCountInString(word))
		}
		return letters
	}
	row, letters := 0, 0
	for _, r := range p.Step.Item.Rows {
		row = max(row, longest(r.Text))
	}
	for _, column := range p.Step.Options {
		letters += max(longest(column.Text), 5)
	}
	return row <= 30 && row+letters <= wideMatrix
}
