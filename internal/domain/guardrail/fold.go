package guardrail

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the form of the lists of addresses and of forbidden requests: lower case, without accents, Arabic vowel
// signs and invisible characters, each letter and digit in its usual form, with single spaces.
func fold(text string) string {
	if isPlainWord(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range norm.NFD.String(norm.NFKC.String(text)) {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r), r >= 0x300 && r <= 0x36f, r >= 0x64b && r <= 0x655, r == 'ـ', r == 'ً':
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		switch r = unicode.ToLower(r); r {
		case 'ى':
			r = 'ي'
		case 'ة':
			r = 'ه'
		case '\'', '’', '‘', '`', '´':
			r = '\''
		case '‐', '‑', '‒', '–', '—', '−':
			r = '-'
		case 'ß':
			b.WriteByte('s')
			r = 's'
		}
		if n := digitValue(r); n >= 0 {
			r = '0' + rune(n)
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// isPlainWord reports whether a text has only letters and digits of ASCII, which fold only brings into lower case.
func isPlainWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// digitValue returns the value of a decimal digit in any script, or -1.
func digitValue(r rune) int {
	if !unicode.Is(unicode.Nd, r) {
		return -1
	}
	n := 0
	for n < 9 && unicode.Is(unicode.Nd, r-1) { // the digits of a script follow each other, from zero to nine
		r--
		n++
	}
	return n % 10
}
