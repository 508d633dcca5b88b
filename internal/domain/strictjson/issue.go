package strictjson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxIssues is the maximum number of issues reported: the first ones in document order.
const MaxIssues = 100

// The codes of issues.
const (
	InvalidType               = "invalid_type"
	InvalidEnumValue          = "invalid_enum_value"
	InvalidUnionDiscriminator = "invalid_union_discriminator"
	InvalidString             = "invalid_string"
	TooSmall                  = "too_small"
	TooBig                    = "too_big"
	UnrecognizedKeys          = "unrecognized_keys"
	Custom                    = "custom"
)

// Issue is one error in a body. It is a wire shape, the same in every API.
type Issue struct {
	Path     []string `json:"path"` // keys and array indexes from the root; never nil
	Message  string   `json:"message"`
	Code     string   `json:"code"`
	Expected string   `json:"expected"`
	Received string   `json:"received"` // undefined for a missing key
}

// String returns the issue in one line, for logs and terminals.
func (i Issue) String() string {
	if len(i.Path) == 0 {
		return i.Message
	}
	return strings.Join(i.Path, ".") + ": " + i.Message
}

// SchemaError reports that a body is JSON of the wrong shape. Issues holds at least one issue, in document order.
type SchemaError struct {
	Issues []Issue
}

// Error returns the first issue and the number of further ones.
func (e *SchemaError) Error() string {
	if more := len(e.Issues) - 1; more > 0 {
		return fmt.Sprintf("the body does not fit the schema: %s (and %d more)", e.Issues[0], more)
	}
	return fmt.Sprintf("the body does not fit the schema: %s", e.Issues[0])
}

// clip truncates untrusted input for an error message.
func clip(s string) string {
	const maxRunes = 80
	if utf8.RuneCountInString(s) <= maxRunes {
		return s
	}
	return string([]rune(s)[:maxRunes]) + "…"
}

// oneOf returns what an issue of an enum expected: all values, or the nearest to the received text if there are many.
func oneOf(values []string, received string) string {
	const many, few = 12, 4
	if len(values) <= many {
		return quoted(values)
	}
	if received == "" {
		return fmt.Sprintf("one of %d values, for example %s", len(values), quoted(values[:few]))
	}
	return fmt.Sprintf("one of %d values, nearest %s", len(values), quoted(nearestOf(received, values, few)))
}

// quoted returns a list of allowed values: 'a' | 'b'.
func quoted(values []string) string {
	return "'" + strings.Join(values, "' | '") + "'"
}
