package interview_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
)

// options returns count options, all with the given text if there is one.
func options(count int, text string) []guide.Option {
	all := make([]guide.Option, count)
	for i := range all {
		all[i] = guide.Option{ID: fmt.Sprint("o", i), Text: text}
		if text == "" {
			all[i].Text = fmt.Sprint("Option ", i)
		}
	}
	return all
}

// large returns a guide that begins with a choice of many options, which all items after it ask about or carry forward.
func large(choices []guide.Option, items int, make func(i int) guide.Item) *guide.Guide {
	g := &guide.Guide{Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "all", Type: guide.MultipleChoice, Text: "Which?", MultiSelect: true, AllowCustomOption: true, Options: choices},
	}}}}
	for i := range items {
		it := make(i)
		it.ID, it.Text = fmt.Sprint("q", i), "What of it?"
		g.Blocks[0].Items = append(g.Blocks[0].Items, it)
	}
	return g
}

func asks(choices ...string) *guide.Conditional {
	return &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{
		Type: guide.SelectedTemplateOptions, QuestionID: "all", Matching: guide.MustSelect, Choices: choices,
	}}}
}

// guides returns guides whose compilation once took time or memory that grew faster than their size.
var guides = map[string]func(items int) *guide.Guide{
	"a chain": func(items int) *guide.Guide {
		return large(options(3, ""), items, func(i int) guide.Item {
			from := "all"
			if i > 0 {
				from = fmt.Sprint("q", i-1)
			}
			return guide.Item{Type: guide.MultipleChoice, MultiSelect: true, AllowCustomOption: i%2 == 0, CarryForwardFrom: from}
		})
	},
	"one list carried everywhere": func(items int) *guide.Guide {
		return large(options(1000, ""), items, func(int) guide.Item { return guide.Item{Type: guide.Ranking, CarryForwardFrom: "all"} })
	},
	"one text of all options": func(items int) *guide.Guide {
		return large(options(1000, "Same"), items, func(int) guide.Item {
			return guide.Item{Type: guide.Statement, Conditional: asks("Same", "o999", "Other", "other:all")}
		})
	},
}

// TestCompilingIsLinear must not run in parallel, because it counts what the process allocates.
func TestCompilingIsLinear(t *testing.T) { //nolint:paralleltest // see above
	for name, shape := range guides {
		compile := func(items int) uint64 {
			g := shape(items)
			return guidetest.Allocated(func() { interview.NewPlan(g) })
		}
		few, many := compile(500), compile(4000)
		if many > 12*few {
			t.Errorf("%s: eight times the items take %.1f times the memory (%d and %d bytes)", name, float64(many)/float64(few), few, many)
		}
	}
}

// TestLookingAheadIsCheap: after a long answer the progress of each step tests every later item against it, and the cost
// must not grow with the length of the answer.
func TestLookingAheadIsCheap(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	for name, shape := range guides {
		next := func(chosen int) uint64 {
			s := interview.NewPlan(shape(1000)).Begin(1, nil)
			var ids []string
			for i := range min(chosen, len(s.Next().Options)) {
				ids = append(ids, fmt.Sprint("o", i))
			}
			if _, err := s.Apply(interview.Submit{StepID: s.Next().ID, Answer: interview.Answer{Selected: ids}}, time.Time{}); err != nil {
				t.Fatal(err)
			}
			s.Next() // allocate what is allocated once
			return guidetest.Allocated(func() { s.Next() })
		}
		if few, many := next(2), next(1000); many > 2*few+1024 {
			t.Errorf("%s: a step after a long answer takes %d bytes, after a short one %d", name, many, few)
		}
	}
}

