package interview_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// TestVisitedItems checks that every visited item is returned with its options and answers, the current one included,
// statements not.
func TestVisitedItems(t *testing.T) {
	t.Parallel()
	plan := flat(
		guide.Item{ID: "note", Type: guide.Statement, Text: "Read this."},
		guide.Item{ID: "tell", Type: guide.OpenEnded, Text: "Tell.", FollowUp: guide.FollowUpLight},
		guide.Item{ID: "pick", Type: guide.MultipleChoice, Text: "Pick.", MultiSelect: true, Options: letters("abc")},
		guide.Item{ID: "rank", Type: guide.Ranking, Text: "Rank.", CarryForwardFrom: "pick"},
		guide.Item{ID: "most", Type: guide.MaxDiff, Text: "Most?", Options: letters("abcde"), ItemsPerScreen: 4},
	)
	s := plan.Begin(1, nil)
	for _, in := range []func(step string) interview.Input{
		func(step string) interview.Input { return interview.Submit{StepID: step} },
		func(step string) interview.Input {
			return interview.Submit{StepID: step, Answer: interview.Answer{Text: "First."}}
		},
		func(step string) interview.Input { return interview.Probe{StepID: step, Words: "And?"} },
		func(step string) interview.Input {
			return interview.Submit{StepID: step, Answer: interview.Answer{Text: "Second."}}
		},
		func(step string) interview.Input {
			return interview.Submit{StepID: step, Answer: interview.Answer{Selected: []string{"b"}}}
		},
		func(step string) interview.Input {
			shown := s.Next().Options
			return interview.Submit{StepID: step, Answer: interview.Answer{Best: shown[0].ID, Worst: shown[1].ID}}
		},
	} {
		if _, err := s.Apply(in(s.Next().ID), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	items := s.VisitedItems()
	if len(items) != 4 {
		t.Fatalf("%d items are met: %+v", len(items), items)
	}
	open, pick, rank, limit := items[0], items[1], items[2], items[3]
	if diff := cmp.Diff([]string{"Second."}, open.Replies); diff != "" || open.Answers[0].Text != "First." || !open.Done() {
		t.Errorf("tell: %+v %s", open, diff)
	}
	if ids(pick.Options) != ids(letters("abc")) || ids(pick.Chosen) != ids(letters("b")) || pick.Type != guide.MultipleChoice {
		t.Errorf("pick: %+v", pick)
	}
	if !rank.Unasked || !rank.Done() || rank.Answers[0].Ranking[0] != "b" {
		t.Errorf("rank: %+v", rank)
	}
	if limit.Done() || len(limit.Answers) != 1 || len(limit.Screens) < 3 || limit.Answers[0].Best != limit.Screens[0][0].ID {
		t.Errorf("most: %+v", limit)
	}
}
