package guide

import (
	"strconv"
	"strings"

	"verbatim/internal/domain/strictjson"
)

// SyntaxError reports that a payload is not acceptable JSON.
type SyntaxError = strictjson.SyntaxError

// SchemaError reports that a payload has the wrong shape, with every issue in document order.
type SchemaError = strictjson.SchemaError

// Issue is one thing wrong with the shape of a payload.
type Issue = strictjson.Issue

// RulesError reports that a payload of the right shape breaks cross-field rules. It lists all violations, at least one.
type RulesError struct {
	Violations []Violation // the first 1,000
	More       int         // how many further ones there are
}

// Violation is one broken rule. Place is its position in the payload, for example studyGuide[1].items[0].conditional.
type Violation struct {
	Place   string
	Message string
}

// Error lists every violation with its place. Its text is made for clients.
func (e *RulesError) Error() string {
	var text strings.Builder
	for i, v := range e.Violations {
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(v.Place + ": " + v.Message)
	}
	if e.More > 0 {
		text.WriteString("; and " + strconv.Itoa(e.More) + " more")
	}
	return text.String()
}

// PlaceOf formats the path of an issue as a place, in the form that violations use.
func PlaceOf(path []string) string {
	var place strings.Builder
	for _, step := range path {
		switch {
		case strings.Trim(step, "0123456789") == "" && step != "":
			place.WriteString("[" + step + "]")
		case place.Len() > 0:
			place.WriteString("." + step)
		default:
			place.WriteString(step)
		}
	}
	return place.String()
}
