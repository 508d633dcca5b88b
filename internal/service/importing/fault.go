package importing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"verbatim/internal/domain/strictjson"
)

// MaxFaults is how many faults of a file are told.
const MaxFaults = 20

// Fault is one thing wrong with a file.
type Fault struct {
	Line int // from 1
	Text string
}

// String is the fault in one line.
func (f Fault) String() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

// FaultsError refuses a file. Nothing of it was stored.
type FaultsError struct {
	Faults     []Fault // the first MaxFaults, in the order of the lines
	Total      int
	Unreadable bool // not one line is a response
}

// Error tells the first fault and how many there are.
func (e *FaultsError) Error() string {
	if e.Total == 1 {
		return e.Faults[0].String()
	}
	return fmt.Sprintf("%s (%d faults in all)", e.Faults[0], e.Total)
}

// add counts a fault and keeps it while there is room.
func (e *FaultsError) add(number int, format string, args ...any) {
	if e.Total++; len(e.Faults) < MaxFaults {
		e.Faults = append(e.Faults, Fault{Line: number, Text: fmt.Sprintf(format, args...)})
	}
}

// addDecoding enters what the decoder found in a line.
func (e *FaultsError) addDecoding(number int, err error) {
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
func (e *FaultsError) sorted() *FaultsError {
	slices.SortStableFunc(e.Faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return e
}
