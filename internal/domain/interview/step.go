package interview

import (
	"verbatim/internal/domain/guide"
)

// StepKind names what an interview waits for.
type StepKind string

// The kinds of steps. StepProbe waits for the moderator: the participant never sees it.
const (
	StepQuestion    StepKind = "question"
	StepFollowUp    StepKind = "follow_up"
	StepStatement   StepKind = "statement"
	StepScreenedOut StepKind = "screened_out"
	StepComplete    StepKind = "complete"
	StepProbe       StepKind = "probe" // a follow-up is due: the moderator finds its words, or declines
)

// Step is the point where an interview stands. Fields that do not apply are zero.
type Step struct {
	ID      string // the same for the same place in the same log
	Kind    StepKind
	Item    *guide.Item    // nil at the end
	Concept *guide.Concept // nil outside concept blocks
	Number  int            // the item's question number, 1-based
	Words   string         // what the moderator says: the item's text, or the follow-up's words

	Options              []guide.Option // as shown: in this participant's order, carried forward, or of this MaxDiff screen
	MinSelect, MaxSelect int            // in effect for this step; 0 when there is no bound
	Screen, Screens      int            // MaxDiff: zero-based screen and number of screens; Screens is 0 otherwise
	FollowUps            int            // follow-ups already asked about this item and concept

	Progress Progress

	// QuotaFull names the full cell for which the participant was screened out; nil otherwise.
	QuotaFull *guide.CellRef
}

// Progress counts items: those completed, and those that this participant will visit as far as is known now.
type Progress struct {
	Done, Total int

	// Within is the part of the open item that is done, from 0 to less than 1: it grows with each screen of a MaxDiff and each
	// follow-up.
	Within float64
}

// Share returns the part of the interview that is done, from 0 to 1. It never shrinks.
func (p Progress) Share() float64 {
	if p.Total == 0 {
		return 1
	}
	return (float64(p.Done) + p.Within) / float64(p.Total)
}

// Ended reports whether the interview is over.
func (s Step) Ended() bool { return s.Kind == StepScreenedOut || s.Kind == StepComplete }
