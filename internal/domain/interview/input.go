package interview

import (
	"errors"
	"fmt"

	"verbatim/internal/domain/strictjson"
)

// Input is what may be done at a step: Submit by the participant, Probe or Decline by the moderator.
type Input interface {
	stepID() string
}

// Submit gives the participant's answer to a question or a follow-up, or goes on from a statement with an empty answer.
type Submit struct {
	StepID string
	Answer Answer
}

// Probe asks a follow-up in the moderator's words.
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

// Errors that Apply gives, beside *AnswerError.
var (
	// ErrStaleStep says that the interview does not stand at the input's step.
	ErrStaleStep = errors.New("the interview stands at another step")
	// ErrNotThisStep says that the step takes no such input: an answer while the moderator's word is awaited, a
	// moderator's word while the participant's is, or anything after the end.
	ErrNotThisStep = errors.New("the step takes no such input")
	// ErrNoWords says that a probe has no words to ask.
	ErrNoWords = errors.New("a follow-up needs words")
)

// AnswerError says that an answer does not fit its step. Issues holds all its faults, at least one and at most
// strictjson.MaxIssues; their paths start at the answer, in the names of the participant's protocol.
type AnswerError struct {
	Issues []strictjson.Issue
}

// Error tells the first issue and how many there are beside it.
func (e *AnswerError) Error() string {
	if more := len(e.Issues) - 1; more > 0 {
		return fmt.Sprintf("the answer does not fit: %s (and %d more)", e.Issues[0], more)
	}
	return fmt.Sprintf("the answer does not fit: %s", e.Issues[0])
}
