package guide_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
)

// FuzzDecode checks that what create accepts obeys the rules as the simple checker reads them, and is stored without loss,
// and that what it refuses is refused with a reason.
func FuzzDecode(f *testing.F) {
	f.Add(guidetest.RichPayload())
	f.Add(guide.Encode(base()))
	f.Add([]byte(item(`"type": "statement", "text": "T", "conditional": {"operator": "or", "criteria": [{"type": "searchParam"}]}`)))
	f.Add([]byte(`{"title": "T", "studyGuide": [{"type": "screening", "title": "", "items": [1]}], "title": 1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		g, err := guide.Decode(body, guide.Options{NewID: guidetest.IDs("new")})
		if err != nil {
			syntax, isSyntax := errors.AsType[*guide.SyntaxError](err)
			schema, isSchema := errors.AsType[*guide.SchemaError](err)
			rules, isRules := errors.AsType[*guide.RulesError](err)
			switch {
			case isSyntax && syntax.Message != "":
			case isSchema && len(schema.Issues) > 0 && len(schema.Issues) <= 100:
			case isRules && len(rules.Violations) > 0:
			default:
				t.Fatalf("no reason: %#v", err)
			}
			return
		}
		if err := obeys(g); err != nil {
			t.Errorf("accepted: %v", err)
		}
		again, err := guide.Decode(guide.Encode(g), guide.Options{})
		if diff := cmp.Diff(g, again); err != nil || diff != "" {
			t.Errorf("stored: err %v (-want +got):\n%s", err, diff)
		}
		guide.Lint(g)
	})
}

// violations breaks one rule each in any valid guide.
var violations = map[string]func(*rapid.T, *guide.Guide){
	"a second screening block": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockScreening, guide.Item{Type: guide.MultipleChoice, Options: []guide.Option{{ID: "o", Text: "O", Status: guide.Approve}}})
	},
	"an open question that screens": func(_ *rapid.T, g *guide.Guide) {
		g.Blocks = slices.Insert(g.Blocks, 0, guide.Block{ID: "new", Type: guide.BlockScreening, Items: []guide.Item{{ID: "x", Type: guide.OpenEnded, Text: "X"}}})
	},
	"a status outside screening": func(t *rapid.T, g *guide.Guide) {
		status := rapid.SampledFrom([]guide.OptionStatus{guide.Approve, guide.Reject, guide.Neutral}).Draw(t, "status")
		add(g, guide.BlockFlat, guide.Item{Type: guide.Ranking, Options: []guide.Option{{ID: "o", Text: "O", Status: status}}})
	},
	"a concept block without concepts": func(_ *rapid.T, g *guide.Guide) { add(g, guide.BlockConcept, guide.Item{Type: guide.OpenEnded}) },
	"sampling on a flat block": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockFlat, guide.Item{Type: guide.OpenEnded}).Sampling = &guide.Sampling{Concepts: []guide.Concept{{ID: "c", Nickname: "C"}}}
	},
	"too large a subsample": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockConcept, guide.Item{Type: guide.OpenEnded}).Sampling = &guide.Sampling{
			SubsampleCount: 2, Concepts: []guide.Concept{{ID: "c", Nickname: "C"}},
		}
	},
	"an id taken": func(t *rapid.T, g *guide.Guide) {
		taken := anyItem(t, g).ID
		add(g, guide.BlockFlat, guide.Item{Type: guide.OpenEnded}).ID = taken
	},
	"an option's id taken": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockFlat, guide.Item{Type: guide.Ranking, Options: []guide.Option{{ID: "o", Text: "O"}, {ID: "o", Text: "P"}}})
	},
	"a reference to nobody": func(t *rapid.T, g *guide.Guide) { anyItem(t, g).Conditional = when("nobody", "", "x") },
	"a reference to itself": func(t *rapid.T, g *guide.Guide) {
		it := anyItem(t, g)
		it.Conditional = when(it.ID, "", "x")
	},
	"a reference to a later item": func(t *rapid.T, g *guide.Guide) {
		it := anyItem(t, g)
		add(g, guide.BlockFlat, guide.Item{Type: guide.MultipleChoice, Options: []guide.Option{{ID: "o", Text: "O"}}})
		it.Conditional = when("added", "", "o")
	},
	"a reference to a statement": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockFlat, guide.Item{Type: guide.Statement})
		addAs(g, "last", guide.BlockFlat, guide.Item{Type: guide.Statement, Conditional: when("added", "", "o")})
	},
	"a concept's reference into its block": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockConcept, choice()).Sampling = &guide.Sampling{
			Concepts: []guide.Concept{{ID: "c", Nickname: "C", Conditional: when("added", "", "o")}},
		}
	},
	"an unknown choice": func(_ *rapid.T, g *guide.Guide) { follow(g, choice(), when("added", "", "o", "q")) },
	"a row of a choice": func(_ *rapid.T, g *guide.Guide) { follow(g, choice(), when("added", "Row", "o")) },
	"no row of a matrix": func(_ *rapid.T, g *guide.Guide) {
		follow(g, guide.Item{Type: guide.Matrix, Options: choice().Options, Rows: []guide.Row{{ID: "r1", Text: "Row"}}}, when("added", "", "o"))
	},
	"an unknown row": func(_ *rapid.T, g *guide.Guide) {
		follow(g, guide.Item{Type: guide.Matrix, Options: choice().Options, Rows: []guide.Row{{ID: "r1", Text: "Row"}}}, when("added", "row", "o"))
	},
	"no options": func(_ *rapid.T, g *guide.Guide) { add(g, guide.BlockFlat, guide.Item{Type: guide.Ranking}) },
	"options and carry-forward": func(t *rapid.T, g *guide.Guide) {
		multi := choice()
		multi.MultiSelect = true
		add(g, guide.BlockFlat, multi)
		addAs(g, "last", guide.BlockFlat, guide.Item{Type: guide.Ranking, CarryForwardFrom: "added", Options: choice().Options})
	},
	"carry-forward of a single choice": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockFlat, choice())
		addAs(g, "last", guide.BlockFlat, guide.Item{Type: guide.Ranking, CarryForwardFrom: "added"})
	},
	"carry-forward of itself": func(_ *rapid.T, g *guide.Guide) {
		add(g, guide.BlockFlat, guide.Item{Type: guide.MultipleChoice, MultiSelect: true, CarryForwardFrom: "added"})
	},
	"half of the bounds": func(t *rapid.T, g *guide.Guide) {
		it := choice()
		it.MultiSelect = true
		if rapid.Bool().Draw(t, "which") {
			it.MinSelect = 1
		} else {
			it.MaxSelect = 1
		}
		add(g, guide.BlockFlat, it)
	},
	"bounds of a single choice": func(_ *rapid.T, g *guide.Guide) {
		it := choice()
		it.MinSelect, it.MaxSelect = 1, 1
		add(g, guide.BlockFlat, it)
	},
	"too high a minimum": func(_ *rapid.T, g *guide.Guide) {
		it := choice()
		it.MultiSelect, it.MinSelect, it.MaxSelect = true, 3, 3
		add(g, guide.BlockFlat, it)
	},
	"a minimum over the maximum": func(_ *rapid.T, g *guide.Guide) {
		it := choice()
		it.MultiSelect, it.MinSelect, it.MaxSelect = true, 2, 1
		add(g, guide.BlockFlat, it)
	},
	"an exclusive option in the middle": func(_ *rapid.T, g *guide.Guide) {
		it := choice()
		it.MultiSelect, it.Options[0].Exclusive = true, true
		add(g, guide.BlockFlat, it)
	},
	"an exclusive option of a single choice": func(_ *rapid.T, g *guide.Guide) {
		it := choice()
		it.Options[1].Exclusive = true
		add(g, guide.BlockFlat, it)
	},
}

func choice() guide.Item {
	return guide.Item{Type: guide.MultipleChoice, Options: []guide.Option{{ID: "o", Text: "O"}, {ID: "p", Text: "P"}}}
}

// add appends a block with one item, which gets the id "added".
func add(g *guide.Guide, kind guide.BlockType, it guide.Item) *guide.Block {
	return addAs(g, "added", kind, it)
}

func addAs(g *guide.Guide, id string, kind guide.BlockType, it guide.Item) *guide.Block {
	it.ID, it.Text = id, "Text"
	g.Blocks = append(g.Blocks, guide.Block{ID: id + " block", Type: kind, Items: []guide.Item{it}})
	return &g.Blocks[len(g.Blocks)-1]
}

// follow adds an item and a statement after it under a condition.
func follow(g *guide.Guide, it guide.Item, c *guide.Conditional) {
	add(g, guide.BlockFlat, it)
	addAs(g, "last", guide.BlockFlat, guide.Item{Type: guide.Statement, Conditional: c})
}

func anyItem(t *rapid.T, g *guide.Guide) *guide.Item {
	var items []*guide.Item
	for _, it := range g.Items() {
		items = append(items, it)
	}
	return rapid.SampledFrom(items).Draw(t, "item")
}

// plant checks that a valid guide is accepted, and refused after the violation is added.
func plant(t *rapid.T, violation func(*rapid.T, *guide.Guide)) {
	g := guidetest.Guide(t)
	if err := obeys(g); err != nil {
		t.Fatalf("the checker refuses a valid guide: %v", err)
	}
	if _, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true}); err != nil {
		t.Fatalf("a valid guide is refused: %v", err)
	}
	violation(t, g)
	if obeys(g) == nil {
		t.Fatal("the checker accepts the fault")
	}
	_, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
	if _, ok := errors.AsType[*guide.RulesError](err); !ok {
		t.Fatalf("error %v, want a RulesError", err)
	}
}

func TestPlantedViolationsAreRefused(t *testing.T) {
	t.Parallel()
	for name, violation := range violations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { plant(t, violation) })
		})
	}
}

// FuzzRules adds any violation to any valid guide.
func FuzzRules(f *testing.F) {
	names := slices.Sorted(maps.Keys(violations))
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		plant(t, violations[rapid.SampledFrom(names).Draw(t, "fault")])
	}))
}
