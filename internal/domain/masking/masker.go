package masking

import (
	"fmt"
	"regexp"
	"strings"
)

// Kind names what a placeholder stands for, in the word that the placeholder shows.
type Kind string

// The kinds of placeholders.
const (
	Mail    Kind = "mail"
	Link    Kind = "link"
	Handle  Kind = "handle"
	Phone   Kind = "phone"
	Card    Kind = "card"
	Account Kind = "account" // an IBAN
	ID      Kind = "id"      // an identity, tax, insurance or passport number
	Address Kind = "address" // of a street
	Number  Kind = "number"  // a long number of no other kind
	Private Kind = "private" // a value that the caller gave
	Literal Kind = "text"    // a passage that looks like a placeholder itself
)

// kinds lists the words of all kinds, for the pattern of placeholders.
const kinds = "mail|link|handle|phone|card|account|id|address|number|private|text"

// placeholders matches what Mask writes. Models may change the case.
var placeholders = regexp.MustCompile(`(?i)\[(?:` + kinds + `) [0-9]{1,5}\]`)

// A sealed placeholder stands between two noncharacters, which no text of a participant may contain: see Seal.
const (
	sealed   = '\uFDD0'
	unsealed = '\uFDD1'
)

var seals = regexp.MustCompile(string(sealed) + `(?:` + kinds + `) [0-9]{1,5}` + string(unsealed))

// Masker masks texts that belong together. The same original gets the same placeholder in all of them. The zero value is not
// ready for use, see New. A Masker is not safe for concurrent use.
type Masker struct {
	private   *regexp.Regexp    // nil: none
	originals map[string]string // by placeholder, without brackets
	names     map[named]string  // placeholder without brackets
	counts    map[Kind]int
}

type named struct {
	kind     Kind
	original string
}

// New returns a Masker that also masks the given private values, wherever they stand as words of their own.
func New(private ...string) *Masker {
	return &Masker{private: anyOf(private), originals: map[string]string{}, names: map[named]string{}, counts: map[Kind]int{}}
}

// Mask returns the text with placeholders.
func (m *Masker) Mask(text string) string { return open(m.Seal(text)) }

// Seal masks a text of which more is known than of the others: it also masks the given private values. Its placeholders are
// marked, so that Mask leaves them alone, and text that only looks like one cannot be taken for one. Mask or Restore must follow.
func (m *Masker) Seal(text string, private ...string) string {
	values := m.private
	if len(private) > 0 {
		values = anyOf(private)
	}
	spans := find(text, values)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, s := range spans {
		original := text[s.start:s.end]
		b.WriteString(text[from:s.start])
		from = s.end
		switch {
		case s.kind != kept:
			b.WriteString(string(sealed) + m.name(s.kind, original) + string(unsealed))
		case m.issued(original): // sealed before
			b.WriteString(original)
		}
	}
	return b.String() + text[from:]
}

// issued reports whether this Masker made a sealed placeholder.
func (m *Masker) issued(seal string) bool {
	_, known := m.originals[strings.Trim(seal, string(sealed)+string(unsealed))]
	return known
}

// open turns sealed placeholders into those that a model gets.
func open(text string) string {
	return seals.ReplaceAllStringFunc(text, func(seal string) string {
		return "[" + strings.Trim(seal, string(sealed)+string(unsealed)) + "]"
	})
}

func (m *Masker) name(kind Kind, original string) string {
	key := named{kind, original}
	name := m.names[key]
	if name == "" {
		m.counts[kind]++
		name = fmt.Sprintf("%s %d", kind, m.counts[kind])
		m.names[key], m.originals[name] = name, original
	}
	return name
}

// Masked reports whether anything was masked so far.
func (m *Masker) Masked() bool { return len(m.originals) > 0 }

// Restore puts the originals back into a text, in one pass: what an original contains is never taken for a placeholder. A
// placeholder that was never given out stays as it is.
func (m *Masker) Restore(text string) string {
	return m.restore(text, func(s string) string { return s })
}

// restore passes each original through a function before it puts it in.
func (m *Masker) restore(text string, encode func(string) string) string {
	if len(m.originals) == 0 {
		return text
	}
	back := func(found string) string {
		name := strings.ToLower(strings.Trim(found, "[]"+string(sealed)+string(unsealed)))
		if original, known := m.originals[name]; known {
			return encode(original)
		}
		return found
	}
	if strings.ContainsRune(text, sealed) {
		text = seals.ReplaceAllStringFunc(text, back)
	}
	return placeholders.ReplaceAllStringFunc(text, back)
}
