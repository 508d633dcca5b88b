package masking

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// personalName matches names of link parameters whose values may identify a person.
var personalName = regexp.MustCompile(`(?i)name|mail|phone|tel|mobile|user|person|member|customer|client|employee|contact|respondent|participant|panel|^(?:p|u|r|s|c)?id$|[_-]id$|token|hash|company|employer`)

const (
	minPersonal = 3  // least characters of the value of a parameter that personalName matches
	minCoded    = 5  // least characters of any other value that contains a digit
	maxPrivate  = 50 // values per response
)

// PrivateValues returns the values of a link's parameters that may identify a person.
func PrivateValues(params map[string]string) (values []string) {
	for name, value := range params {
		value = strings.TrimSpace(value)
		n := utf8.RuneCountInString(value)
		coded := n >= minCoded && strings.ContainsFunc(value, unicode.IsDigit) || strings.Contains(value, "@")
		if utf8.ValidString(value) && (coded || n >= minPersonal && personalName.MatchString(name)) {
			values = append(values, value)
		}
	}
	// A longer value may contain a shorter one; the order of equal lengths is fixed, so that a model is sent the same text each time.
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return values[:min(len(values), maxPrivate)]
}

// anyOf returns a pattern of all values, the longest first, or nil if there are none.
func anyOf(values []string) *regexp.Regexp {
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return strings.TrimSpace(v) == "" || !utf8.ValidString(v) })
	if len(values) == 0 {
		return nil
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for i := range values {
		values[i] = regexp.QuoteMeta(values[i])
	}
	return regexp.MustCompile(`(?i)(?:` + strings.Join(values, "|") + `)`)
}
