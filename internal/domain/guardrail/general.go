package guardrail

import (
	"strings"
	"unicode/utf8"
)

// generalWords are the words of conversation at large: verbs of saying, thinking, doing and moving, time, place, people, manner, degree. They
// name no subject, so that a question may use them without a tie. Unlike the classes they do not show what a question asks for. The files in
// words/general hold words and beginnings of words that end in *; for Chinese and Japanese single characters.
type generalWords struct {
	complete, prefix map[string]bool
	runes            map[rune]bool
}

func readGeneral(code string) *generalWords {
	text, err := wordFiles.ReadFile("words/general/" + code + ".txt")
	if err != nil {
		panic(err)
	}
	words := &generalWords{map[string]bool{}, map[string]bool{}, map[rune]bool{}}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if code == "zh" || code == "ja" {
			for _, r := range strings.TrimSpace(line) {
				words.runes[r] = true
			}
			continue
		}
		for word := range strings.FieldsSeq(fold(line)) {
			switch stem, open := strings.CutSuffix(word, "*"); {
			case open:
				words.prefix[stem] = true
			case code == "ar":
				words.complete[arabicStem(word)] = true
			default:
				words.complete[word] = true
			}
		}
	}
	return words
}

// holds reports whether a folded word is general.
func (words *generalWords) holds(word, code string) bool {
	switch code {
	case "zh", "ja":
		for _, r := range word {
			if !words.runes[r] {
				return false
			}
		}
		return true
	case "ar":
		return words.holdsArabic(arabicStem(word))
	}
	if words.complete[word] || words.prefix[word] {
		return true
	}
	for i := firstEnding(len(word), 2); i < len(word); i++ {
		if words.prefix[word[:i]] {
			return true
		}
	}
	return false
}

// holdsArabic compares a stem with and without the signs of the imperfect and the future.
func (words *generalWords) holdsArabic(stem string) bool {
	if words.complete[stem] {
		return true
	}
	stem = strings.TrimPrefix(stem, "س")
	for _, sign := range []string{"", "ي", "ت", "ن", "ا"} {
		if rest, cut := strings.CutPrefix(stem, sign); cut && utf8.RuneCountInString(rest) > 1 && words.complete[rest] {
			return true
		}
	}
	return false
}
