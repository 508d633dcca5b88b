package llm

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Partial reads a JSON object while it still arrives, so that the words of a field can be looked at, and shown, before the rest
// is there. The zero value is ready; Write it the pieces, which may be cut anywhere. What stands before the object is passed over.
//
// It promises nothing of the object: what comes behind a field may break it. Where the JSON is broken, nothing more is read.
type Partial struct {
	state   partialState
	key     text
	value   text
	literal []byte
	depth   int // of a value that is skipped
	fields  map[string]string
}

type partialState int

const (
	beforeObject partialState = iota
	beforeKey
	inKey
	beforeColon
	beforeValue
	inText
	inLiteral
	inSkipped     // an object or an array
	inSkippedText // a text within that
	behindValue
	over // the object has ended, or is broken
)

// Field is a field of the object itself, as far as it goes: the text of a text, or a literal (true, false, null, a number) when all of
// it is there. Objects and arrays are passed over.
func (p *Partial) Field(name string) (value string, whole bool) {
	if p.state == inText && string(p.key.out) == name {
		return string(p.value.out), false
	}
	value, whole = p.fields[name]
	return value, whole
}

// Write takes the next piece.
func (p *Partial) Write(chunk string) {
	for i := 0; i < len(chunk) && p.state != over; i++ {
		p.step(chunk[i])
	}
}

func (p *Partial) step(b byte) {
	blank := b == ' ' || b == '\t' || b == '\r' || b == '\n'
	switch p.state {
	case beforeObject:
		if b == '{' {
			p.state = beforeKey
		}
	case beforeKey:
		if b == '"' {
			p.key = text{}
			p.state = inKey
		} else {
			p.expect(blank)
		}
	case inKey:
		p.read(&p.key, b, func() { p.state = beforeColon })
	case beforeColon:
		if b == ':' {
			p.state = beforeValue
		} else {
			p.expect(blank)
		}
	case beforeValue:
		if !blank {
			p.begin(b)
		}
	case inText:
		p.read(&p.value, b, func() { p.keep(string(p.value.out)) })
	case inLiteral:
		if !blank && b != ',' && b != '}' {
			p.literal = append(p.literal, b)
			return
		}
		p.keep(string(p.literal))
		p.step(b)
	case inSkipped:
		p.skip(b)
	case inSkippedText:
		p.read(&p.value, b, func() { p.state = inSkipped })
	case behindValue:
		if b == ',' {
			p.state = beforeKey
		} else {
			p.expect(blank)
		}
	}
}

// expect goes on behind a blank, and behind nothing else.
func (p *Partial) expect(blank bool) {
	if !blank {
		p.state = over
	}
}

// read goes on in a text.
func (p *Partial) read(t *text, b byte, end func()) {
	switch t.step(b) {
	case closed:
		end()
	case broke:
		p.state = over
	}
}

// begin enters a value.
func (p *Partial) begin(b byte) {
	p.value, p.literal, p.depth = text{}, nil, 0
	switch b {
	case '"':
		p.state = inText
	case '{', '[':
		p.state, p.depth = inSkipped, 1
	default:
		p.state, p.literal = inLiteral, []byte{b}
	}
}

// keep ends a value that was read.
func (p *Partial) keep(value string) {
	if p.fields == nil {
		p.fields = map[string]string{}
	}
	p.fields[string(p.key.out)] = value
	p.state = behindValue
}

// skip passes over what is no text, within an object or an array.
func (p *Partial) skip(b byte) {
	switch b {
	case '"':
		p.value = text{}
		p.state = inSkippedText
	case '{', '[':
		p.depth++
	case '}', ']':
		if p.depth--; p.depth == 0 {
			delete(p.fields, string(p.key.out)) // as decoders do, the last of several counts
			p.state = behindValue
		}
	}
}

// text reads a JSON text behind its opening quote, byte by byte, as encoding/json does: what is no character becomes U+FFFD.
type text struct {
	out    []byte
	cut    []byte // the beginning of a character
	escape int    // 1 behind a backslash, 2 to 5 before the digits of \u
	unit   rune   // the digits so far
	high   rune   // the first half of a surrogate pair that waits for the second
}

type progress int

const (
	more progress = iota
	closed
	broke
)

func (t *text) step(b byte) progress {
	switch {
	case t.escape == 1:
		return t.escaped(b)
	case t.escape > 1:
		return t.digit(b)
	case b == '\\':
		t.flush()
		t.escape = 1
	case b == '"':
		t.flush()
		t.half()
		return closed
	case b < ' ':
		return broke
	default:
		t.half()
		t.cut = append(t.cut, b)
		for len(t.cut) > 0 && utf8.FullRune(t.cut) {
			r, size := utf8.DecodeRune(t.cut)
			t.out = utf8.AppendRune(t.out, r)
			t.cut = t.cut[size:]
		}
	}
	return more
}

// flush gives up on the beginning of a character.
func (t *text) flush() {
	for range t.cut {
		t.out = utf8.AppendRune(t.out, unicode.ReplacementChar)
	}
	t.cut = t.cut[:0]
}

// half gives up on the second half of a surrogate pair.
func (t *text) half() {
	if t.high != 0 {
		t.out = utf8.AppendRune(t.out, unicode.ReplacementChar)
		t.high = 0
	}
}

func (t *text) escaped(b byte) progress {
	if b == 'u' {
		t.escape, t.unit = 2, 0
		return more
	}
	t.half()
	t.escape = 0
	switch b {
	case '"', '\\', '/':
	case 'b':
		b = '\b'
	case 'f':
		b = '\f'
	case 'n':
		b = '\n'
	case 'r':
		b = '\r'
	case 't':
		b = '\t'
	default:
		return broke
	}
	t.out = append(t.out, b)
	return more
}

func (t *text) digit(b byte) progress {
	switch {
	case '0' <= b && b <= '9':
		b -= '0'
	case 'a' <= b && b <= 'f':
		b -= 'a' - 10
	case 'A' <= b && b <= 'F':
		b -= 'A' - 10
	default:
		return broke
	}
	t.unit = t.unit<<4 | rune(b)
	if t.escape++; t.escape <= 5 {
		return more
	}
	t.escape = 0
	if t.high != 0 {
		if pair := utf16.DecodeRune(t.high, t.unit); pair != unicode.ReplacementChar {
			t.out = utf8.AppendRune(t.out, pair)
			t.high = 0
			return more
		}
	}
	t.half()
	if t.unit >= 0xD800 && t.unit < 0xDC00 {
		t.high = t.unit
		return more
	}
	t.out = utf8.AppendRune(t.out, t.unit) // of the second half of a pair alone: U+FFFD
	return more
}
