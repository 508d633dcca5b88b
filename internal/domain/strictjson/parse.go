package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may be nested.
const MaxDepth = 64

// SyntaxError says that a body is not acceptable JSON, and where. Line and Column start at 1; columns count bytes.
type SyntaxError struct {
	Message      string
	Line, Column int
}

// Error is made for clients.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Line, e.Column)
}

// Parse reads one JSON value that fills the whole body, within the usual limits. Every error is a *SyntaxError or a
// *LimitError.
func Parse(body []byte) (*Value, error) { return Limits{}.Parse(body) }

// Parse is the function Parse within these limits.
func (l Limits) Parse(body []byte) (*Value, error) {
	if offset := invalidUTF8(body); offset >= 0 {
		return nil, syntaxError(body, offset, "invalid UTF-8")
	}
	size, err := l.measure(body)
	if err != nil {
		return nil, err
	}
	w := newWalk(body, size)
	var root Value
	if err = w.document(&root); err == nil {
		return &root, nil
	}
	// Why it is no JSON is told before all else, and in encoding/json's words.
	if err := json.Unmarshal(body, new(anything)); err != nil {
		offset := len(body)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && !strings.HasPrefix(err.Error(), "unexpected end") {
			offset = int(syntax.Offset) - 1
		}
		return nil, syntaxError(body, offset, err.Error())
	}
	return nil, err
}

// anything takes any JSON and keeps none of it.
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
