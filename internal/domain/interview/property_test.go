package interview_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
)

// record is everything that a state returns.
type record struct {
	Next      interview.Step
	Exchanges []interview.Exchange
	Answers   []interview.Answered
}

func recordOf(s *interview.State) record { return record{s.Next(), s.Exchanges(), s.Answers()} }

// TestAnyInterview plays valid answers through random guides and checks what must be true of every interview: a valid answer
// to every question is accepted, wrong inputs change nothing, progress only grows, the log leads to every step again, the
// visited items are those of the rules, and it ends.
func TestAnyInterview(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := guidetest.Guide(t)
		seed := rapid.Uint64().Draw(t, "seed")
		params := rapid.MapOf(rapid.SampledFrom([]string{"p", "q"}), rapid.SampledFrom([]string{"", "1", "2"})).Draw(t, "params")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "answers"), 0))
		plan := interview.NewPlan(g)
		s := plan.Begin(seed, params)
		shown := []interview.Step{s.Next()}
		var turns []interview.Turn
		for step := shown[0]; !step.Ended(); step = s.Next() {
			if len(turns) > 10_000 {
				t.Fatal("the interview does not end")
			}
			in := anyInput(step, rng)
			refuseAll(t, s, spoil(step, in, rng))
			turn, err := s.Apply(in, time.UnixMicro(int64(len(turns))))
			if err != nil {
				t.Fatalf("%+v is refused at %+v: %v", in, step, err)
			}
			turns = append(turns, turn)
			next := s.Next()
			checkProgress(t, step, next)
			shown = append(shown, next)
		}
		replayed := plan.Begin(seed, params)
		for i, step := range shown {
			var err error
			if replayed, err = interview.NewPlan(g).Replay(seed, params, turns[:i]); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(step, replayed.Next()); diff != "" {
				t.Fatalf("after %d turns the replay stands elsewhere: %s", i, diff)
			}
		}
		if diff := cmp.Diff(recordOf(s), recordOf(replayed)); diff != "" {
			t.Fatal("the replay differs: ", diff)
		}
		checkVisited(t, g, params, turns, s)
	})
}

func refuseAll(t *rapid.T, s *interview.State, wrong []interview.Input) {
	before := recordOf(s)
	for _, in := range wrong {
		_, err := s.Apply(in, time.Time{})
		var unfit *interview.AnswerError
		if !errors.As(err, &unfit) && !errors.Is(err, interview.ErrStaleStep) && !errors.Is(err, interview.ErrNotThisStep) &&
			!errors.Is(err, interview.ErrNoWords) {
			t.Fatalf("%+v is taken at %+v: %v", in, before.Next, err)
		}
		if unfit != nil && (len(unfit.Issues) == 0 || unfit.Error() == "") {
			t.Fatalf("%+v is refused for nothing", in)
		}
	}
	if diff := cmp.Diff(before, recordOf(s)); diff != "" {
		t.Fatal("a refused input changed the interview: ", diff)
	}
}

func checkProgress(t *rapid.T, before, after interview.Step) {
	was, is := before.Progress, after.Progress
	switch {
	case is.Done < was.Done || is.Done > was.Done+1:
		t.Fatalf("done went from %d to %d", was.Done, is.Done)
	case is.Total > was.Total:
		t.Fatalf("the total grew from %d to %d", was.Total, is.Total)
	case is.Share() < was.Share() || is.Share() == was.Share() && after.Kind != interview.StepProbe && before.Kind != interview.StepProbe:
		t.Fatalf("the share done went from %v to %v", was.Share(), is.Share())
	case after.Ended() != (is.Done == is.Total):
		t.Fatalf("%s at %d of %d", after.Kind, is.Done, is.Total)
	}
}

// TestOrderSurvivesEdits checks that the order of an item's options does not depend on anything else in the guide.
func TestOrderSurvivesEdits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := guidetest.Guide(t)
		seed := rapid.Uint64().Draw(t, "seed")
		orders := func() map[string][]string {
			s := interview.NewPlan(g).Begin(seed, nil)
			rng := rand.New(rand.NewPCG(seed, 0))
			orders := map[string][]string{}
			for step := s.Next(); !step.Ended(); step = s.Next() {
				if step.Kind == interview.StepQuestion && step.Item.CarryForwardFrom == "" {
					key := step.Item.ID
					if step.Concept != nil {
						key += step.Concept.ID
					}
					for _, option := range step.Options {
						orders[key] = append(orders[key], option.ID)
					}
				}
				if _, err := s.Apply(anyInput(step, rng), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			return orders
		}
		before := orders()
		edited := *g
		edited.Blocks = append(edited.Blocks[:0:0], guidetest.Rich().Blocks[1])
		edited.Blocks = append(edited.Blocks, g.Blocks...)
		g = &edited
		for key, order := range orders() {
			if was, found := before[key]; found {
				if diff := cmp.Diff(was, order); diff != "" {
					t.Fatalf("%s is ordered otherwise: %s", key, diff)
				}
			}
		}
	})
}