// TestChoicesByText checks that a criterion's text refers to all options of that text, as the guide wrote it.
func TestChoicesByText(t *testing.T) {
	t.Parallel()
	some := []guide.Option{{ID: "a", Text: "Tea"}, {ID: "b", Text: "Tea"}, {ID: "Tea", Text: "Coffee"}, {ID: "d", Text: "Milk"}}
	for _, test := range []struct {
		choice string
		answer interview.Answer
		shown  bool
	}{
		{"Milk", interview.Answer{Selected: []string{"d"}}, true},
		{"Milk", interview.Answer{Selected: []string{"a"}}, false},
		{"Tea", interview.Answer{Selected: []string{"a"}}, false}, // an id takes precedence over a text
		{"Tea", interview.Answer{Selected: []string{"Tea"}}, true},
		{"Coffee", interview.Answer{Selected: []string{"Tea"}}, true},
		{"Other", interview.Answer{CustomText: "Water"}, true},
		{"Other", interview.Answer{Selected: []string{"a"}}, false},
		{"other:all", interview.Answer{CustomText: "Water"}, true},
		{"Water", interview.Answer{CustomText: "Water"}, false}, // participants' texts are unknown to the guide
	} {
		for _, carried := range []bool{false, true} {
			g := large(some, 2, func(i int) guide.Item {
				switch {
				case i == 0 && carried:
					return guide.Item{Type: guide.MultipleChoice, MultiSelect: true, CarryForwardFrom: "all"}
				case i == 0:
					return guide.Item{Type: guide.Statement}
				}
				return guide.Item{Type: guide.Statement, Conditional: asks(test.choice)}
			})
			if carried {
				g.Blocks[0].Items[2].Conditional.Criteria[0].QuestionID = "q0"
			}
			s := interview.NewPlan(g).Begin(1, nil)
			give(t, s, test.answer)
			if carried {
				give(t, s, interview.Answer{Selected: []string{s.Next().Options[0].ID}})
			} else {
				give(t, s, interview.Answer{})
			}
			if shown := !s.Next().Ended(); shown != test.shown {
				t.Errorf("%q after %+v (carried: %v): shown is %v", test.choice, test.answer, carried, shown)
			}
		}
	}
}

// TestCustomTextsAreAsLongAsOptions checks that the text of a custom option is bounded when it is submitted, and not in an
// older log.
func TestCustomTextsAreAsLongAsOptions(t *testing.T) {
	t.Parallel()
	plan := interview.NewPlan(large(options(2, ""), 1, func(int) guide.Item { return guide.Item{Type: guide.Statement} }))
	longest, longer := strings.Repeat("ö", interview.MaxCustomText), strings.Repeat("ö", interview.MaxCustomText+1)
	_, err := plan.Begin(1, nil).Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{CustomText: longer}}, time.Time{})
	wrong, ok := errors.AsType[*interview.AnswerError](err)
	if !ok || wrong.Issues[0].Code != "too_big" || wrong.Issues[0].Expected != "2000" || wrong.Issues[0].Path[0] != "customText" {
		t.Errorf("error %v, want too long a customText", err)
	}
	turn, err := plan.Begin(1, nil).Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{CustomText: longest}}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	turn.Answer.CustomText = longer
	if _, err := plan.Replay(1, nil, []interview.Turn{turn}); err != nil {
		t.Errorf("a log from before: %v", err)
	}
}

func give(t *testing.T, s *interview.State, a interview.Answer) {
	t.Helper()
	if _, err := s.Apply(interview.Submit{StepID: s.Next().ID, Answer: a}, time.Time{}); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkNewPlanBySize(b *testing.B) {
	for name, shape := range guides {
		for _, items := range []int{250, 500, 1000, 2000} {
			g := shape(items)
			b.Run(fmt.Sprint(name, "/", items), func(b *testing.B) {
				for b.Loop() {
					interview.NewPlan(g)
				}
			})
		}
	}
}

// BenchmarkLongInterview replays an interview of 2,000 choices of twelve options to its last turn, and gets everything that
// is stored with an answer.
func BenchmarkLongInterview(b *testing.B) {
	for _, items := range []int{500, 1000, 2000} {
		g := large(options(12, ""), items-1, func(i int) guide.Item {
			it := guide.Item{Type: guide.MultipleChoice, MultiSelect: true, RandomizeOptionOrder: true, Options: options(12, "")}
			if i%2 == 1 {
				it.Conditional = asks("o0", "Option 3")
			}
			return it
		})
		plan := interview.NewPlan(g)
		s := plan.Begin(1, nil)
		var turns []interview.Turn
		for step := s.Next(); !step.Ended(); step = s.Next() {
			turn, err := s.Apply(interview.Submit{StepID: step.ID, Answer: interview.Answer{Selected: []string{"o0", "o3", "o7"}}}, time.Time{})
			if err != nil {
				b.Fatal(err)
			}
			turns = append(turns, turn)
		}
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			for b.Loop() {
				s, err := plan.Replay(1, nil, slices.Clone(turns[:len(turns)-1]))
				if err != nil {
					b.Fatal(err)
				}
				s.Next()
				s.Answers()
				s.Exchanges()
			}
		})
	}
}
