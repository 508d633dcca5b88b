package llm

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Partial reads a JSON object while it arrives, so that the text of a field can be examined and shown before the rest is
// there. The zero value is ready to use; pass the chunks to Write, which may be cut anywhere. Text before the object is
// skipped.
//
// Partial does not check the entire object: what follows a field may be invalid. At the first error in the JSON it stops
// reading.
type Partial struct {
	state   partialState
	key     text
	value   text
	literal []byte
	depth   int // of a skipped value
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
	inSkippedText // a string within that
	behindValue
	over // the object has ended, or is invalid
)

// Field returns a field of the object itself, as far as it has arrived: the text of a string, or a literal (true, false,
// null, a number) once it is complete. Objects and arrays are skipped.
func (p *Partial) Field(name string) (value string, complete bool) {
	if p.state == inText && string(p.key.out) == name {
		return string(p.value.out), false
	}
	value, complete = p.fields[name]
	return value, complete
}

// Write reads the next chunk.
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
		p.read(&p.value, b, func() { p.store(string(p.value.out)) })
	case inLiteral:
		if !blank && b != ',' && b != '}' {
			p.literal = append(p.literal, b)
			return
		}
		p.store(string(p.literal))
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

// expect continues with the value after white space, and stops at anything else.
func (p *Partial) expect(blank bool) {
	if !blank {
		p.state = over
	}
}

// read continues a string.
func (p *Partial) read(t *text, b byte, end func()) {
	switch t.step(b) {
	case closed:
		end()
	case broke:
		p.state = over
	}
}

// begin starts a value.
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

// store stores a value that is complete.
func (p *Partial) store(value string) {
	if p.fields == nil {
		p.fields = map[string]string{}
	}
	p.fields[string(p.key.out)] = value
	p.state = behindValue
}

// skip skips everything that is not a string within an object or an array.
func (p *Partial) skip(b byte) {
	switch b {
	case '"':
		p.value = text{}
		p.state = inSkippedText
	case '{', '[':
		p.depth++
	case '}', ']':
		if p.depth--; p.depth == 0 {
			delete(p.fields, string(p.key.out)) // as in decoders, the last of several wins
			p.state = behindValue
		}
	}
}

// text reads a JSON string after its opening quote, byte by byte, as encoding/json does: invalid characters become U+FFFD.
type text struct {
	out    []byte
	cut    []byte // the first bytes of an incomplete character
	escape int    // 1 after a backslash, 2 to 5 before the digits of \u
	unit   rune   // the digits so far
	high   rune   // the first half of a surrogate pair, waiting for the second
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

// flush replaces an incomplete character by U+FFFD.
func (t *text) flush() {
	for range t.cut {
		t.out = utf8.AppendRune(t.out, unicode.ReplacementChar)
	}
	t.cut = t.cut[:0]
}

// half replaces the first half of a surrogate pair without the second by U+FFFD.
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
	t.out = utf8.AppendRune(t.out, t.unit) // the second half of a pair alone: U+FFFD
	return more
}
