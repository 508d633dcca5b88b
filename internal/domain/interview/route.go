package interview

import (
	"cmp"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview/draw"
)

// place is a point on a participant's route through the guide: an item in one pass of its block. A block has one pass for
// every concept drawn, or a single pass if it has no concepts.
type place struct {
	block, pass, item int
}

func (p place) before(q place) bool {
	return cmp.Or(cmp.Compare(p.block, q.block), cmp.Compare(p.pass, q.pass), cmp.Compare(p.item, q.item)) < 0
}

// advance opens the next item that this participant visits, or completes the interview.
func (s *State) advance() {
	for s.move() {
		switch result, options := (outlook{State: s}).outcome(s.at); result {
		case visited:
			s.openVisit(options)
			s.asked++
			return
		case selfAnswered:
			v := s.openVisit(options)
			v.unasked = true
			v.answers = []Answer{{Ranking: []string{options[0].ID}}}
		}
	}
	s.ended = StepComplete
}

// move goes to the next place and draws the concepts of each block that it enters. It returns false at the end of the guide.
func (s *State) move() bool {
	blocks := s.plan.blocks
	s.at.item++
	if s.at.block != none && s.at.item < blocks[s.at.block].end {
		return true
	}
	s.at.pass++
	for s.at.pass >= len(s.drawn) {
		s.at.block, s.at.pass = s.at.block+1, 0
		if s.at.block == len(blocks) {
			return false
		}
		s.drawn = s.drawConcepts(&blocks[s.at.block])
	}
	s.at.item = blocks[s.at.block].first
	return true
}

// drawConcepts draws which concepts of a block this participant sees, and in which order: concepts whose conditions fail are
// removed, the others are shuffled, and the first ones are kept.
func (s *State) drawConcepts(block *planBlock) []*guide.Concept {
	if block.Sampling == nil {
		return []*guide.Concept{nil}
	}
	var concepts []*guide.Concept
	for i := range block.concepts {
		if (outlook{State: s}).holds(&block.concepts[i], s.at) == yes {
			concepts = append(concepts, &block.Sampling.Concepts[i])
		}
	}
	draw.Shuffle(draw.New(s.seed, "concepts", block.ID), concepts)
	return concepts[:block.sample(len(concepts))]
}

// sample returns how many of the eligible concepts are seen.
func (b *planBlock) sample(eligible int) int {
	if count := b.Sampling.SubsampleCount; count > 0 {
		return min(count, eligible)
	}
	return eligible
}

// verdict is the value of a condition, as far as it is known. The values are ordered so that min is "and", max is "or" and minus is "not".
type verdict int

const (
	no verdict = iota - 1
	unknown
	yes
)

// outcome is the result of reaching an item on the route.
type outcome int

const (
	skipped      outcome = iota
	selfAnswered         // a ranking of one option
	visited              // asked or shown, as far as is known
)

// outlook answers one question: is the item at a place visited, skipped, or does it answer itself? It evaluates the conditions
// and options there against the answers so far. At the current place everything is known; for the places ahead,
// progress.go finds which items may still be visited.
type outlook struct {
	*State
	ahead []bool // by item: whether it may still be visited in the last pass evaluated; nil when nothing ahead is evaluated
}

// outcome decides whether the item at p is visited. At the current place it also returns the item's options.
func (o outlook) outcome(p place) (outcome, []guide.Option) {
	it := &o.plan.items[p.item]
	if o.holds(&it.shown, p) == no {
		return skipped, nil
	}
	options, count := it.Options, len(it.Options)
	if it.CarryForwardFrom != "" {
		visits, known := o.sourceVisits(it.carry, p)
		switch {
		case !known:
			return visited, nil
		case o.ahead != nil:
			options, count = nil, severalChosen(visits)
		default:
			options = o.carried(it, visits)
			count = len(options)
		}
		if count == 0 {
			return skipped, nil
		}
	}
	if it.Type == guide.Ranking && count == 1 {
		return selfAnswered, options
	}
	return visited, options
}

// severalChosen returns how many different options were chosen in the visits: 0, 1, or 2 for any more.
func severalChosen(visits []*visit) int {
	var first *guide.Option
	for _, v := range visits {
		for i := range v.chosen {
			if first == nil {
				first = &v.chosen[i]
			} else if v.chosen[i].ID != first.ID || v.chosen[i].Text != first.Text {
				return 2
			}
		}
	}
	if first == nil {
		return 0
	}
	return 1
}

