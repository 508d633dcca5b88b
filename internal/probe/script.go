package probe

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/wordcount"
)

// isDense tells whether a text begins in a script without spaces.
func isDense(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return wordcount.Dense(r)
}

// scripts gives the scripts of the languages that are not written in Latin letters alone.
var scripts = map[string][]*unicode.RangeTable{
	"zh": {unicode.Han, unicode.Bopomofo}, "ja": {unicode.Han, unicode.Hiragana, unicode.Katakana}, "ko": {unicode.Hangul},
	"ar": {unicode.Arabic}, "fa": {unicode.Arabic}, "ur": {unicode.Arabic}, "ps": {unicode.Arabic}, "he": {unicode.Hebrew}, "yi": {unicode.Hebrew},
	"sd": {unicode.Arabic, unicode.Devanagari}, "ku": {unicode.Latin, unicode.Arabic}, "ms": {unicode.Latin, unicode.Arabic}, "ha": {unicode.Latin, unicode.Arabic},
	"ff": {unicode.Latin, unicode.Adlam}, "bg": {unicode.Cyrillic}, "be": {unicode.Cyrillic}, "ru": {unicode.Cyrillic}, "uk": {unicode.Cyrillic}, "mk": {unicode.Cyrillic},
	"mn": {unicode.Cyrillic, unicode.Mongolian}, "kk": {unicode.Cyrillic, unicode.Latin}, "ky": {unicode.Cyrillic}, "tg": {unicode.Cyrillic}, "tt": {unicode.Cyrillic, unicode.Latin},
	"ba": {unicode.Cyrillic}, "sr": {unicode.Cyrillic, unicode.Latin}, "bs": {unicode.Latin, unicode.Cyrillic}, "uz": {unicode.Latin, unicode.Cyrillic},
	"az": {unicode.Latin, unicode.Cyrillic}, "tk": {unicode.Latin, unicode.Cyrillic}, "el": {unicode.Greek}, "hy": {unicode.Armenian}, "ka": {unicode.Georgian},
	"hi": {unicode.Devanagari}, "mr": {unicode.Devanagari}, "ne": {unicode.Devanagari}, "sa": {unicode.Devanagari}, "bn": {unicode.Bengali}, "as": {unicode.Bengali},
	"pa": {unicode.Gurmukhi, unicode.Arabic}, "gu": {unicode.Gujarati}, "or": {unicode.Oriya}, "ta": {unicode.Tamil}, "te": {unicode.Telugu}, "kn": {unicode.Kannada},
	"ml": {unicode.Malayalam}, "si": {unicode.Sinhala}, "th": {unicode.Thai}, "lo": {unicode.Lao}, "km": {unicode.Khmer}, "my": {unicode.Myanmar}, "bo": {unicode.Tibetan},
	"am": {unicode.Ethiopic}, "su": {unicode.Latin, unicode.Sundanese}, "jw": {unicode.Latin, unicode.Javanese},
}

var latin = []*unicode.RangeTable{unicode.Latin}

// Limits of what may stand in another script or language than the interview's, outside quotes and known words.
const (
	foreignRunes = 10 // letters in a row, where the interview is in Latin letters
	foreignWords = 5  // Latin words in a row, where it is not
	firstWords   = 8  // of a beginning, by which its language is told
	fewestWords  = 4  // too few words to tell a language by
	fewestSure   = 3  // common words of another language, with none of the interview's
)

// script finds a run of words in a script that is not the language's. What it finds in a beginning stays.
func (g *Guard) script(tokens []string) []Fault {
	own := g.tongue.scripts
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
			return []Fault{fault(Language, "It is written in another script than the interview's language (%s).", g.tongue.name)}
		}
	}
	return nil
}

func in(token string, tables []*unicode.RangeTable) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.In(r, tables...)
}

// language tells, of all words of a probe, whether they are in another language: most letters in another script, Chinese
// for Japanese and the reverse, or common words of another language with hardly any of the right one. A few words get the
// benefit of the doubt, and so does any language without a list but for English, which models fall back to.
func (g *Guard) language(tokens []string) []Fault {
	words := slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return !isWord(t) })
	mine, other, kana := 0, 0, false
	for _, w := range words {
		kana = kana || in(w, []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana})
		switch n := utf8.RuneCountInString(w); {
		case in(w, g.tongue.scripts):
			mine += n
		case !strings.Contains(g.known, w) && !unicode.IsDigit([]rune(w)[0]):
			other += n
		}
	}
	switch base := g.tongue.code; {
	case other > mine && other >= fewestWords, base == "ja" && !kana && mine > 2*fewestWords, base == "zh" && kana:
		return []Fault{fault(Language, "It is not in the interview's language (%s).", g.tongue.name)}
	}
	if name := g.otherLanguage(words); name != "" {
		return []Fault{fault(Language, "It is in %s, not in the interview's language (%s).", name, g.tongue.name)}
	}
	return g.chineseShapes(words)
}

// otherLanguage names the language whose common words the text holds, where it is surely not the interview's.
func (g *Guard) otherLanguage(words []string) string {
	if len(words) < fewestWords {
		return ""
	}
	own := g.tongue.common(words)
	for _, code := range listed {
		t := tongues[code]()
		n := t.common(words)
		switch {
		case code == g.tongue.code || t.scripts[0] != unicode.Latin || !slices.Contains(g.tongue.scripts, unicode.Latin):
		case g.tongue.stop == nil:
			if code == "en" && n >= fewestSure+1 && 2*n >= len(words) {
				return t.name
			}
		case own == 0 && n >= fewestSure || n >= own+fewestSure && n >= 2*own && 3*n >= len(words):
			return t.name
		}
	}
	return ""
}

// common counts the words that are common in the language.
func (t *tongue) common(words []string) (n int) {
	for _, w := range words {
		if t.stop[w] {
			n++
		}
	}
	return n
}

// Characters of common words that are written in one of the two ways alone.
const (
	simplified  = "们这说吗为么时对还样讲东个觉经发现过让该听问题边里"
	traditional = "們這說嗎為麼時對還樣講東個覺經發現過讓該聽問題邊裡"
)

// chineseShapes refuses simplified characters where the study is in traditional ones, and the reverse.
func (g *Guard) chineseShapes(words []string) []Fault {
	if g.tongue.code != "zh" {
		return nil
	}
	mine, others := 0, 0
	right, wrong := simplified, traditional
	if g.tongue.traditional {
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
	if others > fewestSure && others > mine {
		return []Fault{fault(Language, "It is not in the characters of the interview's language (%s).", g.tongue.name)}
	}
	return nil
}
