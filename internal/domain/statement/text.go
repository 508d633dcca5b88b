package statement

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/spanish"
	"golang.org/x/text/unicode/norm"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

// word is a word or a number of a text, folded. Elided and contracted words are divided: "j'ai" is two words, and "don't" is "do"
// and "not".
type word struct {
	form       string
	start, end int  // bytes of the text
	upper      bool // it begins with a capital
}

// contractions of English, with the word that each stands for.
var contractions = []struct{ suffix, form string }{{"n't", "not"}, {"'ll", "will"}, {"'re", "are"}, {"'ve", "have"}, {"'s", "'s"}, {"'d", "would"}, {"'m", "am"}}

// token matches words with what belongs into them, and numbers with their separators.
var token = regexp.MustCompile(`\p{Nd}+(?:[.,:'’٫٬\x{00a0}\x{202f}]\p{Nd}+)*\pL*|[\pL\p{M}]+(?:['’ʼ][\pL\p{M}]+)*['’]?|[½⅓¼¾⅔]`)

// wordsOf divides a text.
func wordsOf(text string) (all []word) {
	for _, at := range token.FindAllStringIndex(text, -1) {
		raw := text[at[0]:at[1]]
		first, _ := utf8.DecodeRuneInString(raw)
		w := word{form: fold(raw), start: at[0], end: at[1], upper: unicode.IsUpper(first)}
		if w.form == "cannot" {
			w.form = "can't"
		}
		all = append(all, split(w, raw)...)
	}
	return all
}

// split divides a word at its apostrophe.
func split(w word, raw string) []word {
	mark := strings.IndexAny(raw, "'’ʼ")
	if mark < 0 {
		return []word{w}
	}
	divided := func(at int, before, after string) []word {
		first, second := w, w
		first.form, first.end = before, w.start+at
		second.form, second.start, second.upper = after, w.start+at, false
		return []word{first, second}
	}
	for _, c := range contractions {
		if before, found := strings.CutSuffix(w.form, c.suffix); found && before != "" {
			at := mark
			if c.form == "not" {
				at--
			}
			return divided(at, before, c.form)
		}
	}
	if before, after, found := strings.Cut(w.form, "'"); found && after != "" && utf8.RuneCountInString(before) <= 5 {
		_, n := utf8.DecodeRuneInString(raw[mark:])
		return divided(mark+n, before+"'", after)
	}
	w.form = strings.TrimSuffix(w.form, "'")
	return []word{w}
}

// padded returns the words with single spaces between and around them, so that a phrase can be looked for.
func padded(all []word) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range all {
		b.WriteString(w.form)
		b.WriteByte(' ')
	}
	return b.String()
}

// ends are the signs that end a sentence, and pauses those between its clauses.
const (
	ends   = ".!?。！？؟\n;；؛"
	pauses = ",،，、:："
)

// sentence returns the bounds of the sentence, or of its part between semicolons, that holds a passage.
func sentence(text string, from, to int) (begin, end int) {
	begin, end = 0, len(text)
	for i, r := range text[:from] {
		if isEnd(text, i, r) {
			begin = i + utf8.RuneLen(r)
		}
	}
	if last := strings.TrimRight(text[from:to], " \"'”’»」』)"); last != "" {
		if r, n := utf8.DecodeLastRuneInString(last); isEnd(text, from+len(last)-n, r) {
			return begin, to // the passage ends its sentence
		}
	}
	for i, r := range text[to:] {
		if isEnd(text, to+i, r) {
			return begin, to + i
		}
	}
	return begin, end
}

// isEnd reports whether the character at an offset ends a sentence. A full stop within a number or before a small letter does not.
func isEnd(text string, at int, r rune) bool {
	if strings.ContainsRune("–—", r) {
		return at > 0 && text[at-1] == ' '
	}
	if !strings.ContainsRune(ends, r) || r == utf8.RuneError {
		return false
	}
	if r != '.' {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[at+1:])
	return !unicode.IsDigit(next) && !unicode.IsLetter(next)
}

