package interview_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/strictjson"
)

// flat returns a plan of one block.
func flat(items ...guide.Item) *interview.Plan {
	return interview.NewPlan(&guide.Guide{Blocks: []guide.Block{{ID: "block", Type: guide.BlockFlat, Items: items}}})
}

func letters(ids string) (options []guide.Option) {
	for id := range strings.SplitSeq(ids, "") {
		options = append(options, guide.Option{ID: id, Text: strings.ToUpper(id)})
	}
	return options
}

func TestReplayNamesTheTurnThatDoesNotFit(t *testing.T) {
	t.Parallel()
	plan := interview.NewPlan(guidetest.Rich())
	turns := richLog(t, plan)
	for name, test := range map[string]struct {
		change func(turn *interview.Turn)
		want   error
	}{
		"step":    {func(turn *interview.Turn) { turn.StepID = "s7" }, interview.ErrStaleStep},
		"kind":    {func(turn *interview.Turn) { turn.Kind = interview.TurnReply }, interview.ErrNotThisStep},
		"no kind": {func(turn *interview.Turn) { turn.Kind = "" }, interview.ErrNotThisStep},
		"probe":   {func(turn *interview.Turn) { turn.Kind = interview.TurnProbe }, interview.ErrNotThisStep},
		"item":    {func(turn *interview.Turn) { turn.ItemID = "another" }, interview.ErrNotThisStep},
		"concept": {func(turn *interview.Turn) { turn.ConceptID = "another" }, interview.ErrNotThisStep},
		"screen":  {func(turn *interview.Turn) { turn.Screen = 1 }, interview.ErrNotThisStep},
		"answer":  {func(turn *interview.Turn) { turn.Answer.Uploads = []string{"u"} }, nil}, // an *AnswerError
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := append([]interview.Turn(nil), turns...)
			test.change(&log[1])
			s, err := plan.Replay(1, nil, log)
			if _, unfit := errors.AsType[*interview.AnswerError](err); unfit != (test.want == nil) || !unfit && !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if s != nil || err == nil || !strings.HasPrefix(err.Error(), "turn 2 ") {
				t.Errorf("state %v, error %v: it does not name turn 2", s, err)
			}
		})
	}
	if _, err := plan.Replay(1, nil, append(turns, turns[0])); err == nil || !errors.Is(err, interview.ErrStaleStep) {
		t.Errorf("a turn after the end: error %v", err)
	}
}

// richLog plays the sample guide to a complete end.
func richLog(t testing.TB, plan *interview.Plan) []interview.Turn {
	t.Helper()
	for answers := range uint64(100) {
		s := plan.Begin(1, nil)
		turns, err := playOn(s, rand.New(rand.NewPCG(answers, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if s.Next().Kind == interview.StepComplete {
			return turns
		}
	}
	t.Fatal("every interview is screened out")
	return nil
}

func TestTextLimit(t *testing.T) {
	t.Parallel()
	plan := flat(guide.Item{ID: "q", Type: guide.OpenEnded, FollowUp: guide.FollowUpNone},
		guide.Item{ID: "c", Type: guide.MultipleChoice, Options: letters("ab"), AllowCustomOption: true})
	s := plan.Begin(0, nil)
	longest, custom := strings.Repeat("茶", interview.MaxText), strings.Repeat("茶", interview.MaxCustomText)
	if _, err := s.Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{Text: longest + "!"}}, time.Time{}); !hasIssue(err, "text") {
		t.Errorf("a text too long: %v", err)
	}
	if _, err := s.Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{Text: longest}}, time.Time{}); err != nil {
		t.Error(err)
	}
	if _, err := s.Apply(interview.Submit{StepID: "s1", Answer: interview.Answer{CustomText: custom + "!"}}, time.Time{}); !hasIssue(err, "customText") {
		t.Errorf("a custom text too long: %v", err)
	}
	if _, err := s.Apply(interview.Submit{StepID: "s1", Answer: interview.Answer{CustomText: custom}}, time.Time{}); err != nil {
		t.Error(err)
	}
}

// hasIssue reports whether an answer was refused only because one field was too big.
func hasIssue(err error, field string) bool {
	var unfit *interview.AnswerError
	return errors.As(err, &unfit) && len(unfit.Issues) == 1 && unfit.Issues[0].Code == strictjson.TooBig &&
		cmp.Equal(unfit.Issues[0].Path, []string{field})
}

