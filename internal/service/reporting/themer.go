package reporting

import (
	"context"

	"verbatim/internal/domain/tables"
)

// Themer finds what open answers are about. The built-in one groups them by keywords (Keywords); a model may take its place
// (ModelThemer). Whatever it quotes is looked up in the answer that it names, and left out of the report where it does not
// stand there. Where it fails, in whatever way, the question gets keyword groups, and the report says so.
type Themer interface {
	// Learn finds the themes of a question in a sample of its answers, which is in no order of meaning.
	Learn(ctx context.Context, q Open, sample []Said) (Codebook, error)
}

// Open is an open question, with what is to be known of its study.
type Open struct {
	OrgID, StudyID string
	Title, Goal    string // of the study, the title as participants see it
	Language       string // of the study: what is written about its answers is in it
	Text           string
}

// Codebook is the themes of one question.
type Codebook interface {
	// Source is who found the themes.
	Source() tables.Source
	// Name is what they are called in the report, for example Themes.
	Name() string
	// Themes are in the order in which they are reported, with the explanation that a reader needs to check them.
	Themes() []Theme
	// Mentions tells for each of some answers which themes it speaks of, each at most once. Calls follow each other.
	Mentions(ctx context.Context, said []Said) ([][]Mention, error)
}

// Theme is one of a codebook's.
type Theme struct{ Label, Meaning string }

// Said is one answer in the participant's own words.
type Said struct {
	ReadableID int
	Language   string   // of the interview
	Texts      []string // the answer and the replies to its follow-ups; a quote stands in one of them
	Private    []string // what the study link said of the participant that may name them: no model is told it
}

// Mention is one theme of one answer, with its evidence.
type Mention struct {
	Theme  int     // its place in Themes
	Quote  string  // out of one of the texts; a mention without a quote that stands there is not counted
	Weight float64 // how well the quote speaks for its theme; 0: count it, and do not show it
}

// ThemerError is a failure with who failed.
type ThemerError struct {
	By  tables.Source
	Err error
}

// Error implements error.
func (e *ThemerError) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *ThemerError) Unwrap() error { return e.Err }
