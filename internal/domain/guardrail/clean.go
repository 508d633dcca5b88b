package guardrail

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean removes from a text what is invisible or would change how the rest is shown: control characters, zero-width characters,
// marks that reverse the direction, invalid bytes. White space becomes single spaces, with none at the ends.
func Clean(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	var before rune
	space := false
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case hidden(before, r, next(text, i, r)):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// next returns the rune after r at i, or 0 at the end.
func next(text string, i int, r rune) rune {
	n, size := utf8.DecodeRuneInString(text[min(len(text), i+max(1, utf8.RuneLen(r))):])
	if size == 0 {
		return 0
	}
	return n
}

// hidden reports whether a character does not belong in visible text. Joiners belong between letters of the scripts that need
// them and within emoji; at the end of a text a joiner is allowed, since more may follow.
func hidden(before, r, after rune) bool {
	switch {
	case r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.In(r, unicode.Co, unicode.Cs):
		return true
	case r == '\u200c' || r == '\u200d':
		return !joins(before) || after != 0 && !joins(after)
	}
	return unicode.Is(unicode.Cf, r) || r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0'
}

func joins(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Mc) ||
		unicode.IsLetter(r) && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
			unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

// unclean finds hidden characters, and words that mix letters of alphabets whose letters look alike, unless the researcher wrote
// them.
func (g *Guard) unclean(words string) []Violation {
	var before rune
	var word []rune
	mixed := func() bool {
		latin, other := false, false
		for _, r := range word {
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee)
		}
		return latin && other && !strings.Contains(g.guide, strings.ToLower(string(word)))
	}
	for i, r := range words {
		if hidden(before, r, next(words, i, r)) {
			return []Violation{violation(Unclean, "It holds the character %U, which is not shown; write plain words.", r)}
		}
		if before = r; unicode.IsLetter(r) || unicode.IsMark(r) {
			word = append(word, r)
			continue
		}
		if mixed() {
			return []Violation{violation(Unclean, "The word %q mixes letters of different scripts.", string(word))}
		}
		word = word[:0]
	}
	if mixed() {
		return []Violation{violation(Unclean, "The word %q mixes letters of different scripts.", string(word))}
	}
	return nil
}
