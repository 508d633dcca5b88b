package reporting

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Details that may identify a person are not given to a model together with the answers of many people: e-mail and page
// addresses, handles, long numbers, and the parameters of the participant's link. No rule finds what the words themselves reveal
// (a name, an employer, a story).

// identifiers are masked wherever they occur; word names the placeholder. E-mail comes before pages and handles, which can be
// parts of it.
var identifiers = []struct {
	word  string
	shape *regexp.Regexp
}{
	{"e-mail", regexp.MustCompile(`[\p{L}\p{Nd}._%+-]+@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+`)},
	{"address", regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://[^\s<>"]+|\bwww\.[^\s<>"]+`)},
	{"handle", regexp.MustCompile(`@[\p{L}\p{Nd}_.]{3,}`)},
	{"number", regexp.MustCompile(`\+?\p{Nd}(?:[ \t()./-]{0,2}\p{Nd}){6,}`)},
}

// personalName matches names of link parameters whose values may identify a person.
var personalName = regexp.MustCompile(`(?i)name|mail|phone|tel|mobile|user|person|member|customer|client|employee|contact|respondent|participant|panel|^(?:p|u|r|s|c)?id$|[_-]id$|token|hash|company|employer`)

const (
	minPersonal = 3  // least characters of the value of a parameter that personalName matches
	minCoded    = 5  // least characters of any other value that contains a digit
	maxPrivate  = 50 // values per response
)

// privateValues returns the values of a link's parameters that may identify a person.
func privateValues(params map[string]string) (known []string) {
	for name, value := range params {
		value = strings.TrimSpace(value)
		n := utf8.RuneCountInString(value)
		coded := n >= minCoded && strings.ContainsFunc(value, unicode.IsDigit) || strings.Contains(value, "@")
		if coded || n >= minPersonal && personalName.MatchString(name) {
			known = append(known, value)
		}
	}
	// A longer value may contain a shorter one; the order of equal lengths is fixed, so that a model is sent the same text each time.
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return known[:min(len(known), maxPrivate)]
}

// masked is a text with placeholders, and the originals that they replace.
type masked struct {
	text         string
	placeholders []string // placeholder, original, placeholder, original
}

// mask replaces what may identify a person with placeholders such as [e-mail 1].
func mask(text string, known []string) masked {
	m := masked{text: text}
	placeholder := func(word, original string) string {
		for i := 1; i < len(m.placeholders); i += 2 {
			if m.placeholders[i] == original {
				return m.placeholders[i-1]
			}
		}
		name := fmt.Sprintf("[%s %d]", word, len(m.placeholders)/2+1)
		m.placeholders = append(m.placeholders, name, original)
		return name
	}
	for _, p := range identifiers {
		m.text = p.shape.ReplaceAllStringFunc(m.text, func(found string) string { return placeholder(p.word, found) })
	}
	for _, value := range known {
		shape, err := regexp.Compile(`(?i)` + regexp.QuoteMeta(value))
		if err != nil {
			continue // the value is not valid UTF-8
		}
		var b strings.Builder
		from := 0
		for _, at := range shape.FindAllStringIndex(m.text, -1) {
			before, _ := utf8.DecodeLastRuneInString(m.text[:at[0]])
			after, _ := utf8.DecodeRuneInString(m.text[at[1]:])
			if wordRune(before) || wordRune(after) || before == '[' {
				continue
			}
			b.WriteString(m.text[from:at[0]])
			b.WriteString(placeholder("private", m.text[at[0]:at[1]]))
			from = at[1]
		}
		m.text = b.String() + m.text[from:]
	}
	return m
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// restore replaces the placeholders in a quote with the originals.
func (m masked) restore(quote string) string {
	if len(m.placeholders) == 0 {
		return quote
	}
	return strings.NewReplacer(m.placeholders...).Replace(quote)
}

// Mask returns texts of participants with placeholders for what may identify a person, numbered through all of them, and a
// function that restores quotes. params are those of the participants' links.
func Mask(texts []string, params ...map[string]string) (masked []string, restore func(quote string) string) {
	var said OpenAnswer
	said.Texts = texts
	for _, one := range params {
		said.Private = append(said.Private, privateValues(one)...)
	}
	slices.SortStableFunc(said.Private, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	said.Private = slices.Compact(said.Private)
	return said.mask()
}

// betweenTexts separates the texts of one answer while they are masked. It occurs in no text, and no masked detail extends over
// it.
const betweenTexts = "\n\x00\n"

// mask returns the texts of an answer with placeholders, for a model, and a function that restores its quotes.
func (s *OpenAnswer) mask() (texts []string, restore func(quote string) string) {
	all := mask(strings.Join(s.Texts, betweenTexts), s.Private) // numbered through all texts
	return strings.Split(all.text, betweenTexts), all.restore
}
