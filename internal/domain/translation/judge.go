package translation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Aspect names what is wrong with a translation.
type Aspect string

// The aspects that are checked.
const (
	Empty         Aspect = "empty"
	Placeholders  Aspect = "placeholders"
	Markup        Aspect = "markup"
	Links         Aspect = "links"
	Control       Aspect = "control characters"
	Numbers       Aspect = "numbers"
	Length        Aspect = "length"
	WrongLanguage Aspect = "language"
	Same          Aspect = "not told apart"
)

// Violation is one error in a translation.
type Violation struct {
	Aspect Aspect
	Detail string // for the reviewer, and for the model when it is asked again
}

// String returns the violation in one line.
func (f Violation) String() string { return string(f.Aspect) + ": " + f.Detail }

// Advice reports whether a person may overrule the violation: a number may be written as a word, a text may be long.
func (f Violation) Advice() bool { return f.Aspect == Numbers || f.Aspect == Length }

var (
	placeholder = regexp.MustCompile(`\{\{[^{}]{1,80}\}\}|\$?\{[^{}\s]{1,80}\}|\[\[[^\[\]]{1,80}\]\]|%(?:\d+\$)?[sd]`)
	markup      = regexp.MustCompile(`</?[A-Za-z][^<>]*>|\*\*|__|` + "`" + `|\]\(`)
	link        = regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>"')\]]+|[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+`)
	digits      = regexp.MustCompile(`\p{Nd}+(?:[.,'’٬٫\x{00a0}\x{202f} ]\p{Nd}+)*`)
)

// Judge returns what is wrong with a translation, the worst first, and nil if it preserves everything that can be checked:
// placeholders, markup, links, numbers, a plausible length, and the language, by its script and, if there are enough words,
// by its function words. Whether it means the same as the source is for a person to judge.
func Judge(source, text, from, to string) (violations []Violation) {
	if strings.TrimSpace(text) == "" {
		return []Violation{{Empty, "there is no text"}}
	}
	add := func(aspect Aspect, detail string) {
		if detail != "" {
			violations = append(violations, Violation{aspect, detail})
		}
	}
	for _, part := range []struct {
		aspect Aspect
		find   *regexp.Regexp
	}{{Links, link}, {Placeholders, placeholder}, {Markup, markup}} {
		add(part.aspect, differ(found(part.find, source), found(part.find, text)))
	}
	add(Control, controls(source, text))
	bareSource, bareText := withoutMarkup(source), withoutMarkup(text)
	add(WrongLanguage, languageViolation(bareSource, bareText, from, to))
	add(Numbers, numbersViolation(bareSource, bareText))
	add(Length, lengthViolation(source, text))
	return violations
}

// withoutMarkup returns a text without the parts that are not language.
func withoutMarkup(text string) string {
	for _, find := range []*regexp.Regexp{link, placeholder, markup} {
		text = find.ReplaceAllString(text, " ")
	}
	return text
}

// found returns the matches in a text, sorted.
func found(find *regexp.Regexp, text string) []string {
	all := find.FindAllString(text, -1)
	for i := range all {
		all[i] = strings.TrimRight(all[i], ".,;:!?。、")
	}
	slices.Sort(all)
	return all
}

// differ describes how two sorted lists differ.
func differ(want, got []string) string {
	if slices.Equal(want, got) {
		return ""
	}
	missing, added := difference(want, got), difference(got, want)
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "missing "+strings.Join(missing, " "))
	}
	if len(added) > 0 {
		parts = append(parts, "added "+strings.Join(added, " "))
	}
	return strings.Join(parts, ", ")
}

// difference returns the elements of a that b lacks, counting duplicates.
func difference(a, b []string) (rest []string) {
	left := slices.Clone(b)
	for _, s := range a {
		if i := slices.Index(left, s); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			rest = append(rest, s)
		}
	}
	return rest
}

// controls returns the first control character or mark of text direction that the source does not have.
func controls(source, text string) string {
	steers := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}
	for _, r := range text {
		if steers(r) && !strings.ContainsRune(source, r) {
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return ""
}

// numbersViolation compares the numbers, however they are written. Those of the source must be present; a small one may be
// added, because the source may have it as a word.
func numbersViolation(source, text string) string {
	want, got := numbers(source), numbers(text)
	missing := difference(want, got)
	added := slices.DeleteFunc(difference(got, want), func(n string) bool { return len(n) == 1 || n == "10" || n == "11" || n == "12" })
	if len(missing) == 0 && len(added) == 0 {
		return ""
	}
	return differ(missing, added)
}

// numbers returns the numbers of a text in ASCII digits, without separators for groups and decimals.
func numbers(text string) (all []string) {
	for _, match := range digits.FindAllString(text, -1) {
		var number strings.Builder
		for _, r := range match {
			if unicode.Is(unicode.Nd, r) {
				number.WriteByte('0' + digitOf(r))
			}
		}
		all = append(all, number.String())
	}
	slices.Sort(all)
	return all
}

// digitOf returns the value of a decimal digit: scripts have their ten in sequence, beginning with zero, and the mathematical
// alphabets have five such sequences with nothing in between.
func digitOf(r rune) byte {
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return byte((r - first) % 10)
}

// lengthViolation finds texts that are much longer or shorter than a translation of the source is likely to be.
func lengthViolation(source, text string) string {
	want, got := weight(source), weight(text)
	if got > 3*want+30 || want > 4*got+12 {
		return fmt.Sprintf("%d characters for %d", len([]rune(text)), len([]rune(source)))
	}
	return ""
}

// weight returns the length of a text in alphabetic letters: a character of Chinese, Japanese or Korean counts for more.
func weight(text string) (total int) {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han):
			total += 3
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			total += 2
		default:
			total++
		}
	}
	return total
}

// folded returns a text without what does not distinguish it from another one: case, punctuation and spaces.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsSymbol(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Echoes reports whether two texts are equal except for case and punctuation.
func Echoes(text, other string) bool { return folded(text) == folded(other) }

// Alike finds the segments that can be told apart in the source but not in the translation. It returns, by key, the source
// of another segment that reads the same. texts are by key; missing ones are not compared.
func Alike(segments []Segment, texts map[string]string) map[string]string {
	type seen struct{ group, text string }
	first, alike := map[seen]Segment{}, map[string]string{}
	for _, s := range segments {
		text := texts[s.Key]
		if s.Group == "" || text == "" {
			continue
		}
		at := seen{s.Group, strings.ToLower(strings.Join(strings.Fields(text), " "))}
		other, taken := first[at]
		switch {
		case !taken:
			first[at] = s
		case other.Source != s.Source:
			alike[s.Key], alike[other.Key] = other.Source, s.Source
		}
	}
	return alike
}
