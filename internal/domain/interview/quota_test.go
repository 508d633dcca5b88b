package interview_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// quotaGuide returns a guide with a screening about age and drinks, a choice after it, and quotas over both and a link parameter.
func quotaGuide() *guide.Guide {
	one := 1
	option := func(id string, status guide.OptionStatus) guide.Option {
		return guide.Option{ID: id, Text: "The " + id, Status: status}
	}
	group := func(id string, values ...string) guide.Group { return guide.Group{ID: id, Values: values} }
	age := guide.Dimension{QuestionID: "age", Groups: []guide.Group{group("y", "young"), group("o", "The old")}}
	return &guide.Guide{
		Title: "T",
		Config: guide.Config{Fieldwork: guide.Fieldwork{Target: 5}, Quotas: []guide.Quota{
			{ID: "grid", Limit: &one, Dimensions: []guide.Dimension{age, {Parameter: "r", Groups: []guide.Group{group("n", "1"), group("s", "2", "3")}}}},
			{ID: "drinks", Limit: &one, Dimensions: []guide.Dimension{{QuestionID: "drinks", Groups: []guide.Group{group("t", "tea"), group("c", "coffee", "milk")}}}},
			{ID: "late", Limit: &one, Dimensions: []guide.Dimension{{QuestionID: "late", Groups: []guide.Group{group("a", "a")}}}},
		}},
		Blocks: []guide.Block{
			{ID: "s", Type: guide.BlockScreening, Items: []guide.Item{
				{ID: "age", Type: guide.MultipleChoice, Text: "Age?", Options: []guide.Option{option("young", guide.Approve), option("old", guide.Neutral), option("child", guide.Reject)}},
				{
					ID: "drinks", Type: guide.MultipleChoice, Text: "Drinks?", MultiSelect: true, AllowCustomOption: true,
					Options: []guide.Option{option("tea", guide.Neutral), option("coffee", guide.Neutral), option("milk", guide.Neutral)},
				},
			}},
			{ID: "f", Type: guide.BlockFlat, Items: []guide.Item{
				{
					ID: "late", Type: guide.MultipleChoice, Text: "Late?", Options: []guide.Option{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}},
					Conditional: &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{Type: guide.SelectedTemplateOptions, QuestionID: "drinks", Matching: guide.MustSelect, Choices: []string{"tea"}}}},
				},
				{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
			}},
		},
	}
}

// TestCells: a cell is settled by the last answer that it needs, and not before.
func TestCells(t *testing.T) {
	t.Parallel()
	plan := interview.NewPlan(quotaGuide())
	for _, tt := range []struct {
		params, selected, want string
	}{
		{"1", "", ""},
		{"1", "young", "grid:y/n"},
		{"3", "old", "grid:o/s"},
		{"4", "old", ""},
		{"", "old", ""},
		{"1", "young; tea", ": grid:y/n drinks:t"},
		{"1", "young; coffee+milk", ": grid:y/n drinks:c"},
		{"1", "young; tea+milk", ": grid:y/n drinks:t drinks:c"},
		{"1", "young; tea; b", ": grid:y/n drinks:t"},
		{"2", "young; tea; a", ": grid:y/s drinks:t late:a"},
		{"1", "young; custom", ": grid:y/n"},
	} {
		params := map[string]string{}
		if tt.params != "" {
			params["r"] = tt.params
		}
		s := plan.Begin(1, params)
		for _, selected := range strings.Split(tt.selected, "; ") {
			answer := interview.Answer{Selected: strings.Split(selected, "+")}
			switch selected {
			case "":
				continue
			case "custom":
				answer = interview.Answer{CustomText: "Water"}
			}
			if _, err := s.Apply(interview.Submit{StepID: s.Next().ID, Answer: answer}, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, cell := range s.Cells() {
			got = append(got, cell.Quota+":"+cell.Cell)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("r=%s, %s: %q, want %q", tt.params, tt.selected, got, tt.want)
		}
	}
}

// TestQuotaFull: a turn with a full cell ends the interview there, also when the log is replayed.
func TestQuotaFull(t *testing.T) {
	t.Parallel()
	plan, full := interview.NewPlan(quotaGuide()), guide.CellRef{Quota: "grid", Cell: "y/n"}
	s := plan.Begin(1, nil)
	turn, err := s.Apply(interview.Submit{StepID: s.Next().ID, Answer: interview.Answer{Selected: []string{"young"}}}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	turn.QuotaFull = &full
	ended, err := plan.Replay(1, nil, []interview.Turn{turn})
	if err != nil {
		t.Fatal(err)
	}
	if step := ended.Next(); step.Kind != interview.StepScreenedOut || step.QuotaFull == nil || *step.QuotaFull != full {
		t.Errorf("it stands at %+v", step)
	}
	if answers := ended.Answers(); len(answers) != 1 || answers[0].Text != "The young" {
		t.Errorf("answers: %+v", answers)
	}
	if _, err := ended.Apply(interview.Submit{StepID: ended.Next().ID}, time.Time{}); err == nil {
		t.Error("it goes on")
	}
	if _, err := plan.Replay(1, nil, []interview.Turn{turn, turn}); err == nil || !strings.Contains(fmt.Sprint(err), "turn 2") {
		t.Errorf("a turn after the end: %v", err)
	}
}
