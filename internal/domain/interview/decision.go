package interview

import "time"

// ProbeKind is what a follow-up asks for.
type ProbeKind string

// The kinds of follow-ups.
const (
	Clarifying  ProbeKind = "clarifying"  // what was meant
	Descriptive ProbeKind = "descriptive" // what happened, and how
	Idiographic ProbeKind = "idiographic" // one particular occasion of the participant's own
	Explanatory ProbeKind = "explanatory" // why
)

// ProbeKinds are all kinds, from the one that asks least of the participant to the one that asks most.
var ProbeKinds = []ProbeKind{Clarifying, Descriptive, Idiographic, Explanatory}

// BuiltIn is the provider of what rules wrote.
const BuiltIn = "builtin"

// Decision is what a moderator decided when a follow-up was due, and how it came to that. It is kept beside the turn that
// it led to, as long as the response is.
type Decision struct {
	Words    string    // of the follow-up; empty when none is asked
	Kind     ProbeKind // of the follow-up; empty when none is asked
	Reason   string    // why this one, or none, in the moderator's words
	Provider string    // who was asked: BuiltIn, or the service of a model; with a Fallback, BuiltIn decided after it
	Model    string    // as its service names it; empty for BuiltIn

	// Of the model, whoever decided in the end. All are zero where none was asked.
	Prompt           string        // name and version of the prompt, as probe-1
	PromptHash       string        // SHA-256 of its text, in hexadecimal
	Seed             uint64        // that the model was given
	Attempts         []Attempt     // what the model said, in order
	Fallback         string        // why the model's word was not taken: refused, or what failed; empty when it was
	FirstWords       time.Duration // until the first of its words could be shown
	PromptTokens     int64
	CompletionTokens int64
	MicroCost        int64 // in millionths of the operator's currency

	Took time.Duration
}

// Why a model's word was not taken.
const (
	FellRefused     = "refused"     // the guard refused what it said, twice
	FellLate        = "late"        // it took longer than a participant waits
	FellUnavailable = "unavailable" // it could not be reached, or failed
	FellShape       = "shape"       // its answer was not what it was asked for
	FellDenied      = "denied"      // it would not answer
	FellCeiling     = "ceiling"     // what may be spent is spent
	FellLost        = "lost"        // the server that asked it died, and it is not paid twice
)

// Attempt is one answer of a model's about a follow-up.
type Attempt struct {
	Words      string // that it would have asked; empty when it would have asked nothing
	Kind       ProbeKind
	Reason     string
	Violations []Violation // of the guard; none when it had nothing against the words
}

// Fault is something that the guard has against a follow-up.
type Violation struct {
	Kind   string
	Detail string
}

// Source is who decided in the end, as it is kept with a turn: BuiltIn, or the model's name.
func (d *Decision) Source() string {
	switch {
	case d.Fallback != "":
		return BuiltIn
	case d.Model != "":
		return d.Model
	}
	return d.Provider
}
