package interview

import "verbatim/internal/domain/guide"

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
}

// Done reports whether the question itself is answered, follow-ups aside.
func (m *VisitedItem) Done() bool { return len(m.Answers) >= max(1, len(m.Screens)) }

// VisitedItems returns the items visited so far, without statements, in the order visited. The last one is not Done if the
// interview waits for its answer.
func (s *State) VisitedItems() []VisitedItem {
	items := make([]VisitedItem, 0, len(s.visits))
	for _, v := range s.visits {
		if v.item.Type == guide.Statement {
			continue
		}
		m := VisitedItem{
			ItemID: v.item.ID, ConceptID: v.conceptID(), Type: v.item.Type,
			Options: v.options, Screens: v.screens, Answers: v.answers, Chosen: v.chosen, Unasked: v.unasked,
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
