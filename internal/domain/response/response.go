package response

import (
	"errors"
	"time"

	"verbatim/internal/domain/evidence"
)

// Errors that lookups of responses give.
var (
	ErrNotFound = errors.New("response not found")
	ErrGone     = errors.New("the response was deleted")
)

// Objects is the folder of the objects of responses: each response's are in a folder in it that is named by its id.
const Objects = "responses/"

// Progress is how far a response came, in the words of the contract.
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
	Revision   int // of the study's guide that this interview runs on
	ReadableID int // 1, 2, ... within the study
	Seed       uint64
	Language   string
	URLParams  map[string]string // all that were kept, those of the service (leading _) included; see VisibleParams
	Progress   Progress
	Abandoned  bool // swept after a long silence; its hold is released, and taken again when it goes on
	Hidden     bool
	TurnCount  int           // compare-and-set guard of the log
	Duration   time.Duration // from the first step shown to the last answer
	CreatedAt  time.Time
	UpdatedAt  time.Time // last answer, then completion of the analysis; never repeated within a study
	EndedAt    time.Time // zero while it runs

	DisclosedAt time.Time // when the participant was told that an AI moderates
	ConsentedAt time.Time // when the participant agreed to begin
}

// Analysis is what was written about a finished response. Every part is empty where nothing was found.
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

	Claims   []Claim         // what is claimed above, statement by statement, with what each rests on
	Authors  map[Part]Author // who wrote which part; a part that is empty has none
	Fallback string          // why the built-in analyst wrote it all in a model's place; empty where it did not
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

// Author is who wrote a part: the provider is "builtin" or the host of a model; then Model and Prompt name the model and
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
	Spans []evidence.Span // what was said that it rests on; none where it was counted alone

	// Verified tells that each span covers words that the claim quotes, or answers that it retells letter for letter. What
	// is not verified rests on the author's word.
	Verified bool
}

// Quality is a score from 1 to 5 in halves, with the parts it was made of.
type Quality struct {
	Score float64
	Parts []QualityPart
}

// QualityPart is one reason behind a score.
type QualityPart struct {
	Name   string  // for example effort
	Score  float64 // 1 to 5
	Reason string  // a sentence or two for a researcher
	Rows   []int   // of the transcript: the ones that the reason speaks of
}

// VisibleParams are the parameters that researchers see: those whose names do not start with an underscore.
func (r *Response) VisibleParams() map[string]string {
	visible := make(map[string]string, len(r.URLParams))
	for name, value := range r.URLParams {
		if name != "" && name[0] != '_' {
			visible[name] = value
		}
	}
	return visible
}

// DeletionStatus is how far a deletion came.
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

// ErrNoDeletion means that no deletion has the id.
var ErrNoDeletion = errors.New("deletion not found")

// ErrMoved means that another request appended to the interview's log first.
var ErrMoved = errors.New("the interview has moved on")