// TestIssuesAreBounded checks that however wrong an answer is, the error and what it quotes are bounded.
func TestIssuesAreBounded(t *testing.T) {
	t.Parallel()
	s := flat(guide.Item{ID: "c", Type: guide.MultipleChoice, Options: letters("ab")}).Begin(0, nil)
	unknown := make([]string, 1000)
	for i := range unknown {
		unknown[i] = strings.Repeat("é", 1000)
	}
	_, err := s.Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{Selected: unknown}}, time.Time{})
	var unfit *interview.AnswerError
	if !errors.As(err, &unfit) || len(unfit.Issues) != strictjson.MaxIssues {
		t.Fatalf("error %v", err)
	}
	if want := strings.Repeat("é", 80) + "…"; unfit.Issues[0].Received != want {
		t.Errorf("received %q", unfit.Issues[0].Received)
	}
	if !strings.Contains(err.Error(), "(and 99 more)") {
		t.Errorf("error %q", err)
	}
}

// TestReferencesToNothing checks that a plan of an invalid guide is safe: what does not exist selects nothing.
func TestReferencesToNothing(t *testing.T) {
	t.Parallel()
	about := func(matching guide.Matching) *guide.Conditional {
		return &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{
			Type: guide.SelectedTemplateOptions, QuestionID: "nowhere", Matching: matching, Choices: []string{"a"},
		}}}
	}
	s := flat(
		guide.Item{ID: "carried", Type: guide.Ranking, CarryForwardFrom: "nowhere"},
		guide.Item{ID: "must", Type: guide.Statement, Conditional: about(guide.MustSelect)},
		guide.Item{ID: "must-not", Type: guide.Statement, Conditional: about(guide.MustNotSelect)},
	).Begin(0, nil)
	if step := s.Next(); step.Item.ID != "must-not" || step.Progress != (interview.Progress{Total: 1}) {
		t.Errorf("step %+v", step)
	}
	if step := interview.NewPlan(&guide.Guide{}).Begin(0, nil).Next(); step.Kind != interview.StepComplete || step.ID != "s0" {
		t.Errorf("an empty guide: %+v", step)
	}
}

func TestTurnsHavePlaceAndTime(t *testing.T) {
	t.Parallel()
	g := guidetest.Rich()
	plan := interview.NewPlan(g)
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	s := plan.Begin(1, nil)
	step := s.Next()
	answer := anyAnswer(step, rand.New(rand.NewPCG(1, 1)))
	turn, err := s.Apply(interview.Submit{StepID: step.ID, Answer: answer}, at)
	if err != nil {
		t.Fatal(err)
	}
	want := interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: step.Item.ID, Answer: answer, At: at}
	if diff := cmp.Diff(want, turn); diff != "" {
		t.Error(diff)
	}
	if step.Item != &g.Blocks[0].Items[0] {
		t.Error("the step's item is not the guide's")
	}
}

// TestCarriedIDsStayUnique checks that custom options of several concepts never share an id, even if an author chose ids
// that look like theirs.
func TestCarriedIDsStayUnique(t *testing.T) {
	t.Parallel()
	plan := interview.NewPlan(&guide.Guide{Blocks: []guide.Block{
		{
			ID: "b1", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{ID: "x"}, {ID: "y"}}},
			Items: []guide.Item{{ID: "q", Type: guide.MultipleChoice, MultiSelect: true, AllowCustomOption: true, Options: []guide.Option{
				{ID: "other:q", Text: "A"}, {ID: "other:q:x", Text: "B"}, {ID: "other:q:y", Text: "C"},
			}}},
		},
		{ID: "b2", Type: guide.BlockFlat, Items: []guide.Item{{ID: "r", Type: guide.Ranking, CarryForwardFrom: "q"}}},
	}})
	s := plan.Begin(0, nil)
	for _, custom := range []string{"Mine", "Yours"} {
		answer := interview.Answer{Selected: []string{"other:q", "other:q:x", "other:q:y"}, CustomText: custom}
		if _, err := s.Apply(interview.Submit{StepID: s.Next().ID, Answer: answer}, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	ids, texts := map[string]bool{}, map[string]bool{}
	for _, option := range s.Next().Options {
		ids[option.ID], texts[option.Text] = true, true
	}
	if len(ids) != 5 || len(texts) != 5 {
		t.Errorf("options %+v", s.Next().Options)
	}
}

// TestPlanIsShared runs several interviews of one plan at once, for the race detector.
func TestPlanIsShared(t *testing.T) {
	t.Parallel()
	plan := interview.NewPlan(guidetest.Rich())
	var group sync.WaitGroup
	for seed := range uint64(8) {
		group.Go(func() {
			if _, err := playOn(plan.Begin(seed, nil), rand.New(rand.NewPCG(seed, 0))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
