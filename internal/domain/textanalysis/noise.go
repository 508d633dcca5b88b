package textanalysis

import (
	"strings"
	"unicode"

	"verbatim/internal/domain/lang"
)

// nothings holds complete answers that say nothing, in lower case without punctuation.
var nothings = func() map[string]bool {
	m := map[string]bool{}
	for phrase := range strings.SplitSeq(`no|nope|none|nothing|nothing really|na|n a|idk|dunno|i dont know|dont know|do not know|i do not know|no idea|not sure|im not sure|i am not sure|
		nothing else|thats all|that is all|thats it|no comment|cant think of anything|skip|pass|not really|nothing to add|i dont remember|
		nein|nichts|weiß nicht|weiß ich nicht|ich weiß nicht|ich weiß es nicht|weiss nicht|keine ahnung|keine|nichts weiter|das wars|das ist alles|sonst nichts|mir fällt nichts ein|
		non|rien|je ne sais pas|je sais pas|sais pas|aucune idée|aucun|aucune|rien dautre|rien de plus|cest tout|pas vraiment|
		nada|no sé|no se|no lo sé|ni idea|ninguno|ninguna|nada más|eso es todo|no tengo idea|
		não|nao|não sei|nao sei|nenhum|nenhuma|nada mais|mais nada|sei lá|não faço ideia|é isso|só isso|
		niente|nulla|non so|non lo so|non saprei|boh|nessuno|niente altro|nientaltro|non ho idea|tutto qui|
		nee|niets|niks|weet ik niet|ik weet het niet|weet niet|geen idee|geen|niets meer|dat is alles|
		特になし|特にない|特にないです|特にありません|なし|ない|ないです|わかりません|分かりません|わからない|以上|
		没有|没了|没有了|无|不知道|不清楚|没什么|沒有|沒了|沒有了|無|不清楚|沒什麼|冇|唔知|
		لا|لا شيء|لا أعرف|لا أدري|لا يوجد|ليس لدي فكرة`, "|") {
		m[strings.Join(strings.Fields(phrase), " ")] = true
	}
	return m
}()

// SaysSomething reports whether an answer has any content: it is not blank, does more than decline to say something, and is not
// made of random keys.
func SaysSomething(text string) bool {
	return !isBlank(text) && !saysNothing(text) && !isGibberish(text)
}

// saysNothing reports whether the answer, or each part of it if follow-ups were answered too, only declines to say something.
func saysNothing(text string) bool {
	for part := range strings.SplitSeq(text, "\n\n") {
		if !isBlank(part) && !nothings[plain(part)] {
			return false
		}
	}
	return true
}

// plain returns a text in lower case, without punctuation, its words separated by single spaces.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return unicode.ToLower(r)
		case r == '\'' || r == '’':
			return -1
		default:
			return ' '
		}
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// isGibberish reports whether at least half the letters stand in words of random keys, or one word is repeated over and over. It
// does not judge language: misspelled words, acronyms and words of any language pass.
func isGibberish(text string) bool {
	noise, letters, words := 0, 0, 0
	different := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' }) {
		n := len([]rune(word))
		letters += n
		words++
		different[strings.ToLower(word)] = true
		if isMash(word) {
			noise += n
		}
	}
	if words >= 6 && len(different)*4 <= words {
		return true
	}
	return letters > 0 && noise*2 >= letters
}

const vowels = "aeiouyw"

var keyRows = []string{"qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn"}

// isMash reports whether a word is made of random keys: one letter four times in a row, a sequence along a row of keys, or more
// Latin letters without a vowel than any word has.
func isMash(word string) bool {
	upper := word == strings.ToUpper(word)
	var repeat, dry, along int
	var last rune
	sawVowel := false
	runes := []rune(strings.ToLower(word))
	for _, r := range runes {
		if r == last {
			repeat++
		} else {
			repeat = 1
		}
		if repeat >= 4 && unicode.IsLetter(r) && !lang.Unspaced(r) {
			return true
		}
		if adjacent(last, r) {
			along++
		} else {
			along = 1
		}
		if along >= 4 && len(runes) >= 4 && (along >= 5 || len(runes) <= 6) {
			return true
		}
		switch {
		case r >= 'a' && r <= 'z' && !strings.ContainsRune(vowels, r):
			dry++
		default:
			sawVowel = true // vowels, and letters beyond a to z, which may be vowels
			dry = 0
		}
		if dry >= 8 {
			return true
		}
		last = r
	}
	return !sawVowel && !upper && len(runes) >= 5
}

// adjacent reports whether b is the key to the right of a on a common keyboard.
func adjacent(a, b rune) bool {
	if a < 'a' || a > 'z' || b < 'a' || b > 'z' {
		return false
	}
	pair := string([]rune{a, b})
	for _, row := range keyRows {
		if strings.Contains(row, pair) {
			return true
		}
	}
	return false
}
