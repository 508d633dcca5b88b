package masking

import (
	"regexp"
	"slices"
	"strings"
)

// run is a number as it is written, with its groups of digits.
type run struct {
	start, end int
	groups     []string
	joints     []string // what stands between the groups
	digits     string
	plus       bool // +49 …
	bracket    bool // (030) …
	coded      bool // letters belong to it: a product's number
}

// numbers finds telephone, card, account and identity numbers.
func numbers(f *folded) (spans []span) {
	if !strings.ContainsAny(f.text, "0123456789") {
		return nil
	}
	dates := protected(f.text)
	spans = append(accounts(f), identities(f)...)
	for _, r := range f.runs(dates) {
		if start, end, ok := f.cued(r, dates); ok {
			spans = append(spans, span{start, end, ID})
		} else if kind := f.judge(r); kind != "" {
			spans = append(spans, span{r.start, r.end, kind})
		}
	}
	return spans
}

// joints lists what may stand between two groups of one number.
var joints = []string{" ", "-", ".", "/", ") ", ")", ")-", " (", "(", " - ", " / ", "/ ", " /", "-(", " (0) ", "(0)", " (0)", "(0) "}

// runs returns the numbers of a text, without dates, times and years.
func (f *folded) runs(dates []bool) (all []run) {
	text := f.text
	for i := 0; i < len(text); {
		if !isDigit(text[i]) || dates[i] {
			i++
			continue
		}
		r := run{start: i}
		r.start, r.plus, r.bracket = opening(text, i)
		for {
			end := i
			for end < len(text) && isDigit(text[end]) && !dates[end] {
				end++
			}
			r.groups, r.end = append(r.groups, text[i:end]), end
			next := end
			for next < len(text) && next-end < 6 && !isDigit(text[next]) {
				next++
			}
			joint := text[end:next]
			if text[end:] != "" && strings.HasPrefix(text[end:], "(0)") || strings.HasPrefix(text[end:], " (0)") {
				next = end + strings.Index(text[end:], ")") + 1
				for next < len(text) && text[next] == ' ' {
					next++
				}
				joint = text[end:next]
			}
			if next >= len(text) || !isDigit(text[next]) || dates[next] || !slices.Contains(joints, joint) {
				break
			}
			r.joints, i = append(r.joints, joint), next
		}
		r.digits = strings.Join(r.groups, "")
		r.coded = isCoded(text, r)
		all = append(all, r)
		i = r.end
	}
	return all
}

// opening returns where a number begins whose first digit is at i.
func opening(text string, i int) (start int, plus, bracket bool) {
	start = i
	if start > 0 && text[start-1] == '(' {
		start, bracket = start-1, true
	}
	if start > 0 && text[start-1] == '+' {
		start, plus = start-1, true
	}
	return start, plus, bracket
}

// isCoded reports whether Latin letters are joined to a number, directly or by a hyphen: WH-1000, 4090Ti, B07XJ8C8F5.
func isCoded(text string, r run) bool {
	before, after := text[:r.start], text[r.end:]
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' || b == '#' }
	if n := len(before); n > 0 && (letter(before[n-1]) || n > 1 && isJoint(before[n-1]) && letter(before[n-2])) {
		return true
	}
	return len(after) > 0 && letter(after[0]) || len(after) > 1 && after[0] == '-' && letter(after[1])
}

// judge returns what a number is, or "" for one that stays.
func (f *folded) judge(r run) Kind {
	n := len(r.digits)
	if n < 5 || r.coded {
		return ""
	}
	before := f.behind(r.start)
	phone := phoneCue.MatchString(before)
	switch {
	case n >= 14 && n <= 19 && luhn(r.digits) && strings.Trim(r.digits, r.digits[:1]) != "":
		return Card
	case cardCue.MatchString(before) && n >= 12 && n <= 19:
		return Card
	case r.isIdentity():
		return ID
	case f.isAmount(r) || productCue.MatchString(before) && !phone && !r.plus:
		return ""
	case r.isPhone() || phone && (n >= 7 || n == 6 && len(r.groups) > 1) && n <= 15 && !r.isRange():
		return Phone
	case len(r.groups) == 1 && n >= 9:
		return Number
	}
	return ""
}

// isAmount reports whether a number is a sum, a count or a decimal.
func (f *folded) isAmount(r run) bool {
	if r.plus {
		return r.isThousands() && len(r.groups[0]) < 3 && len(r.digits) <= 9 && r.joints[0] != "-" && !strings.HasPrefix(r.digits, "0") && len(r.digits)%3 != 2
	}
	if moneyBefore.MatchString(f.lower[max(0, r.start-8):r.start]) || amountAfter.MatchString(f.lower[r.end:]) {
		return !strings.HasPrefix(r.digits, "00") && (r.groups[0] == "0" || !strings.HasPrefix(r.digits, "0"))
	}
	if r.groups[0] == "0" && len(r.joints) == 1 && r.joints[0] == "." {
		return true
	}
	// 612 345 678 is a telephone number in Spain, and 25 000 000 a count.
	return r.isThousands() && (r.joints[0] == "." || len(r.groups[0]) < 3 || strings.HasSuffix(r.digits, "000"))
}

// isThousands reports whether a number is written in groups of three.
func (r run) isThousands() bool {
	if len(r.groups) < 2 || len(r.groups[0]) > 3 || r.groups[0][0] == '0' {
		return false
	}
	for i, group := range r.groups[1:] {
		if len(group) != 3 || r.joints[i] != r.joints[0] || r.joints[i] != " " && r.joints[i] != "." {
			return false
		}
	}
	return true
}

// isRange reports whether two numbers with a hyphen are from and to.
func (r run) isRange() bool {
	return len(r.groups) == 2 && strings.Contains(r.joints[0], "-") && !strings.HasPrefix(r.digits, "0") &&
		len(r.groups[1])-len(r.groups[0]) >= 0 && len(r.groups[1])-len(r.groups[0]) <= 1 && strings.HasSuffix(r.digits, "0")
}

// shapes of telephone numbers, as lengths of their groups.
var phoneShapes = regexp.MustCompile(`^(?:` +
	`1?334` + // North America; many others
	`|[1-4][67]|3[78]|46` + // 347 1234567, 7700 900123
	`|2[45]4|[23]44` + // 11 91234 5678
	`|1?1?3344?|[12]3334?|[12]334|[123]333` + // with a country's code
	`|[12]?12222` + // 33 6 12 34 56 78
	`|[23]322|3222|2344?` + // Spain, Portugal, France without the first digit
	`)$`)

// isPhone reports whether a number is a telephone number by its form.
func (r run) isPhone() bool {
	n, shape := len(r.digits), ""
	for _, group := range r.groups {
		shape += string(rune('0' + min(len(group), 9)))
	}
	switch {
	case n < 7 || n > 16 || r.isRange():
		return false
	case r.plus:
		return n >= 8
	case strings.HasPrefix(r.digits, "00"):
		return n >= 10
	case r.digits[0] == '0' && r.groups[0] != "0":
		return n >= 9 || len(r.groups) > 1
	case r.bracket:
		return len(r.groups) > 1 && n >= 8
	case len(r.groups) > 1 && r.groups[0] == "0":
		return n >= 9 // digit by digit
	}
	return len(r.groups) > 1 && n >= 9 && phoneShapes.MatchString(shape) || n == 11 && r.digits[0] == '1' && r.digits[1] >= '3'
}
