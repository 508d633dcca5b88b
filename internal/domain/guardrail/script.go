package guardrail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// isDense reports whether a text begins in a script without spaces.
func isDense(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return lang.Unspaced(r)
}

// Limits of words in another script or language than the interview's, outside quotes and known words.
const (
	foreignRunes = 10 // letters in a row, if the interview is in Latin letters
	foreignWords = 5  // Latin words in a row, if it is not
	firstWords   = 8  // words at the beginning by which its language is recognized
	minWords     = 4  // least number of words by which a language can be recognized
	minCommon    = 3  // common words of another language, with none of the interview's
)

// script finds a run of words in a script that is not the language's. What it finds in the beginning of a probe does not depend
// on the rest.
func (g *Guard) script(tokens []string) []Violation {
	own := g.lexicon.scripts
	ownLatin := slices.Contains(own, unicode.Latin)
	words, runes := 0, 0
	for _, token := range tokens {
		switch {
		case !isWord(token) || unicode.IsDigit([]rune(token)[0]) || strings.Contains(g.known, token):
			continue
		case in(token, own):
			words, runes = 0, 0
			continue
		}
		words++
		runes += utf8.RuneCountInString(token)
		if ownLatin && runes >= foreignRunes || !ownLatin && (words >= foreignWords && unicode.Is(unicode.Latin, []rune(token)[0]) || runes >= 3*foreignRunes) {
			return []Violation{violation(Language, "It is written in another script than the interview's language (%s).", g.lexicon.name)}
		}
	}
	return nil
}

func in(token string, tables []*unicode.RangeTable) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.In(r, tables...)
}

// language checks whether the words of a probe are in another language: most letters in another script, Chinese for Japanese and
// the reverse, or common words of another language with hardly any of the right one. A few words get the benefit of the doubt,
// and so does any language without a list, except that English is recognized, which models fall back to.
func (g *Guard) language(tokens []string) []Violation {
	words := slices.DeleteFunc(slices.Clone(tokens), func(l string) bool { return !isWord(l) })
	mine, other, kana := 0, 0, false
	for _, w := range words {
		kana = kana || in(w, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana})
		switch n := utf8.RuneCountInString(w); {
		case in(w, g.lexicon.scripts):
			mine += n
		case !strings.Contains(g.known, w) && !unicode.IsDigit([]rune(w)[0]):
			other += n
		}
	}
	switch base := g.lexicon.code; {
	case other > mine && other >= minWords, base == "ja" && !kana && mine > 2*minWords, base == "zh" && kana:
		return []Violation{violation(Language, "It is not in the interview's language (%s).", g.lexicon.name)}
	}
	if name := g.otherLanguage(words); name != "" {
		return []Violation{violation(Language, "It is in %s, not in the interview's language (%s).", name, g.lexicon.name)}
	}
	return g.chineseShapes(words)
}

// otherLanguage returns the name of the language whose common words the text contains, if it is surely not the interview's, or
// "".
func (g *Guard) otherLanguage(words []string) string {
	if len(words) < minWords {
		return ""
	}
	own := g.lexicon.common(words)
	for _, code := range listed {
		l := lexicons[code]()
		n := l.common(words)
		switch {
		case code == g.lexicon.code || l.scripts[0] != unicode.Latin || !slices.Contains(g.lexicon.scripts, unicode.Latin):
		case g.lexicon.stop == nil:
			if code == "en" && n >= minCommon+1 && 2*n >= len(words) {
				return l.name
			}
		case own == 0 && n >= minCommon || n >= own+minCommon && n >= 2*own && 3*n >= len(words):
			return l.name
		}
	}
	return ""
}

// common counts the words that are common in the language.
func (l *lexicon) common(words []string) (n int) {
	for _, w := range words {
		if l.stop[w] {
			n++
		}
	}
	return n
}

// chineseShapes refuses simplified characters if the study is in traditional ones, and the reverse.
func (g *Guard) chineseShapes(words []string) []Violation {
	if g.lexicon.code != "zh" {
		return nil
	}
	mine, others := 0, 0
	right, wrong := lang.Simplified, lang.Traditional
	if g.lexicon.traditional {
		right, wrong = wrong, right
	}
	for _, w := range words {
		switch inRight, inWrong := strings.Contains(right, w), strings.Contains(wrong, w); {
		case inRight == inWrong:
		case inRight:
			mine++
		default:
			others++
		}
	}
	if others > minCommon && others > mine {
		return []Violation{violation(Language, "It is not in the characters of the interview's language (%s).", g.lexicon.name)}
	}
	return nil
}
