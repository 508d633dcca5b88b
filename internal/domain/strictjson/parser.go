package strictjson

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parser builds the tree of a text in one pass. It refuses invalid JSON, and some things that the grammar allows: duplicate
// keys, too deep nesting and escapes of half a surrogate pair. The text is UTF-8.
type parser struct {
	body []byte
	text string // the same as a string
	at   int    // offset of the next byte

	// The complete tree is stored in these slices. They are allocated in their final size, so that nothing grows.
	lengths  []int // lengths of the arrays and objects still to come
	contents []contents
	elements []Value
	members  []Member
}

func newParser(body []byte, s size) *parser {
	return &parser{
		body: body, text: string(body),
		lengths: s.lengths, contents: make([]contents, s.nonEmpty), elements: make([]Value, s.elements), members: make([]Member, s.members),
	}
}

func (w *parser) fail(at int, message string) error { return syntaxError(w.body, at, message) }

// broken returns the error of invalid JSON. Parse replaces it by the reason.
func (w *parser) broken() error { return w.fail(w.at, "invalid JSON") }

// document reads a value and checks that nothing follows it.
func (w *parser) document(v *Value) error {
	err := w.value(v, 0)
	if err == nil && (w.next() != 0 || w.at < len(w.text)) {
		err = w.broken()
	}
	return err
}

