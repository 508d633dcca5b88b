package translation

import (
	"cmp"
	"strings"

	"verbatim/internal/domain/interview"
)

// Utterance is a text from an interview in the participant's language.
type Utterance struct {
	StepID string
	Asked  bool // by the moderator, as a follow-up
	Text   string
}

// Hash identifies the text and the two languages.
func (s Utterance) Hash(from, to string) string { return hash(s.Text, from, to) }

// UtterancesIn returns the open answers, the follow-ups and their replies, and the participant's own options, in the order of the
// log.
func UtterancesIn(turns []interview.Turn) (all []Utterance) {
	for i := range turns {
		t := &turns[i]
		said := Utterance{StepID: t.StepID, Asked: t.Kind == interview.TurnProbe, Text: cmp.Or(t.Probe, t.Answer.Text, t.Answer.CustomText)}
		if strings.TrimSpace(said.Text) != "" && !hasNoLetters(said.Text) {
			all = append(all, said)
		}
	}
	return all
}

// Answer is the translation of one step's text into the study's language; the original is kept beside it unchanged.
type Answer struct {
	StepID    string
	Hash      string // of the text that was translated, see Said.Hash: a transcribed answer may arrive later
	Text      string // empty if no translation could be used
	Model     string
	Prompt    string
	Violation string // why there is no text
}
