package translation

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
)

// base returns a language code without its region or variety.
func base(code string) string {
	b, _, _ := strings.Cut(code, "-")
	return b
}

// DifferentLanguage reports whether two codes are of different languages, whose readers do not understand each other's.
func DifferentLanguage(a, b string) bool { return base(a) != base(b) }

// languageViolation returns why a text is not in the language that it should be in, or "". Words that are copied from the
// source, such as names, are ignored; a short text may consist of names only.
func languageViolation(source, text, from, to string) string {
	own, sourceWords := wordsOf(text), wordsOf(source)
	foreign := DifferentLanguage(from, to)
	known := map[string]bool{}
	for _, word := range sourceWords {
		known[strings.ToLower(word)] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(own), func(word string) bool { return foreign && known[strings.ToLower(word)] })
	if foreign && len(fresh) == 0 {
		if len(sourceWords) < 4 {
			return ""
		}
		return "it is not translated"
	}
	if foreign && !similar(base(from), base(to)) && mostlyCopied(own, sourceWords) {
		return "it is not translated"
	}
	letters, right := 0, 0
	for _, word := range fresh {
		for _, r := range word {
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			if unicode.In(r, lang.Scripts(to)...) {
				right++
			}
		}
	}
	if 5*right < 3*letters {
		return fmt.Sprintf("%d of %d letters are of the script of %s", right, letters, to)
	}
	if violation := eastAsian(text, to); violation != "" {
		return violation
	}
	if other := otherLanguage(own, to); foreign && other != "" {
		return "it reads as " + other
	}
	return ""
}

// eastAsian distinguishes Japanese from Chinese, and the two Chinese scripts from each other.
func eastAsian(text, to string) string {
	kana, han, simple, full := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.In(r, unicode.Han):
			han++
			if strings.ContainsRune(lang.Simplified, r) {
				simple++
			} else if strings.ContainsRune(lang.Traditional, r) {
				full++
			}
		}
	}
	switch {
	case base(to) == "zh" && 4*kana > kana+han:
		return "it reads as ja"
	case base(to) == "ja" && kana == 0 && (han >= 12 || simple >= 3):
		return "it reads as zh"
	case to == "zh" && full >= 2 && full > 2*simple:
		return "it is in traditional characters"
	case (to == "zh-TW" || to == "zh-HK") && simple >= 2 && simple > 2*full:
		return "it is in simplified characters"
	}
	return ""
}

// wordsOf returns the runs of letters of a text, split where Latin letters meet others: names are written between those
// without a space.
func wordsOf(text string) (words []string) {
	begin, latin := -1, false
	for i, r := range text {
		part := unicode.IsLetter(r) || begin >= 0 && (unicode.IsMark(r) || r == '\'' || r == '’')
		isLatin := latin
		if unicode.IsLetter(r) {
			isLatin = unicode.Is(unicode.Latin, r)
		}
		if begin >= 0 && (!part || isLatin != latin) {
			words, begin = append(words, text[begin:i]), -1
		}
		if part && begin < 0 {
			begin = i
		}
		latin = isLatin
	}
	if begin >= 0 {
		words = append(words, text[begin:])
	}
	return words
}

// similarLanguages lists groups of languages that share so many function words that these do not distinguish them.
var similarLanguages = [][]string{
	{"da", "no", "nn", "sv", "fo", "is"},
	{"es", "pt", "gl", "ca", "ast", "oc", "it", "kea"},
	{"cs", "sk", "pl", "sl", "hr", "bs", "sr"},
	{"id", "ms", "jw", "su"},
	{"nl", "af", "de", "lb", "yi"},
	{"fr", "ht", "oc", "br"},
	{"ru", "uk", "be", "bg", "mk", "sr"},
	{"fi", "et"},
	{"tr", "az", "tk", "tt", "ba"},
	{"ar", "fa", "ur", "ps", "sd", "ku"},
	{"hi", "mr", "ne", "sa"},
	{"as", "bn"},
}

// similar reports whether function words do not distinguish two languages.
func similar(a, b string) bool {
	return a == b || slices.ContainsFunc(similarLanguages, func(set []string) bool { return slices.Contains(set, a) && slices.Contains(set, b) })
}

// mostlyCopied reports whether most words of a text are copied from the source and are not names: they begin with a small
// letter.
func mostlyCopied(own, source []string) bool {
	kept := 0
	for _, word := range own {
		if strings.ToLower(word) == word && slices.Contains(source, word) {
			kept++
		}
	}
	return kept >= 3 && 2*kept > len(own)
}

// otherLanguage returns the language whose function words a text contains, if it is clearly not the expected one; otherwise
// "". Only different words count: a language without a list may repeat one that looks like a word of another.
func otherLanguage(words []string, to string) string {
	if len(words) < 4 {
		return ""
	}
	target, hits, different := base(to), map[string]int{}, map[string]bool{}
	for _, word := range words {
		word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
		if different[word] {
			continue
		}
		different[word] = true
		if utf8.RuneCountInString(word) < 2 { // many languages have words of one letter
			continue
		}
		for _, code := range lang.WithFunctionWords {
			if lang.FunctionWords(code)[word] {
				hits[code]++
			}
		}
	}
	best := ""
	for code, n := range hits {
		if !similar(code, target) && (best == "" || n > hits[best] || n == hits[best] && code < best) {
			best = code
		}
	}
	if best != "" && hits[best] >= 3 && hits[best] > 2*hits[target] && 4*hits[best] >= len(different) {
		return best
	}
	return ""
}