// sentencesOf returns the sentences of a text.
func sentencesOf(text string) (all []string) {
	begin := 0
	for i, r := range text {
		if isEnd(text, i, r) {
			all = append(all, text[begin:i])
			begin = i + utf8.RuneLen(r)
		}
	}
	return append(all, text[begin:])
}

// languageOf returns the language of a text: that of its script, or the one with the most of its function words, and otherwise the
// expected one.
func languageOf(text, expected string) string {
	expected, _, _ = strings.Cut(expected, "-")
	han := false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Han, r):
			han = true
		case unicode.Is(unicode.Arabic, r):
			return "ar"
		}
	}
	if han {
		if expected == "ja" {
			return "ja"
		}
		return "zh"
	}
	all, best, bestHits := wordsOf(text), expected, 0
	for code := range lexicons() {
		hits, list := 0, lang.FunctionWords(code)
		for _, w := range all {
			if list[w.form] {
				hits += 2
			}
		}
		if code == expected {
			hits = hits*3/2 + 3
		}
		if hits > bestHits || hits == bestHits && code < best && best != expected {
			best, bestHits = code, hits
		}
	}
	return best
}

var stemmers = map[string]func(string, bool) string{"en": english.Stem, "fr": french.Stem, "es": spanish.Stem}

// stem maps the forms of a word to one form.
func stem(form, language string) string {
	form = plain(form)
	if s := stemmers[language]; s != nil {
		return plain(s(form, true))
	}
	for _, ending := range []string{"en", "er", "es", "em", "e", "n", "s", "i", "a", "o"} {
		if utf8.RuneCountInString(form) >= len(ending)+4 && strings.HasSuffix(form, ending) {
			return strings.TrimSuffix(form, ending)
		}
	}
	return form
}

// contentUnits are the classes of units whose words say something by themselves.
var contentUnits = map[string]bool{"child": true, "night": true, "acre": true}

// stemsOf returns the stems of the content words of a text, without numbers and units. Where words are not divided, they are its pairs of characters.
func stemsOf(text, language string) (all []string) {
	function, numbers := lang.FunctionWords(language), numberWords(language)
	for _, w := range wordsOf(text) {
		first, _ := utf8.DecodeRuneInString(w.form)
		if lang.Unspaced(first) {
			runes := []rune(w.form)
			for i := 0; i+1 < len(runes); i++ {
				if !unicode.Is(unicode.Hiragana, runes[i]) {
					all = append(all, string(runes[i:i+2]))
				}
			}
			continue
		}
		form := w.form
		if language == "ar" {
			form = bareArabic(form)
		}
		if class := units[w.form]; class != "" && !contentUnits[class] || numbers[w.form] > 0 {
			continue
		}
		if !function[w.form] && !unicode.IsDigit(first) && utf8.RuneCountInString(form) >= 3 {
			all = append(all, stem(form, language))
		}
	}
	return all
}

// bareArabic removes the conjunction, preposition and article that are written with the next word.
func bareArabic(form string) string {
	for _, prefix := range []string{"و", "ف", "ب", "ك", "ل"} {
		if rest, found := strings.CutPrefix(form, prefix); found && utf8.RuneCountInString(rest) >= 4 {
			form = rest
			break
		}
	}
	return strings.TrimPrefix(form, "ال")
}

// alike reports whether two stems are of the same word: one begins with the other, and neither is short.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	n := utf8.RuneCountInString(a)
	switch {
	case n >= 4 && strings.HasPrefix(b, a):
		return true
	case n < 6:
		return false
	}
	return string([]rune(a)[:n-1]) == string([]rune(b)[:n-1]) || string([]rune(a)[:6]) == string([]rune(b)[:6])
}

// shared returns how many of the stems are among others.
func shared(stems, others []string) (n int) {
	for _, s := range stems {
		for _, other := range others {
			if alike(s, other) {
				n++
				break
			}
		}
	}
	return n
}

// plain returns a word without accents.
func plain(form string) string {
	if !strings.ContainsFunc(form, func(r rune) bool { return r >= 0x80 }) {
		return form
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(form))
}

// fold returns a text as package evidence compares it, in small letters, as the lists of words have them.
func fold(text string) string { return strings.ToLower(evidence.Fold(text)) }
