package reach

import (
	"maps"
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// Target is an item, and the concept that it asks about; empty: any.
type Target struct{ ItemID, ConceptID string }

// Answer is an answer to a step. The moderator asks no follow-up after it.
type Answer struct {
	StepID string
	Answer interview.Answer
}

// Path leads to a target.
type Path struct {
	Seed    uint64
	Params  map[string]string // of the link
	Answers []Answer
}

// The bounds of a search.
const (
	maxWork  = 250_000 // steps times items of the guide: a step looks at all items
	maxDraws = 40      // seeds that are tried until a concept is drawn
)

// Find returns the shortest list of answers found that leads to a target. It begins with the given seed and parameters, and tries others
// where concepts are drawn or conditions compare parameters. found is false if the item cannot be reached, or not within the bound.
func Find(g *guide.Guide, target Target, seed uint64, params map[string]string) (path Path, found bool) {
	item, place, exists := g.Item(target.ItemID)
	if !exists {
		return Path{}, false
	}
	s := &search{target: target, plan: interview.NewPlan(g), needs: needsOf(g, item, place, target.ConceptID)}
	items := 1
	for range g.Items() {
		items++
	}
	s.left = max(3*items, maxWork/items)
	draws := 1
	if g.Blocks[place.Block].Sampling != nil {
		draws = maxDraws
	}
	links := []map[string]string{params}
	if len(s.needs.params) > 0 {
		needed := maps.Clone(s.needs.params)
		links = append(links, merged(needed, params), merged(params, needed))
	}
	for draw := range draws {
		for _, link := range links {
			if answers, ok := s.shortest(seed+uint64(draw), link); ok {
				return Path{seed + uint64(draw), link, answers}, true
			}
		}
	}
	return Path{}, false
}

// merged returns the entries of both maps; those of the second win.
func merged(first, second map[string]string) map[string]string {
	both := maps.Clone(first)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, second)
	return both
}

type search struct {
	target Target
	plan   *interview.Plan
	needs  needs
	left   int // steps that may still be run
}

// shortest looks for any answers first, going deep, and then for fewer, with what is left of the bound.
func (s *search) shortest(seed uint64, params map[string]string) (best []Answer, found bool) {
	reserve := s.left / 2
	s.left -= reserve
	open := [][]int{nil} // choices at the questions that decide
	for len(open) > 0 && !found && s.left > 0 {
		last := len(open) - 1
		next := open[last]
		open = open[:last]
		answers, candidates, reached := s.run(seed, params, next)
		if reached {
			best, found = answers, true
		}
		for choice := candidates - 1; choice >= 0; choice-- { // the first is tried next
			open = append(open, append(slices.Clone(next), choice))
		}
	}
	s.left += reserve
	if found {
		best = s.shorter(seed, params, best)
	}
	return best, found
}

// shorter runs choices in the order of how many answers lead to the last of them, as long as they are fewer than the best known.
func (s *search) shorter(seed uint64, params map[string]string, best []Answer) []Answer {
	open := make([][][]int, len(best)+1) // by number of answers
	open[0] = [][]int{nil}
	for n := 0; n < len(best); n++ {
		for len(open[n]) > 0 && s.left > 0 {
			next := open[n][0]
			open[n] = open[n][1:]
			answers, candidates, reached := s.run(seed, params, next)
			if reached && len(answers) < len(best) {
				best = answers
			}
			for choice := range candidates {
				if len(answers) < len(best) {
					open[len(answers)] = append(open[len(answers)], append(slices.Clone(next), choice))
				}
			}
		}
	}
	return best
}

// run answers an interview until the target, the end, or a question that decides and has no choice yet: then candidates is the number
// of its candidate answers.
func (s *search) run(seed uint64, params map[string]string, choices []int) (answers []Answer, candidates int, reached bool) {
	state := s.plan.Begin(seed, params)
	for {
		s.left--
		step := state.Next()
		switch {
		case step.Ended() || s.left <= 0:
			return answers, 0, false
		case step.Kind == interview.StepProbe:
			if _, err := state.Apply(interview.Decline{StepID: step.ID}, time.Time{}); err != nil {
				return answers, 0, false
			}
			continue
		case step.Item.ID == s.target.ItemID && (s.target.ConceptID == "" || step.Concept != nil && step.Concept.ID == s.target.ConceptID):
			return answers, 0, true
		}
		answer := anyAnswer(step)
		if s.needs.decides[step.Item.ID] {
			some := s.needs.candidates(step)
			if len(choices) == 0 {
				return answers, len(some), false
			}
			answer, choices = some[choices[0]], choices[1:]
		}
		if _, err := state.Apply(interview.Submit{StepID: step.ID, Answer: answer}, time.Time{}); err != nil {
			return answers, 0, false
		}
		answers = append(answers, Answer{step.ID, answer})
	}
}
