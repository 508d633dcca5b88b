package interview_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// Example runs an interview with one multiple choice and one open question, which gets a follow-up.
func Example() {
	plan := interview.NewPlan(&guide.Guide{Blocks: []guide.Block{{ID: "habits", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "how", Type: guide.MultipleChoice, Text: "How do you make coffee?", Options: []guide.Option{
			{ID: "filter", Text: "Filter"}, {ID: "press", Text: "French press"},
		}},
		{ID: "why", Type: guide.OpenEnded, Text: "Why that way?", FollowUp: guide.FollowUpLight},
	}}}})
	respond := func(step interview.Step) interview.Input {
		switch {
		case step.Kind == interview.StepProbe: // the moderator's turn
			return interview.Probe{StepID: step.ID, Words: "What do you like about it?"}
		case step.Kind == interview.StepQuestion && step.Item.Type == guide.MultipleChoice:
			return interview.Submit{StepID: step.ID, Answer: interview.Answer{Selected: []string{"press"}}}
		}
		return interview.Submit{StepID: step.ID, Answer: interview.Answer{Text: "It is quick."}}
	}
	var (
		seed   uint64 = 1
		params map[string]string
		log    []interview.Turn
		now    = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	)

	state := plan.Begin(seed, params) // or plan.Replay(seed, params, log)
	for step := state.Next(); !step.Ended(); step = state.Next() {
		if turn, err := state.Apply(respond(step), now); err == nil {
			log = append(log, turn)
		}
	}

	for _, turn := range log {
		fmt.Println(turn.StepID, turn.Kind, turn.ItemID)
	}
	// Output:
	// s0 answer how
	// s1 answer why
	// s2 probe why
	// s3 reply why
}

// TestDocShowsTheExample checks that the loop in the package comment is the one that Example runs.
func TestDocShowsTheExample(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var loop strings.Builder
	for line := range strings.Lines(string(doc)) {
		if code, ok := strings.CutPrefix(line, "//\t"); ok {
			loop.WriteString("\t" + code)
		}
	}
	if loop.Len() == 0 || !strings.Contains(string(example), "\n"+loop.String()) {
		t.Errorf("the example does not contain the loop of doc.go:\n%s", loop.String())
	}
}
