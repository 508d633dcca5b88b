package interview

import (
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview/draw"
	"verbatim/internal/domain/maxdiff"
)

// visit is one item as one participant meets it, about one concept where there are concepts.
type visit struct {
	item    *planItem
	number  int // of its question
	concept *guide.Concept

	options              []guide.Option   // all that it has, in the guide's order
	shown                []guide.Option   // the same in this participant's order
	screens              [][]guide.Option // of a MaxDiff
	minSelect, maxSelect int              // in effect

	took      time.Duration  // until the answers came, see Exchange
	answers   []Answer       // of the question: one, and one a screen of a MaxDiff; of a statement: the empty one that went on
	chosen    []guide.Option // of a multiple choice: what was selected, in the guide's order, the custom option last
	names     *names         // of chosen, where a condition has asked
	places    map[string]int // of options by id, where there are many
	followUps []followUp
	declined  bool // the moderator had no further follow-up
	unasked   bool // a ranking of one option, which answered itself
}

type followUp struct {
	words   string
	reply   Answer
	replied bool
	took    time.Duration
}

// openVisit begins the visit of the item at hand with the options that it has for this participant.
func (s *State) openVisit(options []guide.Option) *visit {
	it := &s.plan.items[s.at.item]
	v := &visit{item: it, number: s.at.item + 1, concept: s.drawn[s.at.pass], options: options, shown: options}
	switch it.Type {
	case guide.MultipleChoice:
		v.minSelect, v.maxSelect = bounds(it.Item, options)
	case guide.MaxDiff:
		version := s.draws("maxdiff", v).Below(maxdiff.Versions)
		for _, screen := range maxdiff.Design(len(options), it.ScreenSize(), version) {
			shown := make([]guide.Option, len(screen))
			for i, option := range screen {
				shown[i] = options[option]
			}
			v.screens = append(v.screens, shown)
		}
	}
	if it.RandomizeOptionOrder {
		v.shown = slices.Clone(options)
		free := v.shown
		if last := pinned(it, free); last != none {
			free = append(slices.Delete(free, last, last+1), options[last])[:len(free)-1]
		}
		draw.Shuffle(s.draws("options", v), free)
	}
	s.visits = append(s.visits, v)
	s.byItem[s.at.item] = append(s.byItem[s.at.item], v)
	return v
}

func (s *State) draws(what string, v *visit) *draw.Source {
	return draw.New(s.seed, what, v.item.ID, v.conceptID())
}

// pinned is the place of the option that keeps the end: the final option of the guide's list. Where that one was not
// carried forward nothing is pinned, for whichever option came last then would stand there for every participant.
func pinned(it *planItem, options []guide.Option) int {
	if !it.PinnedFinalOption {
		return none
	}
	return slices.IndexFunc(options, func(o guide.Option) bool { return o.ID == it.final })
}

// bounds are the item's minSelect and maxSelect, lowered to what these options allow: an exclusive option cannot be
// chosen beside others, and nobody is made to write a custom one.
func bounds(it *guide.Item, options []guide.Option) (least, limit int) {
	together := 0
	for _, option := range options {
		if !option.Exclusive {
			together++
		}
	}
	least = min(it.MinSelect, max(together, 1))
	if it.AllowCustomOption {
		together++
	}
	return least, min(it.MaxSelect, max(together, 1))
}

func (v *visit) conceptID() string {
	if v.concept == nil {
		return ""
	}
	return v.concept.ID
}

// awaits tells what the visit needs next; nothing once it is closed.
func (v *visit) awaits() StepKind {
	switch {
	case len(v.answers) < max(1, len(v.screens)):
		if v.item.Type == guide.Statement {
			return StepStatement
		}
		return StepQuestion
	case len(v.followUps) > 0 && !v.followUps[len(v.followUps)-1].replied:
		return StepFollowUp
	case v.item.Type == guide.OpenEnded && !v.declined && len(v.followUps) < v.item.FollowUp.Limit():
		return StepProbe
	}
	return ""
}

// take enters a turn that came so long after the one before it.
func (v *visit) take(turn Turn, after time.Duration) {
	switch turn.Kind {
	case TurnAnswer, TurnContinue:
		v.took += after
		v.answers = append(v.answers, turn.Answer)
		v.choose(&turn.Answer)
	case TurnProbe:
		v.followUps = append(v.followUps, followUp{words: turn.Probe})
	case TurnReply:
		last := &v.followUps[len(v.followUps)-1]
		last.reply, last.replied, last.took = turn.Answer, true, after
	case TurnDecline:
		v.declined = true
	}
}

func (v *visit) choose(a *Answer) {
	selected := make(map[string]bool, len(a.Selected))
	for _, id := range a.Selected {
		selected[id] = true
	}
	for _, option := range v.options {
		if selected[option.ID] {
			v.chosen = append(v.chosen, option)
		}
	}
	if a.CustomText != "" {
		v.chosen = append(v.chosen, guide.Option{ID: guide.CustomOptionID(v.item.ID), Text: a.CustomText})
	}
}

// rejected tells whether a chosen option screens out. Only options of screening blocks have a status.
func (v *visit) rejected() bool {
	return slices.ContainsFunc(v.chosen, func(o guide.Option) bool { return o.Status == guide.Reject })
}

// option is the option of that id; the zero option where there is none.
func (v *visit) option(id string) guide.Option {
	const few = 16
	if len(v.options) <= few {
		for _, option := range v.options {
			if option.ID == id {
				return option
			}
		}
		return guide.Option{}
	}
	if v.places == nil {
		v.places = make(map[string]int, len(v.options))
		for i := range v.options {
			v.places[v.options[i].ID] = i
		}
	}
	if place, there := v.places[id]; there {
		return v.options[place]
	}
	return guide.Option{}
}
