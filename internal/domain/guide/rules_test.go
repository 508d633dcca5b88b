package guide_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// base is a valid guide that the tests of the rules break in one place:
//
//	0 screening: s (single choice: yes, no)
//	1 flat:      tools (multi choice: a, b, none; custom), grid (matrix), best (ranking, carried), open
//	2 concept:   c1, c2; use (single choice: yes, no)
//	3 flat:      again (multi choice, carried from tools; custom), end (statement)
func base() *guide.Guide {
	yesNo := func() []guide.Option { return []guide.Option{{ID: "yes", Text: "Yes"}, {ID: "no", Text: "No"}} }
	screener := yesNo()
	screener[0].Status, screener[1].Status = guide.Approve, guide.Reject
	return &guide.Guide{Title: "Base", Blocks: []guide.Block{
		{ID: "b0", Type: guide.BlockScreening, Items: []guide.Item{
			{ID: "s", Type: guide.MultipleChoice, Text: "Do you?", Options: screener},
		}},
		{ID: "b1", Type: guide.BlockFlat, Items: []guide.Item{
			{
				ID: "tools", Type: guide.MultipleChoice, Text: "Which tools?", MultiSelect: true, AllowCustomOption: true, MinSelect: 1, MaxSelect: 3,
				Options: []guide.Option{{ID: "a", Text: "Tool A"}, {ID: "b", Text: "Tool B"}, {ID: "none", Text: "None", Exclusive: true}},
			},
			{ID: "grid", Type: guide.Matrix, Text: "Rate.", Options: yesNo(), Rows: []guide.Row{{ID: "r1", Text: "Speed"}, {ID: "r2", Text: "Price"}}},
			{ID: "best", Type: guide.Ranking, Text: "Rank.", CarryForwardFrom: "tools"},
			{ID: "open", Type: guide.OpenEnded, Text: "Why?"},
		}},
		{
			ID: "b2", Type: guide.BlockConcept, Items: []guide.Item{{ID: "use", Type: guide.MultipleChoice, Text: "Use it?", Options: yesNo()}},
			Sampling: &guide.Sampling{SubsampleCount: 1, Concepts: []guide.Concept{{ID: "c1", Nickname: "One"}, {ID: "c2", Nickname: "Two"}}},
		},
		{ID: "b3", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "again", Type: guide.MultipleChoice, Text: "Which of them?", MultiSelect: true, AllowCustomOption: true, CarryForwardFrom: "tools"},
			{ID: "end", Type: guide.Statement, Text: "Bye."},
		}},
	}}
}

// when returns a conditional with one criterion on the choices of an item; row is for a matrix.
func when(question, row string, choices ...string) *guide.Conditional {
	return &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{
		Type: guide.SelectedTemplateOptions, QuestionID: question, Matching: guide.MustSelect, Choices: choices, MatrixRow: row,
	}}}
}

// broken is one case of a rule: a change of base, and the full violations that it causes.
type broken struct {
	name   string
	change func(*guide.Guide)
	want   []guide.Violation
}

// run checks that each change causes exactly its violations, and that a case without violations is accepted.
func run(t *testing.T, cases []broken) {
	t.Parallel()
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := base()
			test.change(g)
			_, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
			var got []guide.Violation
			if rules, ok := errors.AsType[*guide.RulesError](err); ok {
				got = rules.Violations
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllBrokenRulesAreReported(t *testing.T) {
	t.Parallel()
	g := base()
	g.Blocks[1].Items[3].Conditional = when("nobody", "", "x")
	g.Blocks[2].Sampling.SubsampleCount = 3
	_, err := guide.Decode(guide.Encode(g), guide.Options{})
	want := `studyGuide[2].conceptSamplingConfig.subsampleCount: subsampleCount is 3, but there are only 2 concepts; ` +
		`studyGuide[1].items[3].conditional.criteria[0].questionId: no item has the externalId "nobody"`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
