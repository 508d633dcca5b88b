package interview_test

import (
	"iter"
	"slices"

	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// oracle computes again, from the rules and the log only, which items a participant had to visit.
type oracle struct {
	guide  *guide.Guide
	params map[string]string
	turns  []interview.Turn
}

// checkVisited compares the items of the log with those that the rules give, concept by concept.
func checkVisited(t *rapid.T, g *guide.Guide, params map[string]string, turns []interview.Turn, s *interview.State) {
	o := oracle{g, params, turns}
	for i := range g.Blocks {
		block := &g.Blocks[i]
		if block.Sampling == nil {
			o.checkPass(t, block, "", s)
			continue
		}
		eligible, seen := 0, o.conceptsSeen(block)
		for c := range block.Sampling.Concepts {
			concept := &block.Sampling.Concepts[c]
			holds := o.holds(concept.Conditional, block, "")
			if slices.Contains(seen, concept.ID) && !holds {
				t.Fatalf("concept %s was seen against its condition", concept.ID)
			}
			if holds {
				eligible++
			}
		}
		limit := eligible
		if count := block.Sampling.SubsampleCount; count > 0 {
			limit = min(limit, count)
		}
		if len(seen) > limit {
			t.Fatalf("%d concepts were seen of block %s, which samples %d", len(seen), block.ID, limit)
		}
		for _, concept := range seen {
			o.checkPass(t, block, concept, s)
		}
	}
}

// conceptsSeen returns the concepts of a block that are in the log. It ignores the order, because a concept is completed
// before the next begins.
func (o *oracle) conceptsSeen(block *guide.Block) []string {
	var seen []string
	for _, turn := range o.turns {
		for c := range block.Sampling.Concepts {
			if id := block.Sampling.Concepts[c].ID; turn.ConceptID == id && !slices.Contains(seen, id) {
				seen = append(seen, id)
			}
		}
	}
	return seen
}

func (o *oracle) checkPass(t *rapid.T, block *guide.Block, concept string, s *interview.State) {
	for i := range block.Items {
		it := &block.Items[i]
		visited := slices.ContainsFunc(o.turns, func(turn interview.Turn) bool {
			return turn.ItemID == it.ID && turn.ConceptID == concept
		})
		want := o.holds(it.Conditional, block, concept)
		if count := o.optionCount(it, block, concept); it.CarryForwardFrom != "" || it.Type == guide.Ranking {
			want = want && count > 0 && !(it.Type == guide.Ranking && count == 1)
		}
		if visited && !want {
			t.Fatalf("item %s (concept %q) was met against the rules", it.ID, concept)
		}
		if want && !visited && s.Next().Kind == interview.StepComplete {
			t.Fatalf("item %s (concept %q) was left out", it.ID, concept)
		}
	}
}

// optionCount returns how many options an item has; different custom texts about several concepts are different options.
func (o *oracle) optionCount(it *guide.Item, block *guide.Block, concept string) int {
	if it.CarryForwardFrom == "" {
		return len(it.Options)
	}
	carried := map[string]bool{}
	for _, turn := range o.answersTo(it.CarryForwardFrom, block, concept) {
		for _, id := range turn.Answer.Selected {
			if source, _, _ := o.guide.Item(it.CarryForwardFrom); source.CarryForwardFrom != "" && !o.listed(source, id) {
				id += "\x00" + o.customText(source.CarryForwardFrom, id, turn.ConceptID)
			}
			carried[id] = true
		}
		if text := turn.Answer.CustomText; text != "" {
			carried[guide.CustomOptionID(turn.ItemID)+"\x00"+text] = true
		}
	}
	return len(carried)
}

// listed reports whether an id is one of the options written in the guide for the item's chain.
func (o *oracle) listed(it *guide.Item, id string) bool {
	for it.CarryForwardFrom != "" {
		it, _, _ = o.guide.Item(it.CarryForwardFrom)
	}
	return slices.ContainsFunc(it.Options, func(option guide.Option) bool { return option.ID == id })
}

// customText finds the text of a custom option that was carried along the chain. An id that was extended by a concept's id
// identifies the concept.
func (o *oracle) customText(itemID, id, concept string) string {
	for _, turn := range o.turns {
		own := guide.CustomOptionID(turn.ItemID)
		if turn.Answer.CustomText != "" && (id == own && (turn.ConceptID == concept || turn.ConceptID == "") || id == own+":"+turn.ConceptID) {
			return turn.Answer.CustomText
		}
	}
	return "of " + itemID
}

// original returns the id that a custom option had before it was extended by a concept's id.
func (o *oracle) original(source *guide.Item, id string) string {
	for _, option := range o.guide.EffectiveOptions(source) {
		for c := range conceptIDs(o.guide) {
			if id == option.ID+":"+c {
				return option.ID
			}
		}
	}
	return id
}

func conceptIDs(g *guide.Guide) iter.Seq[string] {
	return func(yield func(string) bool) {
		for b := range g.Blocks {
			for _, concept := range g.Blocks[b].Concepts() {
				if !yield(concept.ID) {
					return
				}
			}
		}
	}
}

// answersTo returns the answers to an item that count in a block, about a concept.
func (o *oracle) answersTo(itemID string, block *guide.Block, concept string) []interview.Turn {
	same := slices.ContainsFunc(block.Items, func(it guide.Item) bool { return it.ID == itemID })
	var answers []interview.Turn
	for _, turn := range o.turns {
		if turn.ItemID == itemID && turn.Kind == interview.TurnAnswer && (!same || turn.ConceptID == concept) {
			answers = append(answers, turn)
		}
	}
	return answers
}

func (o *oracle) holds(c *guide.Conditional, block *guide.Block, concept string) bool {
	if c == nil {
		return true
	}
	for _, criterion := range c.Criteria {
		if o.passes(&criterion, block, concept) == (c.Operator == guide.Or) {
			return c.Operator == guide.Or
		}
	}
	return c.Operator == guide.And
}

func (o *oracle) passes(c *guide.Criterion, block *guide.Block, concept string) bool {
	if c.Type == guide.SearchParam {
		value, given := o.params[c.Parameter]
		return given && value == c.Value
	}
	source, _, _ := o.guide.Item(c.QuestionID)
	selected := false
	for _, turn := range o.answersTo(c.QuestionID, block, concept) {
		var picked []string
		if source.Type == guide.Matrix {
			for _, row := range source.Rows {
				if row.Text == c.MatrixRow {
					picked = append(picked, turn.Answer.Cells[row.ID])
				}
			}
		} else {
			for _, id := range turn.Answer.Selected {
				picked = append(picked, o.original(source, id))
			}
			if turn.Answer.CustomText != "" {
				picked = append(picked, guide.CustomOptionID(source.ID))
			}
		}
		for _, id := range o.guide.ChoiceIDs(source, c.Choices) {
			selected = selected || slices.Contains(picked, id)
		}
	}
	return selected == (c.Matching == guide.MustSelect)
}
