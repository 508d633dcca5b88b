package evidence

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold maps texts that say the same words to the same form; see the package comment.
func Fold(text string) string { return fold(text).text }

// folded is a text in its folded form, divided into segments: a character with its marks, or a run of spaces.
type folded struct {
	text     string
	original string
	segments []segment
}

// segment is the offset of a segment's first byte. It ends where the next one begins; the last segment is empty.
type segment struct {
	from     int // offset in the folded text
	original int // offset in the original
}

func fold(text string) folded {
	var b strings.Builder
	b.Grow(len(text))
	f := folded{original: text, segments: make([]segment, 0, len(text)+1)}
	for i := 0; i < len(text); {
		f.segments = append(f.segments, segment{b.Len(), i})
		if n := spaces(text[i:]); n > 0 {
			b.WriteByte(' ')
			i += n
			continue
		}
		if c := text[i]; c < 0x80 && (i+1 == len(text) || text[i+1] < 0x80) { // nothing combines with the next character
			b.WriteString(plainOf(foldRune(rune(c))))
			i++
			continue
		}
		n := norm.NFC.NextBoundaryInString(text[i:], true)
		for _, r := range norm.NFC.String(text[i : i+n]) {
			b.WriteString(plainOf(foldRune(r)))
		}
		i += n
	}
	f.text = b.String()
	f.segments = append(f.segments, segment{b.Len(), len(text)})
	return f
}

// spaces returns the length of the run of white space at the start of a text.
func spaces(text string) int {
	for i, r := range text {
		if !unicode.IsSpace(r) {
			return i
		}
	}
	return len(text)
}

// foldRune returns the smallest of the characters that differ from r only in case.
func foldRune(r rune) rune {
	if r < 0x80 {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if 'A' <= least && least <= 'Z' { // folded like the ASCII letters: the long s, and the kelvin sign
		least += 'a' - 'A'
	}
	return least
}

// plainOf returns a character without its typography.
func plainOf(r rune) string {
	switch r {
	case '‘', '’', '‚', '‛', 'ʼ', '′', '`', '´':
		return "'"
	case '“', '”', '„', '‟', '«', '»', '″':
		return `"`
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return "-"
	case '…':
		return "..."
	}
	return string(r)
}
