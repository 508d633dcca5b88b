package strictjson

import (
	"encoding/json"
	"fmt"
	"strings"
)

// walk builds the tree of a text in one pass. It refuses what is no JSON, and what the grammar allows and we do not:
// duplicate keys and bottomless nesting. The text is UTF-8.
type walk struct {
	text string
	at   int // offset of the next byte
}

func (w *walk) fail(at int, message string) error { return syntaxError([]byte(w.text), at, message) }

// broken is for what is no JSON. Parse says why.
func (w *walk) broken() error { return w.fail(w.at, "invalid JSON") }

// document reads a value that nothing follows.
func (w *walk) document(v *Value) error {
	err := w.value(v, 0)
	if err == nil && (w.next() != 0 || w.at < len(w.text)) {
		err = w.broken()
	}
	return err
}

// next skips blanks and is the byte that follows them; 0 at the end.
func (w *walk) next() byte {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (w *walk) value(v *Value, depth int) (err error) {
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

func (w *walk) array(v *Value, depth int) error {
	v.Kind = Array
	if w.next() == ']' {
		w.at++
		return nil
	}
	for {
		v.Elements = append(v.Elements, Value{})
		if err := w.value(&v.Elements[len(v.Elements)-1], depth); err != nil {
			return err
		}
		if ended, err := w.goesOn(']'); ended || err != nil {
			return err
		}
	}
}

func (w *walk) object(v *Value, depth int) error {
	v.Kind = Map
	if w.next() == '}' {
		w.at++
		return nil
	}
	var seen keySet
	for {
		if w.next() != '"' {
			return w.broken()
		}
		start := w.at
		key, err := w.str()
		if err != nil {
			return err
		}
		if !seen.add(key, v.Members) {
			return w.fail(start, fmt.Sprintf("duplicate key %q", clip(key)))
		}
		if w.next() != ':' {
			return w.broken()
		}
		w.at++
		v.Members = append(v.Members, Member{Key: key})
		if err := w.value(&v.Members[len(v.Members)-1].Value, depth); err != nil {
			return err
		}
		if ended, err := w.goesOn('}'); ended || err != nil {
			return err
		}
	}
}

// goesOn reads what follows an element: a comma, or the end.
func (w *walk) goesOn(end byte) (ended bool, err error) {
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

func (w *walk) word(word string) error {
	if !strings.HasPrefix(w.text[w.at:], word) {
		return w.broken()
	}
	w.at += len(word)
	return nil
}

// number reads the literal of a number: RFC 8259, section 6.
func (w *walk) number() (string, error) {
	start := w.at
	w.skip("-")
	whole := w.at
	digits := w.digits()
	if digits == 0 || digits > 1 && w.text[whole] == '0' {
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

// skip passes over one of the bytes, if it stands here.
func (w *walk) skip(any string) bool {
	here := w.at < len(w.text) && strings.IndexByte(any, w.text[w.at]) >= 0
	if here {
		w.at++
	}
	return here
}

func (w *walk) digits() int {
	start := w.at
	for w.at < len(w.text) && '0' <= w.text[w.at] && w.text[w.at] <= '9' {
		w.at++
	}
	return w.at - start
}

// str reads the string that starts here. Only one with escapes has to be decoded.
func (w *walk) str() (s string, err error) {
	start := w.at
	escaped := false
	for w.at++; w.at < len(w.text) && w.text[w.at] != '"'; w.at++ {
		switch c := w.text[w.at]; {
		case c < ' ':
			return "", w.broken()
		case c == '\\':
			escaped = true
			w.at++ // whatever is escaped, it does not end the string
		}
	}
	if w.at >= len(w.text) {
		return "", w.broken()
	}
	w.at++
	if !escaped {
		return w.text[start+1 : w.at-1], nil
	}
	if err := json.Unmarshal([]byte(w.text[start:w.at]), &s); err != nil {
		return "", w.broken()
	}
	return s, nil
}

// keySet finds duplicate keys: by looking through the members while they are few.
type keySet map[string]struct{}

func (s *keySet) add(key string, before []Member) bool {
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
		*s = make(keySet, 2*few)
		for i := range before {
			(*s)[before[i].Key] = struct{}{}
		}
	}
	_, twice := (*s)[key]
	(*s)[key] = struct{}{}
	return !twice
}
