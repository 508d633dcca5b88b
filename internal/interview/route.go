package interview

import (
	"cmp"
	"slices"
	"strings"

	"verbatim/internal/guide"
	"verbatim/internal/interview/draw"
)

// place is a point on a participant's way through the guide: an item, in one pass of its block. A block is passed once
// for every concept drawn, and once where it has none.
type place struct {
	block, pass, item int
}

func (p place) before(q place) bool {
	return cmp.Or(cmp.Compare(p.block, q.block), cmp.Compare(p.pass, q.pass), cmp.Compare(p.item, q.item)) < 0
}

// advance opens the next item that this participant meets, or completes the interview.
func (s *State) advance() {
	for s.move() {
		switch fate, options := (outlook{State: s}).fate(s.at); fate {
		case met:
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

// move goes to the next place, drawing the concepts of each block that is entered; false behind the last one.
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

// drawConcepts draws which concepts of a block this participant sees, and in which order: those whose conditions fail
// are left out first, the others are shuffled, and the first ones are taken.
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

// sample is how many of the eligible concepts are seen.
func (b *planBlock) sample(eligible int) int {
	if count := b.Sampling.SubsampleCount; count > 0 {
		return min(count, eligible)
	}
	return eligible
}

// verdict is what is known of a condition. Ordered so that min is "and", max is "or" and minus is "not".
type verdict int

const (
	no verdict = iota - 1
	unknown
	yes
)

// fate is what becomes of an item at a place.
type fate int

const (
	skipped      fate = iota
	selfAnswered      // a ranking of one option
	met               // as far as is known
)

// outlook judges places by what was answered so far. At the place that the interview has come to everything is known;
// for the places ahead, progress.go says which items may still be met.
type outlook struct {
	*State
	ahead []bool // by item: may still be met in the pass judged last; nil when nothing ahead is judged
}

// fate tells whether the item at p is met, with its options where they are known.
func (o outlook) fate(p place) (fate, []guide.Option) {
	it := &o.plan.items[p.item]
	if o.holds(&it.shown, p) == no {
		return skipped, nil
	}
	options := it.Options
	if it.CarryForwardFrom != "" {
		carried, known := o.carried(it, p)
		if known && len(carried) == 0 {
			return skipped, nil
		}
		options = carried
	}
	if it.Type == guide.Ranking && len(options) == 1 {
		return selfAnswered, options
	}
	return met, options
}

// holds judges a condition on something that stands at p.
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
	visits, known := o.sources(t.source, p)
	selected := no
	if slices.ContainsFunc(visits, t.selectedIn) {
		selected = yes
	} else if !known {
		selected = unknown
	}
	if t.selected {
		return selected
	}
	return -selected
}

func (t *test) selectedIn(v *visit) bool {
	if len(v.answers) == 0 {
		return false
	}
	return slices.Contains(t.choices, v.answers[0].Cells[t.row]) ||
		slices.ContainsFunc(v.chosen, func(o guide.Option) bool {
			return slices.ContainsFunc(t.choices, func(choice string) bool {
				return o.ID == choice || v.item.ledOn(o.ID) && strings.HasPrefix(o.ID, choice+":")
			})
		})
}

// sources are the visits of an item that count for something at p, and whether all of them are known: within one block
// the visit about the same concept, from a later block those about all concepts.
func (o outlook) sources(item int, p place) (visits []*visit, known bool) {
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

// carried are the options that an item at p takes over, in the guide's order, custom ones last. Ids stay unique: where
// two concepts brought custom options of one id and different texts, the later one's id is led on by its concept's.
func (o outlook) carried(it *planItem, p place) (options []guide.Option, known bool) {
	visits, known := o.sources(it.carry, p)
	if !known {
		return nil, false
	}
	texts := map[string]string{}
	for _, v := range visits {
		for _, option := range v.chosen {
			option.Status = "" // it screened where it stood
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
		slices.SortStableFunc(options, func(a, b guide.Option) int { return cmp.Compare(it.ranked(a.ID), it.ranked(b.ID)) })
	}
	return options, true
}

// ledOn tells whether an id stands for one that was taken, see carried.
func (it *planItem) ledOn(id string) bool {
	_, listed := it.rank[id]
	return it.carry != none && !listed
}

// ranked is the place of an option in the guide; ids that were led on come behind all others.
func (it *planItem) ranked(id string) int {
	if rank, ok := it.rank[id]; ok {
		return rank
	}
	return len(it.rank)
}
