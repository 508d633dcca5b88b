package interview_test

import (
	"math/rand/v2"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// anyAnswer returns a valid answer to a question, a follow-up or a statement, derived from the step alone, as a client does.
func anyAnswer(step interview.Step, rng *rand.Rand) interview.Answer {
	a := interview.Answer{}
	if rng.IntN(8) == 0 {
		a.Recordings.Video = "video"
	}
	switch {
	case step.Kind == interview.StepFollowUp, step.Item.Type == guide.OpenEnded:
		if a.Recordings.Video == "" || rng.IntN(2) == 0 {
			a.Text = []string{"x", "It depends.\n\nReally.", "茶 ☕"}[rng.IntN(3)]
		}
	case step.Item.Type == guide.MultipleChoice:
		a.Selected, a.CustomText = anyChoice(step, rng)
	case step.Item.Type == guide.Ranking:
		for _, i := range rng.Perm(len(step.Options)) {
			a.Ranking = append(a.Ranking, step.Options[i].ID)
		}
	case step.Item.Type == guide.Matrix:
		a.Cells = map[string]string{}
		for _, row := range step.Item.Rows {
			a.Cells[row.ID] = step.Options[rng.IntN(len(step.Options))].ID
		}
	case step.Item.Type == guide.MaxDiff:
		picks := rng.Perm(len(step.Options))
		a.Best, a.Worst = step.Options[picks[0]].ID, step.Options[picks[1]].ID
	case step.Item.Type == guide.FileUpload:
		a.Uploads = []string{"u1", "u2"}[:1+rng.IntN(2)]
	}
	return a
}

func anyChoice(step interview.Step, rng *rand.Rand) (selected []string, custom string) {
	if step.Item.AllowCustomOption && rng.IntN(3) == 0 {
		custom = []string{"Mine", "Yours"}[rng.IntN(2)]
	}
	if !step.Item.MultiSelect {
		if custom == "" {
			selected = []string{step.Options[rng.IntN(len(step.Options))].ID}
		}
		return selected, custom
	}
	var together []string
	for _, i := range rng.Perm(len(step.Options)) {
		if option := step.Options[i]; !option.Exclusive {
			together = append(together, option.ID)
		} else if rng.IntN(4) == 0 || len(step.Options) == 1 {
			return []string{option.ID}, ""
		}
	}
	least, limit := max(step.MinSelect, 1), step.MaxSelect
	if limit == 0 {
		limit = len(together) + 1
	}
	if custom != "" {
		least, limit = least-1, limit-1
	}
	limit = min(limit, len(together))
	return together[:least+rng.IntN(limit-least+1)], custom
}

// anyInput returns a valid input to any step of a running interview.
func anyInput(step interview.Step, rng *rand.Rand) interview.Input {
	switch {
	case step.Kind != interview.StepProbe:
		return interview.Submit{StepID: step.ID, Answer: anyAnswer(step, rng)}
	case rng.IntN(3) == 0:
		return interview.Decline{StepID: step.ID}
	}
	return interview.Probe{StepID: step.ID, Words: "And then?"}
}

// spoil makes inputs that the step must refuse from a valid one.
func spoil(step interview.Step, in interview.Input, rng *rand.Rand) []interview.Input {
	stale := "s" + step.ID
	submit, participant := in.(interview.Submit)
	if !participant {
		return []interview.Input{
			interview.Probe{StepID: step.ID, Words: "\t"},
			interview.Probe{StepID: stale, Words: "Why?"},
			interview.Decline{StepID: stale},
			interview.Submit{StepID: step.ID, Answer: interview.Answer{Text: "too early"}},
		}
	}
	wrong := []interview.Input{
		interview.Probe{StepID: step.ID, Words: "Why?"},
		interview.Decline{StepID: step.ID},
		interview.Submit{StepID: stale, Answer: submit.Answer},
	}
	add := func(change func(a *interview.Answer)) {
		changed := submit.Answer
		change(&changed)
		wrong = append(wrong, interview.Submit{StepID: step.ID, Answer: changed})
	}
	itemType := step.Item.Type
	if step.Kind == interview.StepFollowUp {
		itemType = guide.OpenEnded
	}
	longer := func(list []string, id string) []string { return append(append([]string(nil), list...), id) }
	if itemType == guide.OpenEnded {
		add(func(a *interview.Answer) { a.Text, a.Recordings = " ", interview.Recordings{} })
		add(func(a *interview.Answer) { a.Text = string(make([]byte, interview.MaxText+1)) })
	} else {
		add(func(a *interview.Answer) { a.Text = "x" })
	}
	add(func(a *interview.Answer) { a.Selected = longer(a.Selected, "nobody's") })
	add(func(a *interview.Answer) { a.Ranking = longer(a.Ranking, "nobody's") })
	add(func(a *interview.Answer) { a.Best = "nobody's" })
	add(func(a *interview.Answer) { a.Cells = map[string]string{"r9": "x"} })
	if itemType != guide.Statement && itemType != guide.OpenEnded {
		add(func(a *interview.Answer) { *a = interview.Answer{Recordings: a.Recordings} })
	}
	if len(submit.Answer.Ranking) > 0 {
		add(func(a *interview.Answer) { a.Ranking = a.Ranking[1:] })
		add(func(a *interview.Answer) { a.Ranking = longer(a.Ranking[1:], a.Ranking[rng.IntN(len(a.Ranking)-1)+1]) })
	}
	if itemType == guide.MaxDiff {
		add(func(a *interview.Answer) { a.Worst = a.Best })
	}
	if step.MaxSelect > 0 && step.MaxSelect < len(step.Options) {
		add(func(a *interview.Answer) {
			a.Selected = nil
			for _, option := range step.Options {
				a.Selected = append(a.Selected, option.ID)
			}
		})
	}
	return wrong
}

// playOn applies valid inputs until the interview ends, and returns the turns.
func playOn(s *interview.State, rng *rand.Rand) ([]interview.Turn, error) {
	var turns []interview.Turn
	for step := s.Next(); !step.Ended(); step = s.Next() {
		turn, err := s.Apply(anyInput(step, rng), time.UnixMicro(int64(len(turns))))
		if err != nil {
			return nil, err
		}
		turns = append(turns, turn)
	}
	return turns, nil
}
