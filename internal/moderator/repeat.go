package moderator

import (
	"regexp"
	"slices"
	"strings"
)

// tooAlike is the share of common letter groups from which two probes count as the same question.
const tooAlike = 0.6

var quoted = regexp.MustCompile(`“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」`)

// repeats tells whether the words were asked before, or nearly.
func repeats(words string, asked []string) bool {
	return slices.ContainsFunc(asked, func(a string) bool { return alike(words, a) })
}

// alike compares two probes without what they quote, so that a template filled twice with different words is a repeat.
// It compares groups of three letters: word order and endings matter little, and scripts without spaces work too.
func alike(a, b string) bool {
	ga, gb := trigrams(a), trigrams(b)
	if len(ga) == 0 || len(gb) == 0 {
		return len(ga) == len(gb)
	}
	common := 0
	for g := range ga {
		if gb[g] {
			common++
		}
	}
	return float64(common) >= tooAlike*float64(len(ga)+len(gb)-common)
}

func trigrams(probe string) map[[3]rune]bool {
	plain := quoted.ReplaceAllString(strings.ReplaceAll(probe, quoteMark, " "), " ")
	runes := []rune(normalise(plain))
	groups := make(map[[3]rune]bool, len(runes))
	for i := range max(0, len(runes)-2) {
		groups[[3]rune(runes[i:i+3])] = true
	}
	return groups
}
