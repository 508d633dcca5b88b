package guide_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
)

func TestOptionsOrCarryForward(t *testing.T) {
	run(t, []broken{
		{"neither", func(g *guide.Guide) { g.Blocks[1].Items[2].CarryForwardFrom = "" }, []guide.Violation{
			{"studyGuide[1].items[2].options", "options are required unless carryForwardFrom is set"},
		}},
		{"neither on a choice", func(g *guide.Guide) { g.Blocks[2].Items[0].Options = nil }, []guide.Violation{
			{"studyGuide[2].items[0].options", "options are required unless carryForwardFrom is set"},
		}},
		{"both", func(g *guide.Guide) { g.Blocks[1].Items[2].Options = []guide.Option{{ID: "x", Text: "X"}} }, []guide.Violation{
			{"studyGuide[1].items[2].options", "options must be omitted when carryForwardFrom is set: they are inherited"},
		}},
	})
}

func TestCarryForwardSources(t *testing.T) {
	const place = "studyGuide[1].items[2].carryForwardFrom"
	from := func(id string) func(*guide.Guide) {
		return func(g *guide.Guide) { g.Blocks[1].Items[2].CarryForwardFrom = id }
	}
	run(t, []broken{
		{"through a chain", func(g *guide.Guide) {
			g.Blocks[3].Items[1] = guide.Item{ID: "last", Type: guide.Ranking, Text: "Rank.", CarryForwardFrom: "again"}
		}, nil},
		{"of nobody", from("nobody"), []guide.Violation{{place, `no item has the externalId "nobody"`}}},
		{"of a block", from("b0"), []guide.Violation{{place, `no item has the externalId "b0"`}}},
		{"of itself", from("best"), []guide.Violation{{place, `"best" must be an earlier item`}}},
		{"of a later one", from("again"), []guide.Violation{{place, `"again" must be an earlier item`}}},
		{"of a single choice", from("s"), []guide.Violation{{place, `"s" must be a multiple_choice item with multiSelect true`}}},
		{"of a matrix", from("grid"), []guide.Violation{{place, `"grid" must be a multiple_choice item with multiSelect true`}}},
	})
}

func TestConditionSources(t *testing.T) {
	const place = "studyGuide[1].items[0].conditional.criteria[0].questionId"
	on := func(question string) func(*guide.Guide) {
		return func(g *guide.Guide) { g.Blocks[1].Items[0].Conditional = when(question, "", "yes") }
	}
	run(t, []broken{
		{"a screening question", on("s"), nil},
		{"the same concept block", func(g *guide.Guide) {
			g.Blocks[2].Items = append(g.Blocks[2].Items, guide.Item{ID: "why", Type: guide.OpenEnded, Text: "Why?", Conditional: when("use", "", "no")})
		}, nil},
		{"a concept block before", func(g *guide.Guide) { g.Blocks[3].Items[0].Conditional = when("use", "", "no") }, nil},
		{"nobody", on("nobody"), []guide.Violation{{place, `no item has the externalId "nobody"`}}},
		{"a concept", on("c1"), []guide.Violation{{place, `no item has the externalId "c1"`}}},
		{"itself", on("tools"), []guide.Violation{{place, `"tools" must be an earlier item`}}},
		{"a later one", on("use"), []guide.Violation{{place, `"use" must be an earlier item`}}},
		{"a later one of the wrong type", on("open"), []guide.Violation{
			{place, `"open" must be an earlier item`}, {place, `"open" must be a multiple_choice or matrix item, not open_ended`},
		}},
		{"a ranking", func(g *guide.Guide) { g.Blocks[3].Items[1].Conditional = when("best", "", "a") }, []guide.Violation{
			{"studyGuide[3].items[1].conditional.criteria[0].questionId", `"best" must be a multiple_choice or matrix item, not ranking`},
		}},
		{"the second criterion", func(g *guide.Guide) {
			c := when("s", "", "yes")
			c.Criteria = append(c.Criteria, guide.Criterion{Type: guide.SearchParam, Parameter: "p"}, when("x", "", "y").Criteria[0])
			g.Blocks[1].Items[0].Conditional = c
		}, []guide.Violation{
			{"studyGuide[1].items[0].conditional.criteria[2].questionId", `no item has the externalId "x"`},
		}},
	})
}

