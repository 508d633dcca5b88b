package response

import (
	"errors"
	"time"

	"verbatim/internal/domain/evidence"
)

// Errors of response lookups.
var (
	ErrNotFound = errors.New("response not found")
	ErrGone     = errors.New("the response was deleted")
)

// Objects is the prefix of the names of the responses' objects: those of each response are in a folder below it that is
// named by the response's id.
const Objects = "responses/"

// Progress is the stage that a response has reached, in the words of the contract.
type Progress string

// The values of the contract. An abandoned interview stays in progress.
const (
	InProgress  Progress = "in_progress"
	Complete    Progress = "complete"
	ScreenedOut Progress = "screened_out"
)

// Response is one interview. The turns are stored beside it.
type Response struct {
	ID         string // UUID
	OrgID      string
	StudyID    string
	Revision   int // of the study's guide that this interview uses
	ReadableID int // 1, 2, ... within the study
	Seed       uint64
	Language   string
	URLParams  map[string]string // all that were stored, those of the service (leading _) included; see VisibleParams
	Progress   Progress
	Abandoned  bool // closed after a long silence; its hold is released, and placed again if the interview continues
	Hidden     bool
	TurnCount  int           // compare-and-set version of the log
	Duration   time.Duration // from the first step shown to the last answer
	CreatedAt  time.Time
	UpdatedAt  time.Time // time of the last answer, then of the completed analysis; never repeated within a study
	EndedAt    time.Time // zero until it ends

	DisclosedAt time.Time // when the participant was informed that an AI moderates
	ConsentedAt time.Time // when the participant agreed to begin
	ConsentHash string    // of the text that the participant agreed to last; empty: the study has none
}

// Analysis is the written analysis of a finished response. Every part is empty if nothing was found.
type Analysis struct {
	Summary                string
	Tagline                string
	Bullets                []string
	Tags                   []string
	ShortTranscript        string
	ShortAssistantMessages []string
	OtherRemarks           string
	Personas               string
	Quality                Quality
	Provider               string // who wrote it: "builtin", or the host of a model
	CompletedAt            time.Time

	Claims   []Claim         // the statements made above, each with its evidence
	Authors  map[Part]Author // who wrote which part; an empty part has none
	Fallback string          // why the built-in analyst wrote all of it instead of a model; empty if it did not
}

// Part names a part of an analysis.
type Part string

// The parts of an analysis.
const (
	PartSummary         Part = "summary"
	PartTagline         Part = "tagline"
	PartBullets         Part = "bullets"
	PartTags            Part = "tags"
	PartPersonas        Part = "personas"
	PartOtherRemarks    Part = "otherRemarks"
	PartShortTranscript Part = "shortTranscript"
	PartQuality         Part = "quality"
)

// Author names the writer of a part: Provider is "builtin" or the host of a model; for a model, Model and Prompt are its name and
// the version of its prompts.
type Author struct {
	Provider string
	Model    string
	Prompt   string
}

// Claim is one statement of an analysis.
type Claim struct {
	Part  Part
	Text  string
	Spans []evidence.Span // the evidence; empty if the claim was only counted

	// Verified reports that each span covers words that the claim quotes, or answers that it repeats letter for letter. A
	// claim that is not verified relies on its author.
	Verified bool
}

// Quality is a score from 1 to 5 in halves, with the parts that it is made of.
type Quality struct {
	Score float64
	Parts []QualityPart
}

// QualityPart is one reason behind a score.
type QualityPart struct {
	Name   string  // for example effort
	Score  float64 // 1 to 5
	Reason string  // a sentence or two for a researcher
	Rows   []int   // of the transcript: the rows that the reason refers to
}

// VisibleParams returns the parameters that researchers see: those whose names do not start with an underscore.
func (r *Response) VisibleParams() map[string]string {
	visible := make(map[string]string, len(r.URLParams))
	for name, value := range r.URLParams {
		if name != "" && name[0] != '_' {
			visible[name] = value
		}
	}
	return visible
}

// DeletionStatus is the progress of a deletion.
type DeletionStatus string

// The values of the contract.
const (
	DeletionQueued    DeletionStatus = "queued"
	DeletionRunning   DeletionStatus = "running"
	DeletionCompleted DeletionStatus = "completed"
	DeletionFailed    DeletionStatus = "failed"
)

// Deletion is the durable receipt of a deletion. It outlives the response.
type Deletion struct {
	ID          string
	OrgID       string
	StudyID     string
	ResponseID  string
	Status      DeletionStatus
	RequestedAt time.Time
	CompletedAt time.Time // zero until it is completed
}

// ErrNoDeletion reports that no deletion has the id.
var ErrNoDeletion = errors.New("deletion not found")

// ErrMoved reports that another request appended to the interview's log first.
var ErrMoved = errors.New("the interview has moved on")
