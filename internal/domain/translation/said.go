package translation

import (
	"cmp"
	"strings"

	"verbatim/internal/domain/interview"
)

// Said is something that was said in an interview in the participant's language.
type Said struct {
	StepID string
	Asked  bool // by the moderator, as a follow-up
	Text   string
}

// Hash names what is to be translated of it.
func (s Said) Hash(from, to string) string { return hash(s.Text, from, to) }

// SaidIn are the open answers, the follow-ups and their replies, and the options of the participant's own, in the order of the log.
func SaidIn(turns []interview.Turn) (all []Said) {
	for i := range turns {
		t := &turns[i]
		said := Said{StepID: t.StepID, Asked: t.Kind == interview.TurnProbe, Text: cmp.Or(t.Probe, t.Answer.Text, t.Answer.CustomText)}
		if strings.TrimSpace(said.Text) != "" && !wordless(said.Text) {
			all = append(all, said)
		}
	}
	return all
}

// Answer is what was said at one step, in the study's language, beside the original, which stays as it is.
type Answer struct {
	StepID    string
	Hash      string // of what was translated, see Said.Hash: a heard answer may come later
	Text      string // empty where none could be used
	Model     string
	Prompt    string
	Violation string // why there is no text
}
