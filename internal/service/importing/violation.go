package importing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"verbatim/internal/domain/strictjson"
)

// MaxViolations limits the violations of a file that are reported.
const MaxViolations = 20

// Violation is one thing wrong with a file.
type Violation struct {
	Line int // from 1
	Text string
}

// String returns the violation with its line number.
func (v Violation) String() string { return fmt.Sprintf("line %d: %s", v.Line, v.Text) }

// ViolationsError refuses a file. Nothing of it was stored.
type ViolationsError struct {
	Violations []Violation // the first MaxViolations, in the order of the lines
	Total      int
	Unreadable bool // no line is a response
}

// Error returns the first violation and their number.
func (e *ViolationsError) Error() string {
	if e.Total == 1 {
		return e.Violations[0].String()
	}
	return fmt.Sprintf("%s (%d violations in total)", e.Violations[0], e.Total)
}

// add counts a violation and keeps it while there is room.
func (e *ViolationsError) add(number int, format string, args ...any) {
	if e.Total++; len(e.Violations) < MaxViolations {
		e.Violations = append(e.Violations, Violation{Line: number, Text: fmt.Sprintf(format, args...)})
	}
}

// addDecoding adds what the decoder found in a line.
func (e *ViolationsError) addDecoding(number int, err error) {
	if schema, ok := errors.AsType[*strictjson.SchemaError](err); ok {
		for _, issue := range schema.Issues {
			e.add(number, "%s", issue)
		}
		return
	}
	if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
		e.add(number, "%s (column %d)", syntax.Message, syntax.Column) // syntax.Line counts within this line
		return
	}
	e.add(number, "%s", err)
}

// sorted sorts the violations by line.
func (e *ViolationsError) sorted() *ViolationsError {
	slices.SortStableFunc(e.Violations, func(a, b Violation) int { return cmp.Compare(a.Line, b.Line) })
	return e
}
