package strictjson

import (
	"encoding/json"
	"fmt"
	"strings"
)

// walk builds the tree of a text that is known to be JSON. What it still refuses is what the grammar allows and we do
// not: duplicate keys and bottomless nesting.
type walk struct {
	text string
	at   int // offset of the next byte
}

func (w *walk) fail(at int, message string) error { return syntaxError([]byte(w.text), at, message) }

// next skips blanks and is the byte that follows them.
func (w *walk) next() byte {
	for {
		switch c := w.text[w.at]; c {
		case ' ', '\t', '\n', '\r':
			w.at++
		default:
			return c
		}
	}
}

func (w *walk) value(v *Value, depth int) error {
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
		v.Kind, v.Text = String, w.str()
		return nil
	case 'n':
		v.Kind = Null
	case 't', 'f':
		v.Kind = Bool
	default:
		v.Kind = Number
	}
	literal := w.text[w.at:]
	if end := strings.IndexAny(literal, ",]} \t\n\r"); end >= 0 {
		literal = literal[:end]
	}
	w.at += len(literal)
	if v.Kind != Null {
		v.Text = literal
	}
	return nil
}

func (w *walk) array(v *Value, depth int) error {
	v.Kind = Array
	for w.next() != ']' {
		v.Elements = append(v.Elements, Value{})
		if err := w.value(&v.Elements[len(v.Elements)-1], depth); err != nil {
			return err
		}
		if w.next() == ',' {
			w.at++
		}
	}
	w.at++
	return nil
}

func (w *walk) object(v *Value, depth int) error {
	v.Kind = Map
	var seen keySet
	for w.next() != '}' {
		start := w.at
		key := w.str()
		if !seen.add(key, v.Members) {
			return w.fail(start, fmt.Sprintf("duplicate key %q", clip(key)))
		}
		w.next()
		w.at++ // the colon
		v.Members = append(v.Members, Member{Key: key})
		if err := w.value(&v.Members[len(v.Members)-1].Value, depth); err != nil {
			return err
		}
		if w.next() == ',' {
			w.at++
		}
	}
	w.at++
	return nil
}

// str reads the string that starts here. Only one with escapes has to be decoded.
func (w *walk) str() string {
	start := w.at
	escaped := false
	for w.at++; w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			escaped = true
			w.at++
		}
	}
	w.at++
	if !escaped {
		return w.text[start+1 : w.at-1]
	}
	var s string
	if err := json.Unmarshal([]byte(w.text[start:w.at]), &s); err != nil {
		panic("strictjson: a string of valid JSON did not decode: " + err.Error())
	}
	return s
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
