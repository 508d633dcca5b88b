package workingcopy

import (
	"errors"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
)

// Severity says whether a problem stands between a guide and its launch.
type Severity string

// The severities.
const (
	Error  Severity = "error"
	Advice Severity = "advice"
)

// Where a problem comes from.
const (
	FromShape  = "shape"  // a wrong or missing value
	FromRule   = "rule"   // a rule of guides that is broken
	FromAdvice = "advice" // what is legal and looks like a mistake
)

// Problem is something wrong with a copy.
type Problem struct {
	Severity Severity
	Code     string
	Message  string
	Pointer  string // JSON pointer into the copy

	BlockID, ItemID, ConceptID string // where it is; empty where it is not in one
}

// Check returns what is wrong with a copy. The guide is nil if that includes errors.
//
// A value of the wrong shape keeps package guide from checking the rules. As people type, something is empty most of the time, so the
// rules are checked with something in its place; see stopgap.
func Check(body []byte) (*guide.Guide, []Problem) {
	v, err := strictjson.Trusted.Parse(body)
	if err != nil {
		return nil, []Problem{{Severity: Error, Code: FromShape, Message: err.Error()}}
	}
	g, err := decode(body)
	var problems []Problem
	add := func(severity Severity, code, message string, path []string) {
		p := Problem{Severity: severity, Code: code, Message: message, Pointer: pointer(path)}
		p.locate(v, path)
		problems = append(problems, p)
	}
	addRules := func(err error, skip func(pointer string) bool) {
		if broken, ok := errors.AsType[*guide.RulesError](err); ok {
			for _, violation := range broken.Violations {
				if path := pathOf(violation.Place); skip == nil || !skip(pointer(path)) {
					add(Error, FromRule, violation.Message, path)
				}
			}
		}
	}
	if schema, ok := errors.AsType[*guide.SchemaError](err); ok {
		for _, issue := range schema.Issues {
			add(Error, FromShape, issue.Message, issue.Path)
		}
		if stopgap, filled := stopgap(body, schema.Issues); stopgap != nil {
			_, err = decode(stopgap)
			addRules(err, filled)
		}
		return nil, problems
	}
	if err != nil {
		addRules(err, nil)
		if len(problems) == 0 {
			add(Error, FromShape, err.Error(), nil)
		}
		return nil, problems
	}
	for _, advice := range guide.Lint(g) {
		add(Advice, FromAdvice, advice.Text, pathOf(advice.Place))
	}
	return g, problems
}

func decode(body []byte) (*guide.Guide, error) {
	return guide.Decode(body, guide.Options{FileUpload: true})
}

// locate finds the ids of the block, the item and the concept on a path.
func (p *Problem) locate(v *strictjson.Value, path []string) {
	as := root
	for _, step := range path {
		if v == nil {
			return
		}
		if v.Kind == strictjson.Array {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v.Elements()) {
				return
			}
			v = &v.Elements()[i]
			id := text(v, "externalId")
			switch as {
			case block:
				p.BlockID = id
			case item:
				p.ItemID = id
			case concept:
				p.ConceptID = id
			}
			continue
		}
		as, v = children[as][step], member(v, step)
	}
}

// pointer returns the JSON pointer (RFC 6901) of a path.
func pointer(path []string) string {
	var made strings.Builder
	for _, step := range path {
		made.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return made.String()
}

// pathOf returns the path of a place, such as studyGuide[1].items[0].text. The keys of guides have neither dots nor brackets.
func pathOf(place string) []string {
	return strings.FieldsFunc(place, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}
