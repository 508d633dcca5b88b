package masking

import (
	"regexp"
	"strconv"
)

// Numbers that are part of a date, a time or a span of years belong to no other number.
var protectedShapes = []struct {
	shape *regexp.Regexp
	holds func(groups []string) bool // nil: always
}{
	{regexp.MustCompile(`(\d{1,2})[./-](\d{1,2})[./-](?:\d{4}|\d{2})`), isDayAndMonth},
	{regexp.MustCompile(`(?:19|20)\d{2}[./-](\d{1,2})[./-](\d{1,2})`), isDayAndMonth},
	{regexp.MustCompile(`(?:19|20)\d{2}(\d{2})(\d{2})`), isDayAndMonth},
	{regexp.MustCompile(`(?:[01]?\d|2[0-4])[:.h][0-5]\d(?::[0-5]\d)?(?:\s?-\s?(?:[01]?\d|2[0-4])[:.h][0-5]\d)?`), nil},
	{regexp.MustCompile(`(?:1[89]|20)\d{2}(?:(?:[/-]| - | / | )(?:1[89]|20)\d{2})+`), nil},
	{regexp.MustCompile(`(?:19|20)\d{2}[/-]\d{2}`), nil},
}

// isDayAndMonth reports whether two numbers can be a day and a month, in any order.
func isDayAndMonth(groups []string) bool {
	a, _ := strconv.Atoi(groups[0])
	b, _ := strconv.Atoi(groups[1])
	return min(a, b) >= 1 && min(a, b) <= 12 && max(a, b) <= 31
}

// protected marks the bytes of a text that belong to dates, times and years.
func protected(text string) []bool {
	marked := make([]bool, len(text))
	for _, p := range protectedShapes {
		for _, at := range p.shape.FindAllStringSubmatchIndex(text, -1) {
			if continues(text, at[0], at[1]) {
				continue
			}
			var groups []string
			for g := 2; g < len(at); g += 2 {
				groups = append(groups, text[at[g]:at[g+1]])
			}
			if p.holds == nil || p.holds(groups) {
				for i := at[0]; i < at[1]; i++ {
					marked[i] = true
				}
			}
		}
	}
	return marked
}

// continues reports whether a number goes on before or after a passage, directly or after a separator.
func continues(text string, start, end int) bool {
	before := start > 0 && (isDigit(text[start-1]) || start > 1 && isJoint(text[start-1]) && isDigit(text[start-2]))
	after := end < len(text) && (isDigit(text[end]) || end+1 < len(text) && isJoint(text[end]) && isDigit(text[end+1]))
	return before || after
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isJoint(b byte) bool { return b == '.' || b == '-' || b == '/' }
