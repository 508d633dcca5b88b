package evidence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// MinLetters is the number of letters and digits that a quote needs to prove anything. In scripts without spaces each counts twice.
const MinLetters = 8

// Turn is a participant's words in one row of the transcript. What the moderator said is not evidence.
type Turn struct {
	Row  int
	Text string
}

// Span is a passage of a turn's text. Start and End are byte offsets; End is exclusive.
type Span struct {
	Row, Start, End int
}

// Reader finds quotes in the turns of one interview. It is read-only and safe for concurrent use.
type Reader struct {
	turns []Turn
	texts []folded
}

// Read prepares turns for searching.
func Read(turns []Turn) *Reader {
	r := &Reader{turns: turns, texts: make([]folded, len(turns))}
	for i, t := range turns {
		r.texts[i] = fold(t.Text)
	}
	return r
}

// Find returns where a quote first stands in the turns. ok is false if it stands in no single turn, begins or ends within a word,
// or has fewer than MinLetters.
func (r *Reader) Find(quote string) (span Span, ok bool) {
	if Letters(quote) < MinLetters {
		return Span{}, false
	}
	return r.Locate(quote)
}

// Locate is Find for a quote of any length. It is for callers that know that the quote was said: a single word proves nothing.
func (r *Reader) Locate(quote string) (span Span, ok bool) {
	quote = strings.TrimSpace(Fold(quote))
	if quote == "" {
		return Span{}, false
	}
	for i := range r.texts {
		if from, to, ok := r.texts[i].find(quote); ok {
			return Span{Row: r.turns[i].Row, Start: from, End: to}, true
		}
	}
	return Span{}, false
}

// Text returns the text of a span, or "" for a span that is not of these turns.
func (r *Reader) Text(s Span) string {
	for _, t := range r.turns {
		if t.Row == s.Row && 0 <= s.Start && s.Start <= s.End && s.End <= len(t.Text) {
			return t.Text[s.Start:s.End]
		}
	}
	return ""
}

// find looks for a folded quote that begins and ends at segments and does not cut a word.
func (f *folded) find(quote string) (from, to int, ok bool) {
	for at := 0; ; {
		next := strings.Index(f.text[at:], quote)
		if next < 0 {
			return 0, 0, false
		}
		begin := at + next
		end := begin + len(quote)
		first, isBegin := f.segmentAt(begin)
		last, isEnd := f.segmentAt(end)
		if isBegin && isEnd && f.wordEnds(begin) && f.wordEnds(end) {
			return f.segments[first].original, f.segments[last].original, true
		}
		_, size := utf8.DecodeRuneInString(f.text[begin:])
		at = begin + size
	}
}

// segmentAt returns the index of the segment that begins at an offset of the folded text, and whether there is one.
func (f *folded) segmentAt(at int) (int, bool) {
	i := sort.Search(len(f.segments), func(i int) bool { return f.segments[i].from >= at })
	return i, i < len(f.segments) && f.segments[i].from == at
}

// wordEnds reports whether no word or number is cut at an offset of the folded text at which a segment begins. Scripts without
// spaces are only cut at combining marks.
func (f *folded) wordEnds(at int) bool {
	if at == 0 || at == len(f.text) {
		return true
	}
	before, size := utf8.DecodeLastRuneInString(f.text[:at])
	first, _ := utf8.DecodeLastRuneInString(f.text[:at-size])
	after, size := utf8.DecodeRuneInString(f.text[at:])
	last, _ := utf8.DecodeRuneInString(f.text[at+size:])
	switch {
	case unicode.IsMark(after):
		return false
	case inWord(before) && inWord(after):
		return lang.Unspaced(before) || lang.Unspaced(after)
	case inWord(before): // I can|'t, 1|.5, 2|-room
		return !f.joins(at, before, after, last)
	case inWord(after): // non-|smoker, 1.|5, -|5
		i, _ := f.segmentAt(at)
		return !f.joins(f.segments[i-1].from, first, before, after) && (!unicode.IsDigit(after) || before != '-' || inWord(first))
	}
	return true
}

// joins reports whether the character at an offset makes one word, or one number, of what stands on both sides of it. A dash does
// not, but a hyphen does, though both are folded to the same character.
func (f *folded) joins(at int, before, sign, after rune) bool {
	digits := unicode.IsDigit(before) && unicode.IsDigit(after)
	switch sign {
	case '\'':
		return inWord(before) && inWord(after)
	case '-':
		i, _ := f.segmentAt(at)
		was, _ := utf8.DecodeRuneInString(f.original[f.segments[i].original:])
		return inWord(before) && inWord(after) && strings.ContainsRune("-\u2010\u2011", was)
	case '.', ',', ':', '/':
		return digits
	}
	return false
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// Letters counts letters and digits; in scripts without spaces each letter counts twice.
func Letters(quote string) (n int) {
	for _, r := range quote {
		switch {
		case lang.Unspaced(r) && unicode.IsLetter(r):
			n += 2
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			n++
		}
	}
	return n
}
