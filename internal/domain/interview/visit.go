package interview

import (
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview/draw"
	"verbatim/internal/domain/maxdiff"
)

// visit is one item as one participant sees it, about one concept if there are concepts.
type visit struct {
	item    *planItem
	number  int // question number
	concept *guide.Concept

	options              []guide.Option   // all its options for this participant, in the guide's order
	shown                []guide.Option   // the same in this participant's order
	screens              [][]guide.Option // of a MaxDiff
	minSelect, maxSelect int              // in effect

	took      time.Duration  // time until the answers came, see Exchange
	stepIDs   []string       // of the steps answered so far: those of answers, then those of the replies to followUps
	answers   []Answer       // of a question: one, or one per screen of a MaxDiff; of a statement: the empty answer that continued
	chosen    []guide.Option // of a multiple choice: the selected options, in the guide's order, the custom option last
	names     *names         // names of chosen; nil until a condition needs them
	positions map[string]int // positions of options by id; nil if there are few
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

// openVisit opens the visit of the current item with the options that it has for this participant.
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

// pinned returns the position of the option that stays last: the final option of the guide's list. If that one was not
// carried forward nothing is pinned, because otherwise whichever option came last would stand there for every participant.
func pinned(it *planItem, options []guide.Option) int {
	if !it.PinnedFinalOption {
		return none
	}
	return slices.IndexFunc(options, func(o guide.Option) bool { return o.ID == it.final })
}

// bounds returns the item's minSelect and maxSelect, lowered to the number of options that can be chosen together. Exclusive
// options count for neither. The custom option counts for maxSelect only, because nobody is made to write one.
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

// awaits returns what the visit needs next, or "" once it is closed.
func (v *visit) awaits() StepKind {
	switch {
	case len(v.answers) < max(1, len(v.screens)):
		if v.asksNothing() {
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

// asksNothing reports whether the item is a statement.
func (v *visit) asksNothing() bool { return v.item.Type == guide.Statement }

// step returns a step of the visit, without its id and the progress. screen counts the screens of a MaxDiff from 0.
func (v *visit) step(kind StepKind, screen int) Step {
	step := Step{Kind: kind, Item: v.item.Item, Concept: v.concept, Number: v.number, FollowUps: len(v.followUps)}
	switch kind {
	case StepQuestion:
		step.Words, step.Options = v.item.Text, v.shown
		step.MinSelect, step.MaxSelect = v.minSelect, v.maxSelect
		if len(v.screens) > 0 {
			step.Screen, step.Screens = screen, len(v.screens)
			step.Options = v.screens[screen]
		}
	case StepStatement:
		step.Words = v.item.Text
	case StepFollowUp:
		step.Words = v.followUps[len(v.followUps)-1].words
	}
	return step
}

// within returns which part of the visit is done, from 0 to less than 1: of the screens of a MaxDiff, or of an open question and the
// follow-ups that it may get.
func (v *visit) within() float64 {
	parts := max(1, len(v.screens))
	if v.item.Type == guide.OpenEnded {
		parts += v.item.FollowUp.Limit()
	}
	return float64(len(v.stepIDs)) / float64(max(parts, len(v.stepIDs)+1))
}

// record adds a turn that came after the given time since the turn before it.
func (v *visit) record(turn Turn, after time.Duration) {
	switch turn.Kind {
	case TurnAnswer, TurnContinue:
		v.took += after
		v.answers, v.stepIDs = append(v.answers, turn.Answer), append(v.stepIDs, turn.StepID)
		v.choose(&turn.Answer)
	case TurnProbe:
		v.followUps = append(v.followUps, followUp{words: turn.Probe})
	case TurnReply:
		last := &v.followUps[len(v.followUps)-1]
		last.reply, last.replied, last.took = turn.Answer, true, after
		v.stepIDs = append(v.stepIDs, turn.StepID)
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

// rejected reports whether a chosen option screens out. Only options of screening blocks have a status.
func (v *visit) rejected() bool {
	return slices.ContainsFunc(v.chosen, func(o guide.Option) bool { return o.Status == guide.Reject })
}

// option returns the option with that id, or the zero option if there is none.
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
	if v.positions == nil {
		v.positions = make(map[string]int, len(v.options))
		for i := range v.options {
			v.positions[v.options[i].ID] = i
		}
	}
	if place, there := v.positions[id]; there {
		return v.options[place]
	}
	return guide.Option{}
}
