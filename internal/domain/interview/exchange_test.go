package interview_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// TestExchangesHaveTimes checks that Took is the time since the previous turn, a moderator's included, over all screens of a
// MaxDiff.
func TestExchangesHaveTimes(t *testing.T) {
	t.Parallel()
	options := []guide.Option{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}, {ID: "c", Text: "C"}, {ID: "d", Text: "D"}}
	plan := interview.NewPlan(&guide.Guide{Blocks: []guide.Block{{Items: []guide.Item{
		{ID: "hello", Type: guide.Statement, Text: "Hello."},
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpLight},
		{ID: "best", Type: guide.MaxDiff, Text: "Best?", Options: options, ItemsPerScreen: 3},
	}}}})
	state := plan.Begin(3, nil)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var turns []interview.Turn
	apply := func(after time.Duration, in interview.Input) {
		t.Helper()
		at = at.Add(after)
		turn, err := state.Apply(in, at)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	telemetry := &interview.Telemetry{Typed: 7}
	apply(0, interview.Submit{StepID: "s0"})
	apply(9*time.Second, interview.Submit{StepID: "s1", Answer: interview.Answer{Text: "Because.", Telemetry: telemetry}})
	apply(4*time.Second, interview.Probe{StepID: "s2", Words: "How so?"})
	apply(5*time.Second, interview.Submit{StepID: "s3", Answer: interview.Answer{Text: "So."}})
	screens := 0
	for ; !state.Next().Ended(); screens++ {
		shown := state.Next().Options
		apply(2*time.Second, interview.Submit{StepID: state.Next().ID, Answer: interview.Answer{Best: shown[0].ID, Worst: shown[1].ID}})
	}
	replayed, err := plan.Replay(3, nil, turns)
	if err != nil {
		t.Fatal(err)
	}
	type came struct {
		Words string
		Took  time.Duration
		Told  *interview.Telemetry
	}
	want := []came{{"Hello.", 0, nil}, {"Why?", 9 * time.Second, telemetry}, {"How so?", 5 * time.Second, nil}, {"Best?", time.Duration(screens) * 2 * time.Second, nil}}
	for name, s := range map[string]*interview.State{"as it went": state, "replayed": replayed} {
		var got []came
		for _, e := range s.Exchanges() {
			got = append(got, came{e.Moderator, e.Took, e.Telemetry})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
