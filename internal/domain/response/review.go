package response

import "time"

// Hidden selects the responses that a review sees.
type Hidden string

// The values: only those that are not hidden, only the hidden ones, or both.
const (
	Shown      Hidden = "false"
	OnlyHidden Hidden = "true"
	AnyHidden  Hidden = "any"
)

// ReviewFilter selects responses of a study. The zero value selects those that are not hidden.
type ReviewFilter struct {
	Progress   string // complete, in_progress, abandoned or screened_out; empty: any
	Hidden     Hidden // empty: Shown
	From, To   float64
	Tag        string
	Parameter  string // its name; empty: any parameters
	Value      string
	Words      [][]string // the forms of each word; the participant must have said each word
	HasQuality bool       // From and To bound the quality
}

// IsPlain reports whether every response that is not hidden passes.
func (f ReviewFilter) IsPlain() bool {
	return f.Progress == "" && (f.Hidden == "" || f.Hidden == Shown) && !f.HasQuality && f.Tag == "" && f.Parameter == "" && len(f.Words) == 0
}

// QualityOverride is the quality of a response as a person judged it.
type QualityOverride struct {
	Score    float64 // 1 to 5 in halves
	Reason   string
	UserID   string
	UserName string // or mail address
	At       time.Time
}
