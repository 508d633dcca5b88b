package reach_test

import (
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/interview/reach"
)

// stepAt answers an interview as a path says, and returns the step after it.
func stepAt(t *testing.T, g *guide.Guide, path reach.Path) interview.Step {
	t.Helper()
	state := interview.NewPlan(g).Begin(path.Seed, path.Params)
	for _, answer := range path.Answers {
		if _, err := state.Apply(interview.Submit{StepID: answer.StepID, Answer: answer.Answer}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		for step := state.Next(); step.Kind == interview.StepProbe; step = state.Next() {
			if _, err := state.Apply(interview.Decline{StepID: step.ID}, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return state.Next()
}

// TestFindEveryItem reaches every item of a guide that uses every feature, and each about every concept.
func TestFindEveryItem(t *testing.T) {
	t.Parallel()
	g := guidetest.Rich()
	for place, item := range g.Items() {
		concepts := []string{""}
		for _, c := range g.Blocks[place.Block].Concepts() {
			concepts = append(concepts, c.ID)
		}
		for _, concept := range concepts {
			path, found := reach.Find(g, reach.Target{ItemID: item.ID, ConceptID: concept}, 1, nil)
			if !found {
				t.Errorf("item %s about concept %q is not reached", item.ID, concept)
				continue
			}
			step := stepAt(t, g, path)
			if step.Item == nil || step.Item.ID != item.ID || concept != "" && step.Concept.ID != concept {
				t.Errorf("the answers lead to %+v instead of %s about %q", step, item.ID, concept)
			}
		}
	}
	if _, found := reach.Find(g, reach.Target{ItemID: "nothing"}, 1, nil); found {
		t.Error("an unknown item is reached")
	}
}

func choice(id string, options ...string) guide.Item {
	it := guide.Item{ID: id, Type: guide.MultipleChoice, Text: id}
	for _, o := range options {
		it.Options = append(it.Options, guide.Option{ID: o, Text: o})
	}
	return it
}

func when(question string, matching guide.Matching, choices ...string) guide.Criterion {
	return guide.Criterion{Type: guide.SelectedTemplateOptions, QuestionID: question, Matching: matching, Choices: choices}
}

// TestFind looks at what decides: chains of conditions, parameters, and what cannot be reached.
func TestFind(t *testing.T) {
	t.Parallel()
	second := choice("second", "x", "y", "z")
	second.Conditional = &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{when("first", guide.MustSelect, "c")}}
	deep := guide.Item{ID: "deep", Type: guide.OpenEnded, Text: "deep", Conditional: &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{
		when("second", guide.MustSelect, "z"), {Type: guide.SearchParam, Parameter: "source", Value: "mail"},
	}}}
	never := guide.Item{ID: "never", Type: guide.OpenEnded, Text: "never", Conditional: &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{
		when("first", guide.MustSelect, "a"), when("second", guide.MustSelect, "x"),
	}}}
	g := &guide.Guide{Title: "T", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{choice("first", "a", "b", "c"), second, deep, never}}}}
	path, found := reach.Find(g, reach.Target{ItemID: "deep"}, 1, map[string]string{"source": "web", "wave": "2"})
	if !found || len(path.Answers) != 2 || path.Params["source"] != "mail" || path.Params["wave"] != "2" || stepAt(t, g, path).Item.ID != "deep" {
		t.Errorf("deep: %+v, %v", path, found)
	}
	if path, found := reach.Find(g, reach.Target{ItemID: "never"}, 1, nil); found {
		t.Errorf("never: %+v", path)
	}
}

// TestFindManyConditions: an item that rests on thirty answers is reached, and the search for one that cannot be reached ends.
func TestFindManyConditions(t *testing.T) {
	t.Parallel()
	g := &guide.Guide{Title: "T", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat}}}
	var criteria []guide.Criterion
	for _, id := range "abcdefghijklmnopqrstuvwxyzABCD" {
		it := choice(string(id), "1", "2", "3", "4")
		it.MultiSelect = true
		g.Blocks[0].Items = append(g.Blocks[0].Items, it)
		criteria = append(criteria, when(it.ID, guide.MustSelect, "3"))
	}
	all := guide.Item{ID: "all", Type: guide.OpenEnded, Text: "all", Conditional: &guide.Conditional{Operator: guide.And, Criteria: criteria}}
	none := guide.Item{ID: "none", Type: guide.OpenEnded, Text: "none", Conditional: &guide.Conditional{
		Operator: guide.And, Criteria: append(criteria[:30:30], when("a", guide.MustNotSelect, "3")),
	}}
	g.Blocks[0].Items = append(g.Blocks[0].Items, all, none)
	if path, found := reach.Find(g, reach.Target{ItemID: "all"}, 1, nil); !found || len(path.Answers) != 30 {
		t.Errorf("all: %v after %d answers", found, len(path.Answers))
	}
	if _, found := reach.Find(g, reach.Target{ItemID: "none"}, 1, nil); found {
		t.Error("none is reached")
	}
}
