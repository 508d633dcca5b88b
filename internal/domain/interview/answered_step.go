package interview

import (
	"maps"
	"slices"
)

// AnsweredStep is a step as it was shown, with the answer that it was given. Its Progress is not set.
type AnsweredStep struct {
	Step
	Answer Answer
}

// Answered returns the step with an id and its answer, and whether it was answered.
func (s *State) Answered(stepID string) (step AnsweredStep, found bool) {
	for _, v := range slices.Backward(s.visits) {
		for i := range v.stepIDs {
			if v.stepIDs[i] == stepID {
				return v.answered(i), true
			}
		}
	}
	return AnsweredStep{}, false
}

// LastAnswered returns the step answered last, and whether there is one.
func (s *State) LastAnswered() (step AnsweredStep, found bool) {
	for _, v := range slices.Backward(s.visits) {
		if last := len(v.stepIDs) - 1; last >= 0 {
			return v.answered(last), true
		}
	}
	return AnsweredStep{}, false
}

// Conversation returns the answered steps of the question that is open: its own, and its follow-ups so far. It is nil at the end.
func (s *State) Conversation() (steps []AnsweredStep) {
	if s.ended != "" {
		return nil
	}
	v := s.open()
	for i := range v.stepIDs {
		steps = append(steps, v.answered(i))
	}
	return steps
}

// answered returns an answered step of a visit: the questions or screens first, then the follow-ups.
func (v *visit) answered(i int) AnsweredStep {
	if i < len(v.answers) {
		kind := StepQuestion
		if v.asksNothing() {
			kind = StepStatement
		}
		step := v.step(kind, i)
		step.ID = v.stepIDs[i]
		return AnsweredStep{step, v.answers[i]}
	}
	f := &v.followUps[i-len(v.answers)]
	step := v.step(StepFollowUp, 0)
	step.ID, step.Words = v.stepIDs[i], f.words
	return AnsweredStep{step, f.reply}
}

// Same reports whether two answers to one step say the same. What came with them does not count: telemetry, the names of files, and
// the words that were transcribed of a recording.
func (a *Answer) Same(b *Answer) bool {
	if a.Recordings != b.Recordings || a.CustomText != b.CustomText || a.Best != b.Best || a.Worst != b.Worst {
		return false
	}
	if a.Text != b.Text && (a.Recordings == Recordings{} || a.Text != "" && b.Text != "") {
		return false
	}
	selected := func(of *Answer) []string { return slices.Sorted(slices.Values(of.Selected)) }
	return slices.Equal(selected(a), selected(b)) && slices.Equal(a.Ranking, b.Ranking) && maps.Equal(a.Cells, b.Cells) && slices.Equal(a.Uploads, b.Uploads)
}