// holds evaluates the condition of something at p.
func (o outlook) holds(c *condition, p place) verdict {
	if len(c.tests) == 0 {
		return yes
	}
	result := o.passes(&c.tests[0], p)
	for i := range c.tests[1:] {
		if next := o.passes(&c.tests[i+1], p); c.any {
			result = max(result, next)
		} else {
			result = min(result, next)
		}
	}
	return result
}

func (o outlook) passes(t *test, p place) verdict {
	if t.parameter != "" {
		if value, present := o.params[t.parameter]; present && value == t.value {
			return yes
		}
		return no
	}
	visits, known := o.sourceVisits(t.source, p)
	selected := no
	if slices.ContainsFunc(visits, func(v *visit) bool { return o.selectedIn(t, v) }) {
		selected = yes
	} else if !known {
		selected = unknown
	}
	if t.selected {
		return selected
	}
	return -selected
}

// selectedIn reports whether one of a test's choices was selected in a visit.
func (s *State) selectedIn(t *test, v *visit) bool {
	if len(v.answers) == 0 {
		return false
	}
	if v.item.Type == guide.Matrix {
		cell := v.answers[0].Cells[t.row]
		return slices.Contains(t.ids, cell) || cell != "" && slices.Contains(t.texts, v.option(cell).Text)
	}
	if v.names == nil {
		v.names = s.namesIn(v)
	}
	return slices.ContainsFunc(t.ids, func(id string) bool { return v.names.ids[id] }) ||
		slices.ContainsFunc(t.texts, func(text string) bool { return v.names.texts[text] })
}

// names holds the ids and texts by which a condition may refer to the options chosen in a visit.
type names struct{ ids, texts map[string]bool }

// namesIn returns the names of what was chosen in a visit, as the guide writes them. A custom option whose id was extended
// by a concept's id also has the names of the custom option.
func (s *State) namesIn(v *visit) *names {
	chosen := &names{ids: make(map[string]bool, len(v.chosen)), texts: make(map[string]bool, len(v.chosen))}
	root := &s.plan.items[v.item.root]
	for _, option := range v.chosen {
		chosen.ids[option.ID] = true
		if i, written := root.rank[option.ID]; written {
			chosen.texts[root.Options[i].Text] = true
			continue
		}
		chosen.texts[guide.CustomOptionText] = true
		if _, listed := s.plan.listed(v.item, option.ID); listed || v.item.carry == none {
			continue
		}
		for i := range len(option.ID) {
			if option.ID[i] == ':' {
				chosen.ids[option.ID[:i]] = true
			}
		}
	}
	return chosen
}

// sourceVisits returns the visits of a source item that conditions and carried options at p refer to, and whether all of them
// are known. Within one block only the visit
// about the same concept counts; from a later block those about all concepts do.
func (o outlook) sourceVisits(item int, p place) (visits []*visit, known bool) {
	if item == none {
		return nil, true
	}
	visits = o.byItem[item]
	block := o.plan.items[item].block
	over := o.ahead != nil && !o.ahead[item]
	if block != p.block {
		return visits, over || block < o.at.block
	}
	known = over || place{p.block, p.pass, item}.before(o.at)
	if block != o.at.block {
		return nil, known
	}
	for i, v := range visits {
		if v.concept == o.drawn[p.pass] {
			return visits[i : i+1], known
		}
	}
	return nil, known
}

// carried returns the options that an item takes over from the visits of its source, in the guide's order, custom ones last.
// Ids stay unique: if two concepts bring custom options with the same id and different texts, the later one's id is extended
// by its concept's id.
func (o outlook) carried(it *planItem, visits []*visit) (options []guide.Option) {
	texts := map[string]string{}
	for _, v := range visits {
		for _, option := range v.chosen {
			option.Status = "" // the status has taken effect at the source
			if len(visits) == 1 {
				options = append(options, option)
				continue
			}
			text, taken := texts[option.ID]
			for taken && text != option.Text {
				option.ID += ":" + v.conceptID()
				text, taken = texts[option.ID]
			}
			if !taken {
				texts[option.ID] = option.Text
				options = append(options, option)
			}
		}
	}
	if len(visits) > 1 {
		slices.SortStableFunc(options, func(a, b guide.Option) int { return cmp.Compare(o.position(it, a.ID), o.position(it, b.ID)) })
	}
	return options
}

// position returns the position of an option in the guide; extended ids come last.
func (s *State) position(it *planItem, id string) int {
	if rank, listed := s.plan.listed(it, id); listed {
		return rank
	}
	return len(s.plan.items[it.root].Options) + it.custom
}
