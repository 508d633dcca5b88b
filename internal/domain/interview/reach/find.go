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
	maxWork  = 4_000_000 // steps times items of the guide
	minSteps = 8000
	maxDraws = 40 // seeds that are tried until a concept is drawn
)

// Find returns the shortest list of answers found that leads to a target. It begins with the given seed and parameters, and tries others
// where concepts are drawn or conditions compare parameters. found is false if the item cannot be reached, or not within the bound.
func Find(g *guide.Guide, target Target, seed uint64, params map[string]string) (path Path, found bool) {
	item, place, exists := g.Item(target.ItemID)
	if !exists {
		return Path{}, false
	}
	s := &search{target: target, plan: interview.NewPlan(g), needs: needsOf(g, item, place, target.ConceptID), left: minSteps}
	items := 0
	for range g.Items() {
		items++
	}
	s.left = max(minSteps, maxWork/(items+1))
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

// branch is a list of choices at the questions that decide, and how many answers lead to the last of them.
type branch struct {
	choices []int
	answers int
}

// shortest runs branches, those with the fewest answers first.
func (s *search) shortest(seed uint64, params map[string]string) (best []Answer, found bool) {
	open := []branch{{}}
	for len(open) > 0 && s.left > 0 {
		next := slices.MinFunc(open, func(a, b branch) int { return a.answers - b.answers })
		at := slices.IndexFunc(open, func(b branch) bool { return b.answers == next.answers })
		next = open[at]
		open = slices.Delete(open, at, at+1)
		if found && next.answers >= len(best) {
			break
		}
		answers, candidates, reached := s.run(seed, params, next.choices)
		if reached && (!found || len(answers) < len(best)) {
			best, found = answers, true
		}
		for choice := range candidates {
			open = append(open, branch{append(slices.Clone(next.choices), choice), len(answers)})
		}
	}
	return best, found
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
