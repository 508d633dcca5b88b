package guardrail

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tooAlike is the share of common letter groups from which two probes count as the same question.
const tooAlike = 0.6

// Repeats reports whether the words were asked before, or nearly.
func Repeats(words string, asked []string) bool {
	return slices.ContainsFunc(asked, func(a string) bool { return Alike(words, a) })
}

// Alike reports whether two probes are nearly the same. It ignores what they quote, so that a template filled twice with
// different words is a repeat; "{q}" is the placeholder for a quote in a template. It compares groups of three letters, so that
// word order and endings matter little, and scripts without spaces work too.
func Alike(a, b string) bool { return trigrams(a).alike(trigrams(b), tooAlike) }

// groups holds the groups of three letters of a text, each packed into a number, in order, without duplicates.
type groups []uint64

// alike reports whether the groups in both texts are at least a share of those in either.
func (g groups) alike(other groups, share float64) bool {
	if len(g) == 0 || len(other) == 0 {
		return len(g) == len(other)
	}
	both := 0
	for i, j := 0, 0; i < len(g) && j < len(other); {
		switch {
		case g[i] < other[j]:
			i++
		case g[i] > other[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return float64(both) >= share*float64(len(g)+len(other)-both)
}

func trigrams(probe string) groups {
	plain := Plain(unquoted(strings.ReplaceAll(probe, "{q}", " ")))
	found := make(groups, 0, len(plain))
	var group uint64
	for i, r := range []rune(plain) {
		if group = group<<21&(1<<63-1) | uint64(r); i >= 2 {
			found = append(found, group)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Plain keeps letters and digits in lower case, words separated by one space, with a space at both ends, so that strings.Contains
// finds complete words. Letters of other widths and shapes become the usual ones; apostrophes and zero-width characters are
// dropped, and do not divide a word.
func Plain(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte(' ')
	space := true
	for _, r := range strings.ToLower(norm.NFKC.String(text)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(r)
			space = false
		case r == '\'' || r == '’' || unicode.Is(unicode.Cf, r):
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return b.String()
}
