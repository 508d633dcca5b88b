package reporting

import (
	"context"

	"verbatim/internal/domain/tables"
)

// Themer finds what open answers are about. The built-in one groups them by keywords (Keywords); a model may take its place
// (ModelThemer). Every quote is looked up in the answer that it is said to come from, and left out of the report if it does not
// stand there. If a Themer fails for any reason, the question gets keyword groups, and the report says so.
type Themer interface {
	// Learn finds the themes of a question in a sample of its answers, which has no meaningful order.
	Learn(ctx context.Context, q OpenQuestion, sample []OpenAnswer) (Codebook, error)
}

// OpenQuestion is an open question with what a Themer may know of its study.
type OpenQuestion struct {
	OrgID, StudyID string
	Title, Goal    string // of the study, the title as participants see it
	Language       string // of the study, in which themes are to be named and described
	Text           string
	Concepts       []string // titles of the concepts that it is asked about
}

// Codebook holds the themes of one question.
type Codebook interface {
	// Source returns who found the themes.
	Source() tables.Source
	// Name returns what the themes are called in the report, for example "Themes".
	Name() string
	// Themes returns the themes in the order in which they are reported, each with the explanation that a reader needs to check
	// it.
	Themes() []Theme
	// Mentions returns for each answer the themes that it mentions, each at most once. Calls are not concurrent.
	Mentions(ctx context.Context, said []OpenAnswer) ([][]Mention, error)
}

// Theme is one theme of a codebook.
type Theme struct{ Label, Meaning string }

// OpenAnswer is one answer in the participant's own words.
type OpenAnswer struct {
	ReadableID int
	Language   string   // of the interview
	Texts      []string // the answer and the replies to its follow-ups; a quote stands in one of them
	Rows       []int    // of the transcript, of each text; 0 if it is not known
	ConceptID  string   // the concept that it is about; may be empty
	Private    []string // values from the participant's link that may identify them: no model is given these
}

// Mention is one theme of one answer, with its evidence.
type Mention struct {
	Theme  int     // index in Themes
	Quote  string  // from one of the texts; a mention whose quote does not stand there is not counted
	Weight float64 // how well the quote illustrates its theme; 0: count the mention, and do not show the quote
	ByHand bool    // a person decided it, so it needs no quote
}

// ThemerError is the failure of a Themer, with its source.
type ThemerError struct {
	By  tables.Source
	Err error
}

// Error implements error.
func (e *ThemerError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ThemerError) Unwrap() error { return e.Err }
