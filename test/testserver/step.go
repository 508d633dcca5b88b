package testserver

// Step holds the fields of an interview's step that the suites read.
type Step struct {
	StepID, Kind string
	Question     *struct {
		Type    string
		Options []struct{ ID string }
	}
}

// Ended reports whether the interview is over.
func (s Step) Ended() bool { return s.Kind == "complete" || s.Kind == "screened_out" }

// Open reports whether the step is answered by a text.
func (s Step) Open() bool {
	return s.Kind == "follow_up" || s.Question != nil && s.Question.Type == "open_ended"
}

// Answer returns an answer to the step: the text if it is open, else the first options.
func (s Step) Answer(text string) map[string]any {
	answer := map[string]any{"stepId": s.StepID}
	switch {
	case s.Open():
		answer["text"] = text
	case s.Question.Type == "multiple_choice":
		answer["selected"] = []string{s.Question.Options[0].ID}
	case s.Question.Type == "max_diff":
		answer["best"], answer["worst"] = s.Question.Options[0].ID, s.Question.Options[1].ID
	}
	return answer
}