// next skips white space and returns the byte that follows, or 0 at the end.
func (w *parser) next() byte {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (w *parser) value(v *Value, depth int) (err error) {
	switch c := w.next(); c {
	case '{', '[':
		if depth == MaxDepth {
			return w.fail(w.at, fmt.Sprintf("nested deeper than %d levels", MaxDepth))
		}
		w.at++
		if c == '[' {
			return w.array(v, depth+1)
		}
		return w.object(v, depth+1)
	case '"':
		v.Kind = String
		v.Text, err = w.str()
		return err
	case 'n':
		v.Kind = Null
		return w.word("null")
	case 't':
		v.Kind, v.Text = Bool, "true"
		return w.word(v.Text)
	case 'f':
		v.Kind, v.Text = Bool, "false"
		return w.word(v.Text)
	default:
		v.Kind = Number
		v.Text, err = w.number()
		return err
	}
}

func (w *parser) array(v *Value, depth int) error {
	v.Kind = Array
	n := w.begin(v)
	if w.next() == ']' {
		w.at++
		return nil
	}
	if n == 0 {
		return w.broken()
	}
	elements := w.elements[:n]
	v.contents.elements, w.elements = elements, w.elements[n:]
	for i := range elements {
		if err := w.value(&elements[i], depth); err != nil {
			return err
		}
		if ended, err := w.moreElements(']'); ended || err != nil {
			return err
		}
	}
	return w.broken()
}

func (w *parser) object(v *Value, depth int) error {
	v.Kind = Map
	n := w.begin(v)
	if w.next() == '}' {
		w.at++
		return nil
	}
	if n == 0 {
		return w.broken()
	}
	members := w.members[:n]
	v.contents.members, w.members = members, w.members[n:]
	var seen keySet
	for i := range members {
		if w.next() != '"' {
			return w.broken()
		}
		start := w.at
		key, err := w.str()
		if err != nil {
			return err
		}
		if !seen.add(key, members[:i], n) {
			return w.fail(start, fmt.Sprintf("duplicate key %q", clip(key)))
		}
		if w.next() != ':' {
			return w.broken()
		}
		w.at++
		members[i].Key = key
		if err := w.value(&members[i].Value, depth); err != nil {
			return err
		}
		if ended, err := w.moreElements('}'); ended || err != nil {
			return err
		}
	}
	return w.broken()
}

// begin makes room for the contents of an array or an object that begins here, and returns the number of its elements or
// members. If the text is not JSON the number may be too small.
func (w *parser) begin(v *Value) int {
	if len(w.lengths) == 0 {
		return 0
	}
	n := w.lengths[0]
	w.lengths = w.lengths[1:]
	if n > 0 {
		v.contents, w.contents = &w.contents[0], w.contents[1:]
	}
	return n
}

// moreElements reads what follows an element: a comma, or the end.
func (w *parser) moreElements(end byte) (ended bool, err error) {
	switch w.next() {
	case ',':
	case end:
		ended = true
	default:
		return false, w.broken()
	}
	w.at++
	return ended, nil
}

func (w *parser) word(word string) error {
	if !strings.HasPrefix(w.text[w.at:], word) {
		return w.broken()
	}
	w.at += len(word)
	return nil
}

// number reads the literal of a number: RFC 8259, section 6.
func (w *parser) number() (string, error) {
	start := w.at
	w.skip("-")
	integer := w.at
	digits := w.digits()
	if digits == 0 || digits > 1 && w.text[integer] == '0' {
		return "", w.broken()
	}
	if w.skip(".") && w.digits() == 0 {
		return "", w.broken()
	}
	if w.skip("eE") {
		w.skip("+-")
		if w.digits() == 0 {
			return "", w.broken()
		}
	}
	return w.text[start:w.at], nil
}

// skip skips one byte if it is any of the given ones.
func (w *parser) skip(any string) bool {
	here := w.at < len(w.text) && strings.IndexByte(any, w.text[w.at]) >= 0
	if here {
		w.at++
	}
	return here
}

func (w *parser) digits() int {
	start := w.at
	for w.at < len(w.text) && '0' <= w.text[w.at] && w.text[w.at] <= '9' {
		w.at++
	}
	return w.at - start
}

// str reads the string that starts here. It decodes only strings with escapes.
func (w *parser) str() (s string, err error) {
	start := w.at
	escaped := false
	for w.at++; w.at < len(w.text) && w.text[w.at] != '"'; w.at++ {
		switch c := w.text[w.at]; {
		case c < ' ':
			return "", w.broken()
		case c == '\\':
			escaped = true
			w.at++ // an escaped character does not end the string
		}
	}
	if w.at >= len(w.text) {
		return "", w.broken()
	}
	w.at++
	if !escaped {
		return w.text[start+1 : w.at-1], nil
	}
	if err := json.Unmarshal(w.body[start:w.at], &s); err != nil {
		return "", w.broken()
	}
	if half := loneSurrogate(w.text[start:w.at]); half >= 0 {
		return "", w.fail(start+half, "escape of half a surrogate pair")
	}
	return s, nil
}

// loneSurrogate returns the offset in a string literal at which one half of a surrogate pair is escaped without the other:
// that is not a character and cannot be encoded in UTF-8. It returns -1 if there is none.
func loneSurrogate(literal string) int {
	for at := 0; at < len(literal); at++ {
		if literal[at] != '\\' {
			continue
		}
		switch half := escapedUnit(literal[at:]); {
		case utf16.IsSurrogate(half) && utf16.DecodeRune(half, escapedUnit(literal[at+6:])) == utf8.RuneError:
			return at
		case utf16.IsSurrogate(half):
			at += 11 // both halves
		default:
			at++ // any other escape
		}
	}
	return -1
}

// escapedUnit returns the UTF-16 unit that is escaped at the beginning of a text, or -1.
func escapedUnit(s string) rune {
	if len(s) < 6 || s[:2] != `\u` {
		return -1
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// keySet finds duplicate keys. While there are few members it compares with each of them.
type keySet map[string]struct{}

// add reports whether the key is new; before holds the members added so far, n is the number of members of the object.
func (s *keySet) add(key string, before []Member, n int) bool {
	const few = 16
	if len(before) < few {
		for i := range before {
			if before[i].Key == key {
				return false
			}
		}
		return true
	}
	if *s == nil {
		*s = make(keySet, n)
		for i := range before {
			(*s)[before[i].Key] = struct{}{}
		}
	}
	_, twice := (*s)[key]
	(*s)[key] = struct{}{}
	return !twice
}
