package importing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"verbatim/internal/domain/strictjson"
)

// MaxFaults is how many faults of a file are told.
const MaxViolations = 20

// Fault is one thing wrong with a file.
type Violation struct {
	Line int // from 1
	Text string
}

// String is the fault in one line.
func (v Violation) String() string { return fmt.Sprintf("line %d: %s", v.Line, v.Text) }

// FaultsError refuses a file. Nothing of it was stored.
type ViolationsError struct {
	Violations []Violation // the first MaxFaults, in the order of the lines
	Total      int
	Unreadable bool // not one line is a response
}

// Error tells the first fault and how many there are.
func (e *ViolationsError) Error() string {
	if e.Total == 1 {
		return e.Violations[0].String()
	}
	return fmt.Sprintf("%s (%d faults in all)", e.Violations[0], e.Total)
}

// add counts a fault and keeps it while there is room.
func (e *ViolationsError) add(number int, format string, args ...any) {
	if e.Total++; len(e.Violations) < MaxViolations {
		e.Violations = append(e.Violations, Violation{Line: number, Text: fmt.Sprintf(format, args...)})
	}
}

// addDecoding enters what the decoder found in a line.
func (e *ViolationsError) addDecoding(number int, err error) {
	if schema, ok := errors.AsType[*strictjson.SchemaError](err); ok {
		for _, issue := range schema.Issues {
			e.add(number, "%s", issue)
		}
		return
	}
	if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
		e.add(number, "%s (column %d)", syntax.Message, syntax.Column) // its own line is that within the line
		return
	}
	e.add(number, "%s", err)
}

// sorted puts the faults in the order of their lines.
func (e *ViolationsError) sorted() *ViolationsError {
	slices.SortStableFunc(e.Violations, func(a, b Violation) int { return cmp.Compare(a.Line, b.Line) })
	return e
}
