package masking

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// span is a passage that is masked, in bytes.
type span struct {
	start, end int
	kind       Kind
}

// kept marks a sealed placeholder, which stays as it is.
const kept Kind = "kept"

// find returns what is to be masked in a text, in order and without overlaps. Where two finds overlap, the first in the order of
// the finders wins, and then the longer one.
func find(text string, private *regexp.Regexp) (spans []span) {
	var all []span
	marks := [][]int(nil)
	if strings.ContainsAny(text, "["+string(sealed)+string(unsealed)) {
		marks = literalMarks.FindAllStringIndex(text, -1)
	}
	for _, at := range marks {
		kind := Literal
		if strings.ContainsRune(text[at[0]:at[1]], sealed) || strings.ContainsRune(text[at[0]:at[1]], unsealed) {
			kind = kept
		}
		all = append(all, span{at[0], at[1], kind})
	}
	f := fold(text)
	for _, finder := range []func(*folded) []span{addresses, contacts, numbers} {
		for _, s := range finder(f) {
			all = append(all, span{f.at[s.start], f.at[s.end], s.kind})
		}
	}
	if private != nil {
		for _, at := range private.FindAllStringIndex(text, -1) {
			if isWord(text, at[0], at[1]) {
				all = append(all, span{at[0], at[1], Private})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Or(rank(a.kind)-rank(b.kind), (b.end-b.start)-(a.end-a.start)) })
	taken := make([]bool, len(text))
	for _, s := range all {
		if s.end > s.start && !slices.Contains(taken[s.start:s.end], true) {
			spans = append(spans, s)
			for i := s.start; i < s.end; i++ {
				taken[i] = true
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// Spans returns where a text has what Mask would take out, as pairs of byte offsets, in order.
func Spans(text string) (found [][2]int) {
	for _, s := range find(text, nil) {
		if s.kind != Literal && s.kind != kept {
			found = append(found, [2]int{s.start, s.end})
		}
	}
	return found
}

// literalMarks matches what stands in a text as if it were a placeholder, and sealed ones. A stray mark of a seal is dropped.
var literalMarks = regexp.MustCompile(placeholders.String() + `|` + seals.String() + `|[` + string(sealed) + string(unsealed) + `]`)

// rank orders kinds where finds overlap.
func rank(k Kind) int {
	return slices.Index([]Kind{kept, Literal, Mail, Link, Account, Card, ID, Address, Phone, Handle, Number, Private}, k)
}

// isWord reports whether a passage is not part of a longer word. Words of scripts without spaces have no such borders.
func isWord(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	first, _ := utf8.DecodeRuneInString(text[start:])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	return !joins(before, first) && !joins(last, after)
}

func joins(a, b rune) bool {
	return isWordRune(a) && isWordRune(b) && !isSpaceless(a) && !isSpaceless(b)
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func isSpaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// folded is a text in which every digit, space, hyphen and full-width letter is the plain one, and characters without width are
// left out. at has, for each byte of it and for its end, the offset in the original.
type folded struct {
	text  string
	lower string // of the same length, except that only ASCII letters are lowered
	at    []int
}

func fold(text string) *folded {
	var b strings.Builder
	at := make([]int, 0, len(text)+1)
	for i, r := range text {
		if r == utf8.RuneError || unicode.Is(unicode.Cf, r) {
			continue
		}
		n := b.Len()
		b.WriteRune(plain(r))
		for range b.Len() - n {
			at = append(at, i)
		}
	}
	f := &folded{text: b.String(), at: append(at, len(text))}
	f.lower = strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, f.text)
	return f
}

// near returns the parts of a text within reach of any of the marks, in order and without overlaps: patterns are slow, and most texts
// have nothing to find.
func (f *folded) near(isMark func(b byte) bool) (parts []span) {
	const reach = 120 // bytes
	for i := 0; i < len(f.text); i++ {
		if !isMark(f.text[i]) {
			continue
		}
		start, end := max(0, i-reach), min(len(f.text), i+reach)
		for start > 0 && !utf8.RuneStart(f.text[start]) {
			start--
		}
		for end < len(f.text) && !utf8.RuneStart(f.text[end]) {
			end++
		}
		if last := len(parts) - 1; last >= 0 && start <= parts[last].end {
			parts[last].end = end
		} else {
			parts = append(parts, span{start: start, end: end})
		}
	}
	return parts
}

// lazy returns a pattern that is compiled when it is first used.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// holdsAny reports whether a text contains one of the words, or there are none.
func holdsAny(text string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// plain returns the ASCII character that a digit, space, hyphen or full-width character stands for, or the character itself.
func plain(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Pd, r) && r != '\u301C' && r != '\u3030' || r == '\u2212':
		return '-'
	}
	return r
}

// digitValue returns the value of a decimal digit: Unicode lists the digits of a script in runs of ten.
func digitValue(r rune) rune {
	for _, table := range unicode.Nd.R16 {
		if r >= rune(table.Lo) && r <= rune(table.Hi) {
			return (r - rune(table.Lo)) % 10
		}
	}
	for _, table := range unicode.Nd.R32 {
		if r >= rune(table.Lo) && r <= rune(table.Hi) {
			return (r - rune(table.Lo)) % 10
		}
	}
	return 0
}
