package interview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
)

// Exchange is one moderator turn with the participant's reply, for transcripts. The welcome is not among them.
type Exchange struct {
	ItemID     string
	ConceptID  string
	FollowUp   bool
	Statement  bool   // no answer belongs to it
	Moderator  string // the words asked
	User       string // the reply in the words of the answer text; empty for statements, and where a recording alone was given
	Recordings Recordings
	Took       time.Duration // from the turn before to the reply, all screens of a MaxDiff; 0 where the log does not tell
	Telemetry  *Telemetry    // of the reply; nil where none was sent
}

// Answered is the whole answer to one item (about one concept, where there are concepts), follow-ups included.
// Items that were never asked have none; an item that was asked and is not answered yet has none either. A ranking of
// one option is answered without having been asked.
type Answered struct {
	ItemID       string
	ConceptID    string
	ConceptTitle string
	Number       int
	Question     string // the item's text
	Text         string // see the answer texts of docs; follow-ups are joined by a blank line
	FollowUps    int
}

// Exchanges are the moderator's turns that were answered so far, in the order they were asked; a statement is among
// them once it was read. A MaxDiff question is one exchange, from its first screen on. A ranking that answered itself
// was never asked, so it is not here; Answers has it.
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

// Answers are the answers so far, in the order their items were met; an item has one from its first answer on.
func (s *State) Answers() []Answered {
	var answers []Answered
	for _, v := range s.visits {
		if v.item.Type == guide.Statement || len(v.answers) == 0 {
			continue
		}
		answered := Answered{ItemID: v.item.ID, ConceptID: v.conceptID(), Number: v.number, Question: v.item.Text}
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
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" }) // said in a recording alone
		answered.Text = strings.Join(texts, "\n\n")
		answers = append(answers, answered)
	}
	return answers
}

// Selected are the options that were chosen for a multiple choice (about a concept, where there are concepts), in the
// guide's order with the custom one last; none where it was not asked or not answered, and for other types of items.
func (s *State) Selected(itemID, conceptID string) []guide.Option {
	for _, v := range s.visits {
		if v.item.ID == itemID && v.conceptID() == conceptID {
			return v.chosen
		}
	}
	return nil
}

// answerText is the answer to the question itself in words, follow-ups left out; empty for a statement.
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

// or fills what r lacks from other.
func (r Recordings) or(other Recordings) Recordings {
	return Recordings{
		Audio:       cmp.Or(r.Audio, other.Audio),
		Video:       cmp.Or(r.Video, other.Video),
		ScreenVideo: cmp.Or(r.ScreenVideo, other.ScreenVideo),
	}
}
