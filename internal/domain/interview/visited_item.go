package interview

import (
	"time"

	"verbatim/internal/domain/guide"
)

// VisitedItem is one item as one participant saw it (about one concept, if there are concepts): what was offered and what
// was chosen. It serves counting; for words see Answers.
type VisitedItem struct {
	ItemID    string
	ConceptID string
	Type      guide.ItemType
	Options   []guide.Option   // all that it had for this participant, in the guide's order
	Screens   [][]guide.Option // of a MaxDiff: those of every screen, as shown
	Answers   []Answer         // of the question: one, or one per screen of a MaxDiff; none while it is not answered
	Chosen    []guide.Option   // of a multiple choice: see Selected
	Replies   []string         // to its follow-ups
	Unasked   bool             // a ranking of one option, which answered itself
	Row       int              // row of the transcript with the answer, from 1; those of the replies follow it. 0 while there is none
}

// Done reports whether the question itself is answered, follow-ups aside.
func (m *VisitedItem) Done() bool { return len(m.Answers) >= max(1, len(m.Screens)) }

// VisitedItems returns the items visited so far, without statements, in the order visited. The last one is not Done if the
// interview waits for its answer.
func (s *State) VisitedItems() []VisitedItem {
	items := make([]VisitedItem, 0, len(s.visits))
	row := 0
	for _, v := range s.visits {
		first := row + 1
		if row += v.rows(); v.item.Type == guide.Statement {
			continue
		}
		m := VisitedItem{
			ItemID: v.item.ID, ConceptID: v.conceptID(), Type: v.item.Type,
			Options: v.options, Screens: v.screens, Answers: v.answers, Chosen: v.chosen, Unasked: v.unasked,
		}
		if row >= first {
			m.Row = first
		}
		for _, f := range v.followUps {
			if f.replied {
				m.Replies = append(m.Replies, f.reply.Text)
			}
		}
		items = append(items, m)
	}
	return items
}

// rows returns how many exchanges the visit has, as Exchanges counts them.
func (v *visit) rows() (n int) {
	if v.unasked || len(v.answers) == 0 {
		return 0
	}
	for _, f := range v.followUps {
		if f.replied {
			n++
		}
	}
	return n + 1
}

// Passage says how far an interview came with one item that it reached, a statement too.
type Passage struct {
	ItemID string
	Done   bool          // answered, or read; follow-ups aside
	Took   time.Duration // until it was answered, and its follow-ups; 0 if the log has no times
}

// Passages returns the items that were reached so far, in their order, without those that were not asked.
func (s *State) Passages() []Passage {
	all := make([]Passage, 0, len(s.visits))
	for _, v := range s.visits {
		if v.unasked {
			continue
		}
		p := Passage{ItemID: v.item.ID, Done: len(v.answers) >= max(1, len(v.screens)), Took: v.took}
		for _, f := range v.followUps {
			p.Took += f.took
		}
		all = append(all, p)
	}
	return all
}
