package speech

import (
	"strings"
	"unicode"
)

// ErrorRate returns the word error rate of a transcript: the number of words to change, remove or insert to get what was said, divided by
// the number of words said. Capitals and punctuation do not count.
func ErrorRate(said, recognized string) float64 {
	want, got := plainWords(said), plainWords(recognized)
	if len(want) == 0 {
		return float64(len(got))
	}
	row := make([]int, len(got)+1) // edit distances between the beginnings
	for j := range row {
		row[j] = j
	}
	for i, w := range want {
		diagonal := row[0]
		row[0] = i + 1
		for j, g := range got {
			changed := diagonal
			if w != g {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j+1]+1, row[j]+1)
		}
	}
	return float64(row[len(got)]) / float64(len(want))
}

func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}
