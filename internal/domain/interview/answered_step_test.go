package interview_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// TestConversation checks what was said about the open question, the answer that stands to each step, and that progress moves within a
// question.
func TestConversation(t *testing.T) {
	t.Parallel()
	options := []guide.Option{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}, {ID: "c", Text: "C"}, {ID: "d", Text: "D"}}
	plan := interview.NewPlan(&guide.Guide{Blocks: []guide.Block{{Items: []guide.Item{
		{ID: "hello", Type: guide.Statement, Text: "Hello."},
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpMedium},
		{ID: "best", Type: guide.MaxDiff, Text: "Best?", Options: options, ItemsPerScreen: 2},
	}}}})
	state := plan.Begin(3, nil)
	if _, found := state.LastAnswered(); found || state.Conversation() != nil {
		t.Error("an interview without turns has an answer")
	}
	share := -1.0
	apply := func(in interview.Input) {
		t.Helper()
		if _, err := state.Apply(in, time.Time{}); err != nil {
			t.Fatal(err)
		}
		step := state.Next()
		if step.Kind == interview.StepProbe {
			return
		}
		if now := step.Progress.Share(); now <= share {
			t.Errorf("at %s the share done is %v, after %v", step.ID, now, share)
		}
		share = step.Progress.Share()
	}
	apply(interview.Submit{StepID: "s0"})
	apply(interview.Submit{StepID: "s1", Answer: interview.Answer{Text: "Because."}})
	apply(interview.Probe{StepID: "s2", Words: "How so?"})
	apply(interview.Submit{StepID: "s3", Answer: interview.Answer{Text: "So."}})
	apply(interview.Probe{StepID: "s4", Words: "And then?"})
	type said struct{ ID, Kind, Words, Text string }
	conversation := func() (all []said) {
		for _, a := range state.Conversation() {
			all = append(all, said{a.ID, string(a.Kind), a.Words, a.Answer.Text})
		}
		return all
	}
	if diff := cmp.Diff([]said{{"s1", "question", "Why?", "Because."}, {"s3", "follow_up", "How so?", "So."}}, conversation()); diff != "" {
		t.Error(diff)
	}
	apply(interview.Submit{StepID: "s5", Answer: interview.Answer{Text: "Then."}})
	if last, found := state.LastAnswered(); !found || last.ID != "s5" || last.Words != "And then?" || conversation() != nil {
		t.Errorf("the last answer is %+v, and the conversation %v", last, conversation())
	}
	if hello, found := state.Answered("s0"); !found || hello.Kind != interview.StepStatement || hello.Words != "Hello." {
		t.Errorf("the statement is %+v", hello)
	}
	if _, found := state.Answered("s2"); found {
		t.Error("a turn of the moderator has an answer")
	}
	for ; !state.Next().Ended(); share = min(share, state.Next().Progress.Share()) {
		shown := state.Next().Options
		apply(interview.Submit{StepID: state.Next().ID, Answer: interview.Answer{Best: shown[0].ID, Worst: shown[1].ID}})
		if last, _ := state.LastAnswered(); !cmp.Equal(last.Options, shown) || last.Answer.Best != shown[0].ID {
			t.Errorf("the screen answered last is %+v", last)
		}
	}
	if state.Conversation() != nil {
		t.Error("an ended interview has an open question")
	}
}

func TestSameAnswer(t *testing.T) {
	t.Parallel()
	type a = interview.Answer
	spoken := interview.Recordings{Audio: "u1"}
	for name, c := range map[string]struct {
		a, b a
		want bool
	}{
		"nothing":                   {a{}, a{}, true},
		"telemetry":                 {a{Text: "A."}, a{Text: "A.", Telemetry: &interview.Telemetry{Typed: 1}}, true},
		"names of files":            {a{Uploads: []string{"u"}}, a{Uploads: []string{"u"}, FileNames: []string{"cat.png"}}, true},
		"a transcript":              {a{Recordings: spoken}, a{Recordings: spoken, Text: "Transcribed."}, true},
		"the order of choices":      {a{Selected: []string{"x", "y"}}, a{Selected: []string{"y", "x"}}, true},
		"text":                      {a{Text: "A."}, a{Text: "B."}, false},
		"no text":                   {a{Text: "A."}, a{}, false},
		"text beside a recording":   {a{Text: "A.", Recordings: spoken}, a{Text: "B.", Recordings: spoken}, false},
		"recordings":                {a{Text: "A.", Recordings: spoken}, a{Text: "A."}, false},
		"choices":                   {a{Selected: []string{"x"}}, a{Selected: []string{"y"}}, false},
		"the words of a choice":     {a{CustomText: "x"}, a{CustomText: "y"}, false},
		"the order of a ranking":    {a{Ranking: []string{"x", "y"}}, a{Ranking: []string{"y", "x"}}, false},
		"a cell":                    {a{Cells: map[string]string{"r": "x"}}, a{Cells: map[string]string{"r": "y"}}, false},
		"the best":                  {a{Best: "x", Worst: "y"}, a{Best: "z", Worst: "y"}, false},
		"the worst":                 {a{Best: "x", Worst: "y"}, a{Best: "x", Worst: "z"}, false},
		"files":                     {a{Uploads: []string{"u"}}, a{Uploads: []string{"v"}}, false},
		"a choice, and another one": {a{Selected: []string{"x"}}, a{Selected: []string{"x", "y"}}, false},
	} {
		if c.a.Same(&c.b) != c.want || c.b.Same(&c.a) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
}
