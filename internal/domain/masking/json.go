package masking

import (
	"bytes"
	"encoding/json"
	"strings"
)

// MaskMessage masks a text as Mask does, or every string value of it if the text is a JSON document: no name of a field, no number
// and nothing between them changes.
func (m *Masker) MaskMessage(text string) string { return eachString(text, m.Mask) }

// OpenMessage puts the originals back in place of sealed placeholders, in a text or a JSON document, for a model that is to get them.
func (m *Masker) OpenMessage(text string) string {
	return eachString(text, func(s string) string {
		if !strings.ContainsRune(s, sealed) {
			return s
		}
		return m.Restore(s)
	})
}

// RestoreJSON is Restore for a JSON document: the originals are written as parts of JSON strings.
func (m *Masker) RestoreJSON(text string) string { return m.restore(text, inString) }

// eachString passes a text through a function, or every string value of a JSON document.
func eachString(text string, change func(string) string) string {
	if first := strings.TrimLeft(text, " \t\r\n"); !strings.HasPrefix(first, "{") && !strings.HasPrefix(first, "[") || !json.Valid([]byte(text)) {
		return change(text)
	}
	var b strings.Builder
	rest := text
	for {
		start := strings.IndexByte(rest, '"')
		if start < 0 {
			return b.String() + rest
		}
		end := start + 1
		for ; rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		end++
		literal := rest[start:end]
		b.WriteString(rest[:start])
		rest = rest[end:]
		b.WriteString(changed(literal, strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":"), change))
	}
}

// changed returns a string literal with its value changed. Names of fields stay, and so does the spelling of what does not change.
func changed(literal string, isName bool, change func(string) string) string {
	var value string
	if isName || json.Unmarshal([]byte(literal), &value) != nil {
		return literal
	}
	if after := change(value); after != value {
		return `"` + inString(after) + `"`
	}
	return literal
}

// inString returns a text as it stands within a JSON string.
func inString(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}
