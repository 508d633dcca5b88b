package strictjson

import "fmt"

// MaxValues is the maximum number of values in a body if the caller sets no other limit. An array or an object counts as one
// value, in addition to the values in it; keys do not count. It is ten times what the guide of a very long study needs.
const MaxValues = 200_000

// Limits bounds what one body may contain. It is checked before memory is allocated for the values.
type Limits struct {
	Values int // 0: MaxValues
}

// Trusted is for data that the service itself stored, and for files that an operator supplies.
var Trusted = Limits{Values: 1<<31 - 1}

// LimitError reports that a body contains more values than allowed. Line and Column locate the first one beyond the limit.
type LimitError struct {
	Values       int // the maximum
	Line, Column int
}

// Error returns a text made for clients.
func (e *LimitError) Error() string {
	return fmt.Sprintf("it holds more than %d values (line %d, column %d)", e.Values, e.Line, e.Column)
}

// Count returns the number of values in a body. It fails with a *LimitError if there are too many, and reports no other
// error: for invalid JSON it counts the values that seem to be there.
func (l Limits) Count(body []byte) (int, error) {
	size, err := l.measure(body)
	return size.values(), err
}

// size is the memory that a tree needs.
type size struct {
	nonEmpty          int   // arrays and objects that are not empty
	elements, members int   // of all arrays, and of all objects
	lengths           []int // length of every array and object, in the order in which they begin
}

func (s *size) values() int { return 1 + s.elements + s.members }

// measure counts the values of a text. The counts are exact as far as the text is valid JSON; the parser detects where it is
// not.
func (l Limits) measure(body []byte) (size, error) {
	type open struct {
		index int // in size.each
		kind  byte
	}
	limit := l.Values
	if limit == 0 {
		limit = MaxValues
	}
	var s size
	var nesting [MaxDepth]open
	depth := 0
	count := func(at int) error {
		in := nesting[depth-1]
		if s.lengths[in.index]++; s.lengths[in.index] == 1 {
			s.nonEmpty++
		}
		if in.kind == '[' {
			s.elements++
		} else {
			s.members++
		}
		if s.values() > limit {
			place := syntaxError(body, at, "")
			return &LimitError{Values: limit, Line: place.Line, Column: place.Column}
		}
		return nil
	}
	for at := 0; at < len(body); at++ {
		c := body[at]
		switch c {
		case ' ', '\t', '\n', '\r':
			continue
		case ']', '}':
			if depth--; depth < 0 {
				return s, nil
			}
			continue
		}
		if depth > 0 && (c == ',' || s.lengths[nesting[depth-1].index] == 0) {
			if err := count(at); err != nil {
				return s, err
			}
		}
		switch c {
		case '[', '{':
			if depth == MaxDepth {
				return s, nil
			}
			nesting[depth] = open{len(s.lengths), c}
			depth++
			s.lengths = append(s.lengths, 0)
		case '"':
			for at++; at < len(body) && body[at] != '"'; at++ {
				if body[at] == '\\' {
					at++
				}
			}
		}
	}
	return s, nil
}
