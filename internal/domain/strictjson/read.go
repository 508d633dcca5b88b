package strictjson

import (
	"fmt"
	"math"
	"strconv"
)

// unbounded is the limit of what has no limit.
const unbounded = math.MaxInt

// undefined is the received type in the issue of a missing key.
const undefined = "undefined"

// Decode parses a body that must be one object and passes it to read, within the default limits. It fails with a
// *SyntaxError, a *LimitError or a *SchemaError; use what read has read only if Decode does not fail.
func Decode(body []byte, read func(*Object)) error { return Limits{}.Decode(body, read) }

// Decode is like the function Decode, with these limits.
func (l Limits) Decode(body []byte, read func(*Object)) error {
	root, err := l.Parse(body)
	if err != nil {
		return err
	}
	var r reader
	r.object(root, read)
	if len(r.issues) > 0 {
		return &SchemaError{Issues: r.issues}
	}
	return nil
}

// reader collects issues while the tree is read. No part of the document keeps more than MaxIssues, which does not change
// the first MaxIssues of the document.
type reader struct {
	path   []string
	issues []Issue
}

func (r *reader) report(issue Issue) {
	issue.Path = append([]string{}, r.path...)
	r.issues = append(r.issues, issue)
}

func (r *reader) wrongType(expected, received string) {
	message := fmt.Sprintf("Expected %s, received %s", expected, received)
	if received == undefined {
		message = "Required"
	}
	r.report(Issue{Message: message, Code: InvalidType, Expected: expected, Received: received})
}

func (r *reader) push(step string) { r.path = append(r.path, step) }
func (r *reader) pop()             { r.path = r.path[:len(r.path)-1] }

func (r *reader) object(v *Value, read func(*Object)) {
	if v.Kind != Map {
		r.wrongType(Map.String(), v.Kind.String())
		return
	}
	o := Object{in: r, value: v, start: len(r.issues)}
	read(&o)
	o.close()
}

func (r *reader) array(v *Value, least, limit int, read func(element *Value)) {
	if v.Kind != Array {
		r.wrongType(Array.String(), v.Kind.String())
		return
	}
	start, elements := len(r.issues), v.Elements()
	r.count("Array", "element(s)", len(elements), least, limit)
	for i := range elements[:min(len(elements), limit)] {
		r.push(strconv.Itoa(i))
		read(&elements[i])
		r.pop()
		if len(r.issues)-start >= MaxIssues {
			return
		}
	}
}

// count reports an array or a string (what) that has fewer or more parts than allowed.
func (r *reader) count(what, parts string, count, least, limit int) {
	issue := Issue{Code: TooSmall, Expected: fmt.Sprintf("at least %d %s", least, parts)}
	switch {
	case count > limit:
		issue = Issue{Code: TooBig, Expected: fmt.Sprintf("at most %d %s", limit, parts)}
	case count >= least:
		return
	}
	issue.Message = what + " must contain " + issue.Expected
	issue.Received = fmt.Sprintf("%d %s", count, parts)
	r.report(issue)
}
