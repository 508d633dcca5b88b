package interview

import (
	"time"

	"verbatim/internal/domain/guide"
)

// TurnKind names what a turn records.
type TurnKind string

// The kinds of turns. Answer, Continue and Reply come from the participant; Probe and Decline come from the moderator.
const (
	TurnAnswer   TurnKind = "answer"   // a question was answered; one MaxDiff screen is one turn
	TurnContinue TurnKind = "continue" // a statement was read
	TurnProbe    TurnKind = "probe"    // the moderator asked the follow-up in Turn.Probe
	TurnDecline  TurnKind = "decline"  // the moderator had no follow-up to ask; the question is closed
	TurnReply    TurnKind = "reply"    // a follow-up was answered
)

// Turn is one entry of an interview's log: everything that is stored of it. The log is append-only.
type Turn struct {
	StepID    string // the step that this turn answers
	Kind      TurnKind
	ItemID    string
	ConceptID string // empty outside concept blocks
	Screen    int    // zero-based MaxDiff screen; 0 otherwise
	Answer    Answer // of answers and replies
	Probe     string // of probes: the moderator's words
	Provider  string // of probes and declines: who decided, see Decision.Source; set by fieldwork
	Decided   bool   // of probes and declines: a Decision was stored with the turn; false for turns older than decisions
	At        time.Time

	// QuotaFull names the cell that was full when the turn was stored; the interview ended there. nil: none was. Only fieldwork knows it.
	QuotaFull *guide.CellRef

	// Consent is the hash of the text that the participant had agreed to, where no earlier turn names it; empty in logs of studies without one.
	// Only fieldwork knows it.
	Consent string
}

// Answer is a participant's answer to one step. Only the fields of the step's type may be set.
type Answer struct {
	Text       string            // open_ended, replies
	Selected   []string          // multiple_choice: option ids
	CustomText string            // multiple_choice: the text of the custom option, when it was chosen
	Ranking    []string          // ranking: every option id, best first
	Cells      map[string]string // matrix: row id to column id, every row
	Best       string            // max_diff: option ids of the screen, different from each other
	Worst      string
	Uploads    []string // file_upload: upload ids
	FileNames  []string // names of the uploaded files, in their order; set by fieldwork
	Recordings Recordings
	Telemetry  *Telemetry // nil if the page sent none
}

// Telemetry describes how an answer was entered, as reported by the participant's page. It is a hint, not proof, and never a
// reason to refuse an answer. Characters that were neither typed key by key nor pasted (dictation, prediction, autofill) are
// not counted.
type Telemetry struct {
	Pasted  int // characters that were pasted or dropped
	Typed   int // characters that were typed key by key
	Seconds int // from the first to the last character typed
	Blurs   int // how often the participant left the page while the step was shown
}

// Recordings holds the upload ids of an answer's recordings; each may be empty.
type Recordings struct {
	Audio, Video, ScreenVideo string
}
