package interview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
)

// Exchange is one moderator turn with the participant's reply, for transcripts. The welcome message is not an exchange.
type Exchange struct {
	ItemID     string
	ConceptID  string
	FollowUp   bool
	Statement  bool   // it has no answer
	Moderator  string // the words asked
	User       string // the reply in words, as in Answered.Text; empty for statements and for replies that are only recorded
	Recordings Recordings
	Took       time.Duration // from the previous turn to the reply, over all screens of a MaxDiff; 0 if the log has no times
	Telemetry  *Telemetry    // of the reply; nil if none was sent
}

// Answered is the complete answer to one item (about one concept, if there are concepts), follow-ups included. Items that
// were not asked, or are not answered yet, have none. A ranking of one option is answered without being asked.
type Answered struct {
	ItemID       string
	ConceptID    string
	ConceptTitle string
	Number       int
	Question     string // the item's text
	Text         string // as answerText makes it, then the replies to follow-ups, each after a blank line
	FollowUps    int
	Unasked      bool // a ranking of one option: the program filled it in, and nobody said it
}

// Exchanges returns the moderator's turns that were answered so far, in the order asked; a statement is included once it was
// read. A MaxDiff question is one exchange, from its first screen on. A ranking that answered itself was never asked, so it
// is not included here, but it is in Answers.
func (s *State) Exchanges() []Exchange {
	var rows []Exchange
	for _, v := range s.visits {
		if v.unasked || len(v.answers) == 0 {
			continue
		}
		row := Exchange{ItemID: v.item.ID, ConceptID: v.conceptID(), Moderator: v.item.Text, User: v.answerText()}
		row.Statement, row.Took, row.Telemetry = v.item.Type == guide.Statement, v.took, v.answers[0].Telemetry
		for _, answer := range v.answers {
			row.Recordings = row.Recordings.or(answer.Recordings)
		}
		rows = append(rows, row)
		for _, f := range v.followUps {
			if f.replied {
				rows = append(rows, Exchange{
					ItemID: v.item.ID, ConceptID: v.conceptID(), FollowUp: true,
					Moderator: f.words, User: f.reply.Text, Recordings: f.reply.Recordings, Took: f.took, Telemetry: f.reply.Telemetry,
				})
			}
		}
	}
	return rows
}

// Answers returns the answers so far, in the order their items were visited; an item is included from its first answer on.
func (s *State) Answers() []Answered {
	var answers []Answered
	for _, v := range s.visits {
		if v.item.Type == guide.Statement || len(v.answers) == 0 {
			continue
		}
		answered := Answered{ItemID: v.item.ID, ConceptID: v.conceptID(), Number: v.number, Question: v.item.Text, Unasked: v.unasked}
		if v.concept != nil {
			answered.ConceptTitle = v.concept.Title
		}
		texts := []string{v.answerText()}
		for _, f := range v.followUps {
			if f.replied {
				answered.FollowUps++
				texts = append(texts, f.reply.Text)
			}
		}
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" }) // the answer is only recorded
		answered.Text = strings.Join(texts, "\n\n")
		answers = append(answers, answered)
	}
	return answers
}

// Selected returns the options that were chosen in a multiple choice (about a concept, if there are concepts), in the
// guide's order with the custom one last. It returns nil if the item was not asked or not answered, or has another type.
func (s *State) Selected(itemID, conceptID string) []guide.Option {
	for _, v := range s.visits {
		if v.item.ID == itemID && v.conceptID() == conceptID {
			return v.chosen
		}
	}
	return nil
}

// answerText returns the answer to the question itself in words, without follow-ups; empty for a statement.
func (v *visit) answerText() string {
	var lines []string
	separator := "\n"
	switch answer := &v.answers[0]; v.item.Type {
	case guide.OpenEnded:
		return answer.Text
	case guide.MultipleChoice:
		separator = "; "
		for _, option := range v.chosen {
			lines = append(lines, option.Text)
		}
	case guide.Ranking:
		for i, id := range answer.Ranking {
			lines = append(lines, fmt.Sprintf("%d. %s", i+1, v.option(id).Text))
		}
	case guide.Matrix:
		for _, row := range v.item.Rows {
			lines = append(lines, row.Text+": "+v.option(answer.Cells[row.ID]).Text)
		}
	case guide.MaxDiff:
		for _, screen := range v.answers {
			lines = append(lines, fmt.Sprintf("Most: %s; Least: %s", v.option(screen.Best).Text, v.option(screen.Worst).Text))
		}
	case guide.FileUpload:
		separator = "; "
		lines = answer.FileNames
	}
	return strings.Join(lines, separator)
}

// or fills the empty fields of r from other.
func (r Recordings) or(other Recordings) Recordings {
	return Recordings{
		Audio:       cmp.Or(r.Audio, other.Audio),
		Video:       cmp.Or(r.Video, other.Video),
		ScreenVideo: cmp.Or(r.ScreenVideo, other.ScreenVideo),
	}
}
