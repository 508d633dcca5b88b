package maintenance_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/maintenance"
)

// TestModerationReport checks the moderation report over three interviews whose words are known.
func TestModerationReport(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	st := live(t, s, storetest.Org(t, s).ID, &guide.Guide{Title: "Apples", StudyGoal: "Learn how people choose apples.", Blocks: []guide.Block{
		{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "why", Type: guide.OpenEnded, Text: "Why do you choose these apples?"},
			{ID: "read", Type: guide.Statement, Text: "Thank you.", ContinueButtonText: "Go on"},
			{ID: "where", Type: guide.OpenEnded, Text: "Where do you buy them?", FollowUp: guide.FollowUpNone},
		}},
	}})
	m := &listed{clock: clock}
	field := &fieldwork.Service{Store: s, Moderator: m}
	hold := func(decisions []interview.Decision, answers ...string) {
		t.Helper()
		m.next = decisions
		token, view, err := field.Start(t.Context(), st.LinkID, "", "")
		for _, answer := range answers {
			if err != nil {
				t.Fatal(err)
			}
			view, err = field.Answer(t.Context(), token, view.Step.ID, interview.Answer{Text: answer})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	model := func(d interview.Decision) interview.Decision {
		d.Provider, d.Model, d.PromptTokens, d.CompletionTokens, d.MicroCost = "models.example", "m-1", 100, 10, 7
		return d
	}
	refused := interview.Attempt{Words: "Isn't it?", Violations: []interview.Violation{{Kind: "leading"}, {Kind: "several_questions"}}}
	hold([]interview.Decision{
		model(interview.Decision{Words: "What happened when you last chose apples?", Kind: interview.Idiographic, FirstWords: time.Second, Took: 2 * time.Second}),
		model(interview.Decision{Words: "What happened when you last chose apples?", Kind: interview.Descriptive, Attempts: []interview.Attempt{refused}, FirstWords: 3 * time.Second, Took: 4 * time.Second}),
	}, "Because these apples are crisp.", "I stood in the market and compared colours.", "asdfgh qwertz", "", "At the market.")
	hold([]interview.Decision{
		model(interview.Decision{Words: "Don't you think that these apples are great?", Kind: interview.Clarifying, Fallback: interview.FallbackGuard, Attempts: []interview.Attempt{refused, refused}, Took: 6 * time.Second}),
		{Provider: interview.BuiltIn, Took: 0},
	}, "The colours.", "Nobody asked me before.")
	hold(nil)

	st, err := s.View().OperatorStudy(t.Context(), st.ID)
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	report, err := maintenance.ReportModeration(t.Context(), s, st, func(done, total int) {
		if read = done; total != 3 {
			t.Errorf("of %d", total)
		}
	})
	if err != nil || read != 3 {
		t.Fatalf("read %d, %v", read, err)
	}
	for _, d := range []*time.Duration{&report.Wait.P50, &report.Wait.P95} {
		*d = d.Round(time.Second) // each commit is a microsecond after the previous one
	}
	want := maintenance.ModerationReport{
		Responses: 3, Complete: 1, InProgress: 2,
		Questions: []maintenance.QuestionReport{
			{
				Number: 1, ID: "why", Text: "Why do you choose these apples?", Type: guide.OpenEnded, Asked: 3, Answered: 2, Skipped: 1,
				Words: 21, OnSubject: 15, FollowUps: 3, Kinds: map[interview.ProbeKind]int{interview.Idiographic: 1, interview.Descriptive: 1, interview.Clarifying: 1},
			},
			{Number: 3, ID: "where", Text: "Where do you buy them?", Type: guide.OpenEnded, Asked: 1, Answered: 1, Words: 3, Kinds: map[interview.ProbeKind]int{}},
		},
		FollowUps: 3, Declined: 1,
		Kinds:   map[interview.ProbeKind]int{interview.Idiographic: 1, interview.Descriptive: 1, interview.Clarifying: 1},
		Sources: map[string]int{"m-1": 2, interview.BuiltIn: 1}, Violations: report.Violations,
		Refused: map[string]int{"leading": 3, "several_questions": 3}, Fallbacks: map[string]int{interview.FallbackGuard: 1},
		Wait:         maintenance.Spread{Count: 4, P50: 2 * time.Second, P95: 6 * time.Second},
		FirstWords:   maintenance.Spread{Count: 2, P50: time.Second, P95: 3 * time.Second},
		PromptTokens: 300, CompletionTokens: 30, MicroCost: 21,
	}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("the report (-want +got):\n%s", diff)
	}
	if report.Repeats() != 1 || report.Leading() != 1 || report.Unclear() != 0 || report.Violations[guardrail.Repeat] != 1 {
		t.Errorf("the guard says %v", report.Violations)
	}
	empty, err := maintenance.ReportModeration(t.Context(), s, storetest.Study(t, s, st.OrgID, "", ""), func(int, int) {})
	if err != nil || empty.Responses != 0 || empty.Wait != (maintenance.Spread{}) {
		t.Errorf("of a study without responses: %+v, %v", empty, err)
	}
}

// listed is a moderator with prepared decisions, each of which takes its time. It declines when none are left.
type listed struct {
	clock *storetest.Clock
	next  []interview.Decision
}

func (m *listed) Decide(context.Context, interview.Ask) interview.Decision {
	if len(m.next) == 0 {
		return interview.Decision{Provider: interview.BuiltIn}
	}
	d := m.next[0]
	m.next = m.next[1:]
	m.clock.Advance(d.Took)
	return d
}