func TestConceptConditionSources(t *testing.T) {
	const place = "studyGuide[2].conceptSamplingConfig.concepts[1].conditional.criteria[0].questionId"
	on := func(question string) func(*guide.Guide) {
		return func(g *guide.Guide) { g.Blocks[2].Sampling.Concepts[1].Conditional = when(question, "", "yes") }
	}
	run(t, []broken{
		{"a block before", on("s"), nil},
		{"its own block", on("use"), []guide.Violation{{place, `"use" must be an item in a block before the concept block`}}},
		{"a block after", on("again"), []guide.Violation{{place, `"again" must be an item in a block before the concept block`}}},
		{"nobody", on("nobody"), []guide.Violation{{place, `no item has the externalId "nobody"`}}},
		{"an open question", on("open"), []guide.Violation{{place, `"open" must be a multiple_choice or matrix item, not open_ended`}}},
	})
}

func TestMatrixRows(t *testing.T) {
	const place = "studyGuide[1].items[3].conditional.criteria[0].matrixRow"
	on := func(question, row, choice string) func(*guide.Guide) {
		return func(g *guide.Guide) { g.Blocks[1].Items[3].Conditional = when(question, row, choice) }
	}
	run(t, []broken{
		{"a row", on("grid", "Price", "yes"), nil},
		{"missing", on("grid", "", "yes"), []guide.Violation{{place, `matrixRow is required, because "grid" is a matrix`}}},
		{"not the exact text", on("grid", "price", "yes"), []guide.Violation{{place, `"price" is no row of "grid"`}}},
		{"a row's id", on("grid", "r1", "yes"), []guide.Violation{{place, `"r1" is no row of "grid"`}}},
		{"of another type", on("tools", "Price", "a"), []guide.Violation{{place, `matrixRow must be omitted, because "tools" is no matrix`}}},
	})
}

func TestChoicesOfSource(t *testing.T) {
	on := func(question, row string, choices ...string) func(*guide.Guide) {
		return func(g *guide.Guide) { g.Blocks[3].Items[1].Conditional = when(question, row, choices...) }
	}
	const place = "studyGuide[3].items[1].conditional.criteria[0].choices"
	run(t, []broken{
		{"ids and texts", on("tools", "", "a", "Tool B"), nil},
		{"the custom option", on("tools", "", "other:tools", "Other"), nil},
		{"carried ones", on("again", "", "b", "Tool A", "other:tools", "other:again", "Other"), nil},
		{"columns by text", on("grid", "Speed", "Yes"), nil},
		{"unknown ones", on("tools", "", "a", "c", "tool a"), []guide.Violation{{place, `no option of "tools": "c", "tool a"`}}},
		{"a row for a column", on("grid", "Speed", "Speed"), []guide.Violation{{place, `no option of "grid": "Speed"`}}},
		{"the custom option of a later link", on("tools", "", "other:again"), []guide.Violation{{place, `no option of "tools": "other:again"`}}},
		{"a custom option that is not allowed", on("use", "", "other:use", "Other"), []guide.Violation{
			{place, `no option of "use": "other:use", "Other"`},
		}},
		{"an id for a custom option", on("tools", "", "tools"), []guide.Violation{{place, `no option of "tools": "tools"`}}},
	})
}

// TestEmptyReferences checks that an empty reference is a broken rule with its place, neither a wrong shape nor an omission.
func TestEmptyReferences(t *testing.T) {
	t.Parallel()
	const payload = `{"title": "T", "studyGuide": [{"type": "flat", "title": "", "items": [
		{"type": "multiple_choice", "text": "A", "externalId": "a", "options": [{"text": "x"}]},
		{"type": "ranking", "text": "B", "options": [{"text": "x"}], "carryForwardFrom": ""},
		{"type": "open_ended", "text": "C", "conditional": {"operator": "and", "criteria": [
			{"type": "selectedTemplateOptions", "questionId": "a", "matchingCriteria": "mustSelect", "choices": ["x"], "matrixRow": ""}]}}]}]}`
	_, err := guide.Decode([]byte(payload), guide.Options{NewID: guidetest.IDs("id")})
	broken, ok := errors.AsType[*guide.RulesError](err)
	if !ok {
		t.Fatalf("got %v, want a RulesError", err)
	}
	var places []string
	for _, v := range broken.Violations {
		places = append(places, v.Place)
	}
	want := []string{
		"studyGuide[0].items[1].options", "studyGuide[0].items[1].carryForwardFrom",
		"studyGuide[0].items[2].conditional.criteria[0].matrixRow",
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s\n%v", diff, err)
	}
}
