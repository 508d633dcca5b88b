package interview

import (
	"errors"
	"fmt"

	"verbatim/internal/domain/strictjson"
)

// Input is an action at a step: Submit by the participant, Probe or Decline by the moderator.
type Input interface {
	stepID() string
}

// Submit answers a question or a follow-up, or continues from a statement with an empty answer.
type Submit struct {
	StepID string
	Answer Answer
}

// Probe asks a follow-up with the moderator's words.
type Probe struct {
	StepID string
	Words  string
}

// Decline closes a question without a further follow-up.
type Decline struct {
	StepID string
}

func (in Submit) stepID() string  { return in.StepID }
func (in Probe) stepID() string   { return in.StepID }
func (in Decline) stepID() string { return in.StepID }

// Errors returned by Apply, besides *AnswerError.
var (
	// ErrStaleStep is returned when the interview is not at the input's step.
	ErrStaleStep = errors.New("the interview stands at another step")
	// ErrNotThisStep is returned when the step does not accept this kind of input: an answer while the moderator is awaited,
	// a probe or decline while the participant is, or anything after the end.
	ErrNotThisStep = errors.New("the step takes no such input")
	// ErrNoWords is returned for a probe without words.
	ErrNoWords = errors.New("a follow-up needs words")
)

// AnswerError reports that an answer does not fit its step. Issues holds everything that is wrong with it, at least one
// issue and at most strictjson.MaxIssues; their paths start at the answer and use the field names of the participant's
// protocol.
type AnswerError struct {
	Issues []strictjson.Issue
}

// Error returns the first issue and the number of further ones.
func (e *AnswerError) Error() string {
	if more := len(e.Issues) - 1; more > 0 {
		return fmt.Sprintf("the answer does not fit: %s (and %d more)", e.Issues[0], more)
	}
	return fmt.Sprintf("the answer does not fit: %s", e.Issues[0])
}
