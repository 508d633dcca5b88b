package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth of arrays and objects.
const MaxDepth = 64

// SyntaxError reports that a body is not acceptable JSON, and where. Line and Column start at 1; columns count bytes.
type SyntaxError struct {
	Message      string
	Line, Column int
}

// Error returns a text made for clients.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Line, e.Column)
}

// Parse reads one JSON value that fills the entire body, within the default limits. Every error is a *SyntaxError or a
// *LimitError.
func Parse(body []byte) (*Value, error) { return Limits{}.Parse(body) }

// Parse is like the function Parse, with these limits.
func (l Limits) Parse(body []byte) (*Value, error) {
	if offset := invalidUTF8(body); offset >= 0 {
		return nil, syntaxError(body, offset, "invalid UTF-8")
	}
	size, err := l.measure(body)
	if err != nil {
		return nil, err
	}
	w := newParser(body, size)
	var root Value
	if err = w.document(&root); err == nil {
		return &root, nil
	}
	// Report why the body is not JSON before anything else, in encoding/json's words.
	if err := json.Unmarshal(body, new(anything)); err != nil {
		offset := len(body)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && !strings.HasPrefix(err.Error(), "unexpected end") {
			offset = int(syntax.Offset) - 1
		}
		return nil, syntaxError(body, offset, err.Error())
	}
	return nil, err
}

// anything accepts any JSON and keeps none of it.
type anything struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*anything) UnmarshalJSON([]byte) error { return nil }

func invalidUTF8(body []byte) int {
	if utf8.Valid(body) {
		return -1
	}
	for offset := 0; ; {
		r, size := utf8.DecodeRune(body[offset:])
		if r == utf8.RuneError && size <= 1 {
			return offset
		}
		offset += size
	}
}

func syntaxError(body []byte, offset int, message string) *SyntaxError {
	before := body[:max(0, min(offset, len(body)))]
	return &SyntaxError{
		Message: message,
		Line:    bytes.Count(before, []byte{'\n'}) + 1,
		Column:  len(before) - bytes.LastIndexByte(before, '\n'),
	}
}
