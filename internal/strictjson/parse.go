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

// Parse reads one JSON value that fills the whole body. Every error is a *SyntaxError.
func Parse(body []byte) (*Value, error) {
	if offset := invalidUTF8(body); offset >= 0 {
		return nil, syntaxError(body, offset, "invalid UTF-8")
	}
	w := walk{text: string(body)}
	var root Value
	err := w.document(&root)
	if err == nil {
		return &root, nil
	}
	// Why it is no JSON is told before all else, and in encoding/json's words.
	if err := json.Unmarshal(body, new(json.RawMessage)); err != nil {
		offset := len(body)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && !strings.HasPrefix(err.Error(), "unexpected end") {
			offset = int(syntax.Offset) - 1
		}
		return nil, syntaxError(body, offset, err.Error())
	}
	return nil, err
}

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
