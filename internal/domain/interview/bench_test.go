package interview_test

import (
	"fmt"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// longLog returns an interview of 200 turns with all types of items.
func longLog(b *testing.B) (*guide.Guide, []interview.Turn) {
	b.Helper()
	g := &guide.Guide{Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat}}}
	items := &g.Blocks[0].Items
	for i := range 40 {
		id := fmt.Sprintf("q%d", i)
		*items = append(*items,
			guide.Item{ID: id, Type: guide.MultipleChoice, MultiSelect: true, Options: letters("abcdefgh"), RandomizeOptionOrder: true},
			guide.Item{ID: id + "r", Type: guide.Ranking, CarryForwardFrom: id},
			guide.Item{ID: id + "o", Type: guide.OpenEnded, FollowUp: guide.FollowUpLight, Conditional: &guide.Conditional{
				Operator: guide.And, Criteria: []guide.Criterion{{
					Type: guide.SelectedTemplateOptions, QuestionID: id, Matching: guide.MustSelect, Choices: []string{"a"},
				}},
			}},
		)
	}
	s := interview.NewPlan(g).Begin(1, nil)
	var turns []interview.Turn
	for step := s.Next(); !step.Ended(); step = s.Next() {
		var in interview.Input
		switch {
		case step.Kind == interview.StepProbe:
			in = interview.Probe{StepID: step.ID, Words: "Why?"}
		case step.Item.Type == guide.MultipleChoice:
			in = interview.Submit{StepID: step.ID, Answer: interview.Answer{Selected: []string{"a", "c", "d"}}}
		case step.Item.Type == guide.Ranking:
			in = interview.Submit{StepID: step.ID, Answer: interview.Answer{Ranking: []string{"d", "a", "c"}}}
		default:
			in = interview.Submit{StepID: step.ID, Answer: interview.Answer{Text: "Because it is so."}}
		}
		turn, err := s.Apply(in, time.Time{})
		if err != nil {
			b.Fatal(err)
		}
		turns = append(turns, turn)
	}
	return g, turns
}

func BenchmarkReplay(b *testing.B) {
	g, turns := longLog(b)
	plan := interview.NewPlan(g)
	b.ReportMetric(float64(len(turns)), "turns")
	for b.Loop() {
		if _, err := plan.Replay(1, nil, turns); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	g, _ := longLog(b)
	s := interview.NewPlan(g).Begin(1, nil)
	for b.Loop() {
		s.Next()
	}
}

func BenchmarkNewPlan(b *testing.B) {
	g, _ := longLog(b)
	for b.Loop() {
		interview.NewPlan(g)
	}
}
