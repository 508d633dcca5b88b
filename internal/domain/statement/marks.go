package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quotation marks: each opening mark with those that may close it. In several languages a mark that closes elsewhere opens.
var closing = map[rune]string{
	'"': `"”“`, '＂': `＂`, '“': `”“"`, '”': `”“"`, '„': `“”„"`, '‟': `”“"`, '«': `»«`, '»': `«»`, '‹': `›‹`, '›': `‹›`,
	'「': `」`, '『': `』`, '｢': `｣`, '《': `》`, '〈': `〉`, '【': `】`, '〝': `〞〟`, '❝': `❞`, '❛': `❜`, '⹂': `”`, '`': "`´'", '´': "´`'",
	'\'': `'’`, '‘': `’‘'`, '’': `’‘'`, '‚': `‘’‚'`, '‛': `’'`, '′': `′`, '″': `″`, '＇': `＇`,
}

// loneClosing are closing marks that never open; one without its pair closes what began before.
const loneClosing = "」』｣》〉】〞〟❞❜"

// single are marks that are apostrophes, too.
const single = "'’‘‛′´＇"

// passages returns what a text puts between quotation marks of any kind, and the text without it. A mark that is not closed holds the
// rest of the text.
func passages(text string) (quoted []string, rest string) {
	for _, doubled := range []string{"''", "‘‘", "’’", "‚‚", "``", "´´", ",,", "′′"} {
		text = strings.ReplaceAll(text, doubled, `"`)
	}
	for _, guillemet := range []string{"<<", ">>"} {
		text = strings.ReplaceAll(text, guillemet, `"`)
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if strings.ContainsRune(loneClosing, r) { // not opened before
			quoted = append(quoted, out.String())
			out.Reset()
			i += n
			continue
		}
		marks, opens := closing[r]
		if !opens || !opensHere(text, i, n, r) {
			out.WriteString(text[i : i+n])
			i += n
			continue
		}
		from, to, next := i+n, len(text), len(text)
		for j, c := range text[from:] {
			if strings.ContainsRune(marks, c) && closesHere(text, from+j, utf8.RuneLen(c), c) {
				to, next = from+j, from+j+utf8.RuneLen(c)
				break
			}
		}
		quoted = append(quoted, strings.TrimSpace(text[from:to]))
		out.WriteString(" ¶ ")
		i = next
	}
	return quoted, out.String()
}

// opensHere reports whether a mark stands where a quotation can begin. An apostrophe follows a letter, as in "parents' room".
func opensHere(text string, at, size int, r rune) bool {
	if !strings.ContainsRune(single, r) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+size:])
	if unicode.IsLetter(before) || unicode.IsDigit(before) || !unicode.IsLetter(after) && !unicode.IsDigit(after) {
		return false
	}
	rest := strings.ToLower(text[at+size:])
	for _, short := range []string{"til ", "em ", "tis ", "cause ", "n ", "t ", "s ", "90s", "80s", "70s", "60s"} { // 'til, Dutch 't and 's
		if strings.HasPrefix(rest, short) {
			return false
		}
	}
	return true
}

// closesHere reports whether a mark can end a quotation: an apostrophe within a word does not.
func closesHere(text string, at, size int, r rune) bool {
	if !strings.ContainsRune(single, r) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text[at+size:])
	return !unicode.IsLetter(after) && !unicode.IsDigit(after)
}
