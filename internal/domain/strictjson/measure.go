package strictjson

import "fmt"

// MaxValues is how many values a body may hold where the caller sets no other limit. A member of an object counts as its
// value; an array and an object count beside what is in them. It is ten times what the guide of a very long study needs.
const MaxValues = 200_000

// Limits bound what one body may hold. They are checked before memory is spent on it.
type Limits struct {
	Values int // 0: MaxValues
}

// Trusted are the limits of what the service itself stored, and of files that an operator gives.
var Trusted = Limits{Values: 1<<31 - 1}

// LimitError says that a body holds more values than it may. Line and Column are the place of the first one too many.
type LimitError struct {
	Values       int // that it may hold
	Line, Column int
}

// Error is made for clients.
func (e *LimitError) Error() string {
	return fmt.Sprintf("it holds more than %d values (line %d, column %d)", e.Values, e.Line, e.Column)
}

// Count returns how many values a body holds. It fails with a *LimitError where those are too many, and finds nothing else
// wrong with it: of what is no JSON, the count is that of the values that seem to be there.
func (l Limits) Count(body []byte) (int, error) {
	size, err := l.measure(body)
	return size.values(), err
}

// size is what a tree takes.
type size struct {
	filled            int   // arrays and objects that hold something
	elements, members int   // of all arrays, and of all objects
	each              []int // of every array and object, in the order in which they begin
}

func (s *size) values() int { return 1 + s.elements + s.members }

// measure counts the values of a text. As far as the text is JSON the counts are exact; the walk finds out where it is not.
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
		if s.each[in.index]++; s.each[in.index] == 1 {
			s.filled++
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
		if depth > 0 && (c == ',' || s.each[nesting[depth-1].index] == 0) {
			if err := count(at); err != nil {
				return s, err
			}
		}
		switch c {
		case '[', '{':
			if depth == MaxDepth {
				return s, nil
			}
			nesting[depth] = open{len(s.each), c}
			depth++
			s.each = append(s.each, 0)
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
