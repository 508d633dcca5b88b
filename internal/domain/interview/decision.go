package interview

import "time"

// ProbeKind names what a follow-up asks for.
type ProbeKind string

// The kinds of follow-ups.
const (
	Clarifying  ProbeKind = "clarifying"  // what was meant
	Descriptive ProbeKind = "descriptive" // what happened, and how
	Idiographic ProbeKind = "idiographic" // one occasion that the participant lived through
	Explanatory ProbeKind = "explanatory" // why
)

// ProbeKinds lists all kinds, from the one that demands least of the participant to the one that demands most.
var ProbeKinds = []ProbeKind{Clarifying, Descriptive, Idiographic, Explanatory}

// BuiltIn is the provider of words that were written by rules, without a model.
const BuiltIn = "builtin"

// Decision records what a moderator decided when a follow-up was due, and how it came to that. It is stored with the turn
// that it led to, and is deleted with the response.
type Decision struct {
	Words    string    // of the follow-up; empty when none is asked
	Kind     ProbeKind // of the follow-up; empty when none is asked
	Reason   string    // why this one, or none, in the moderator's words
	Provider string    // the one asked: BuiltIn, or the service of a model; with a Fallback, BuiltIn decided after it
	Model    string    // the name its service gives it; empty for BuiltIn

	// The fields below describe the model's work, whoever decided in the end. All are zero if no model was asked.
	Prompt           string        // name and version of the prompt, such as probe-1
	PromptHash       string        // SHA-256 of its text, in hexadecimal
	Seed             uint64        // given to the model
	Attempts         []Attempt     // the model's answers, in order
	Fallback         string        // one of the Fallback constants: why the model's words were not used; empty when they were
	FirstWords       time.Duration // time until the first of its words could be shown
	PromptTokens     int64
	CompletionTokens int64
	MicroCost        int64 // in millionths of the operator's currency

	Took time.Duration
}

// The reasons why a model's words were not used.
const (
	FallbackGuard        = "refused"     // the guard refused its words twice
	FallbackTimeout      = "late"        // it took longer than a participant is made to wait
	FallbackUnavailable  = "unavailable" // it could not be reached, or failed
	FallbackMalformed    = "shape"       // its answer did not have the required form
	FallbackModelRefused = "denied"      // it refused to answer
	FallbackCeiling      = "ceiling"     // a spending limit was reached
	FallbackServerDied   = "lost"        // the server that asked it died; it is not asked, and paid, twice
)

// Attempt is one answer of a model to the request for a follow-up.
type Attempt struct {
	Words      string // the question it would ask; empty when it would ask none
	Kind       ProbeKind
	Reason     string
	Violations []Violation // found by the guard; empty when it accepts the words
}

// Violation is one objection of the guard to a follow-up.
type Violation struct {
	Kind   string
	Detail string
}

// Source names who decided in the end, as it is stored with the turn: BuiltIn, or the model's name.
func (d *Decision) Source() string {
	switch {
	case d.Fallback != "":
		return BuiltIn
	case d.Model != "":
		return d.Model
	}
	return d.Provider
}
