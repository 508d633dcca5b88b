package probe

import (
	"regexp"
	"strings"
	"unicode"
)

// An address is one wherever it stands, in quotes too: what is shown can be typed.
var address = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://|\bwww\.|\bmailto:|\]\(|[^\s@]+@[^\s@]+\.[a-z]{2,}|\b[a-z0-9-]+\.(?:com|org|net|info|biz|io|ai|app|dev|co|me|ly|gl|eu|de|ch|at|fr|es|pt|it|nl|be|uk|us|ru|cn|jp|br|xyz|top|site|online|shop|link|gg|tv)(?:[/:?#]|\b)|\bt\.me/|(?:^|\s)@[a-z0-9_]{3,}`)

// digits is what may be a telephone or an account number: nine digits or more, with usual signs between them.
var digits = regexp.MustCompile(`\+?\p{Nd}(?:[ ()./-]{0,2}\p{Nd}){8,}`)

// links finds addresses of pages and people, and numbers that reach somebody.
func links(words string) []Fault {
	found := ""
	if dotted(words) {
		found = address.FindString(words)
	}
	if n := strings.IndexFunc(words, unicode.IsDigit); n >= 0 && found == "" {
		found = digits.FindString(words)
	}
	if found == "" {
		return nil
	}
	return []Fault{fault(Link, "“%s” looks like an address or a number; give none.", strings.TrimSpace(found))}
}

// dotted tells, at little cost, whether a text may hold an address: every address has one of these signs.
func dotted(words string) bool {
	if strings.ContainsAny(words, "@/:]") {
		return true
	}
	for i := range len(words) - 1 {
		if words[i] == '.' && words[i+1] != ' ' && words[i+1] != '.' {
			return true
		}
	}
	return false
}
