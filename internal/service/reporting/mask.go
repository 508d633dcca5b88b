package reporting

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What may name a person is not given to a model together with the words of many: addresses of mail and pages, handles, long numbers,
// and what the study link said of the participant. What the words themselves tell (a name, an employer, a story) no rule finds.

// pointers are what is masked wherever it stands, by what stands in its place. Mail comes before pages and handles, which are parts of it.
var pointers = []struct {
	word  string
	shape *regexp.Regexp
}{
	{"e-mail", regexp.MustCompile(`[\p{L}\p{Nd}._%+-]+@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+`)},
	{"address", regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://[^\s<>"]+|\bwww\.[^\s<>"]+`)},
	{"handle", regexp.MustCompile(`@[\p{L}\p{Nd}_.]{3,}`)},
	{"number", regexp.MustCompile(`\+?\p{Nd}(?:[ \t()./-]{0,2}\p{Nd}){6,}`)},
}

// naming are words in the name of a link's parameter that holds who somebody is.
var naming = regexp.MustCompile(`(?i)name|mail|phone|tel|mobile|user|person|member|customer|client|employee|contact|respondent|participant|panel|^(?:p|u|r|s|c)?id$|[_-]id$|token|hash|company|employer`)

const (
	fewestKnown = 3  // characters of what a parameter that names somebody says
	fewestOther = 5  // of any other with a digit in it
	maxKnown    = 50 // parameters of one response
)

// privates are the values of a link's parameters that may name somebody.
func privates(params map[string]string) (known []string) {
	for name, value := range params {
		value = strings.TrimSpace(value)
		n := utf8.RuneCountInString(value)
		coded := n >= fewestOther && strings.ContainsFunc(value, unicode.IsDigit) || strings.Contains(value, "@")
		if coded || n >= fewestKnown && naming.MatchString(name) {
			known = append(known, value)
		}
	}
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) }) // a longer one may hold a shorter
	return known[:min(len(known), maxKnown)]
}

// masked is a text with stand-ins, and what they stand for.
type masked struct {
	text  string
	stand []string // stand-in, original, stand-in, original
}

// mask puts stand-ins such as [e-mail 1] in the place of what may name a person.
func mask(text string, known []string) masked {
	m := masked{text: text}
	stand := func(word, original string) string {
		for i := 1; i < len(m.stand); i += 2 {
			if m.stand[i] == original {
				return m.stand[i-1]
			}
		}
		in := fmt.Sprintf("[%s %d]", word, len(m.stand)/2+1)
		m.stand = append(m.stand, in, original)
		return in
	}
	for _, p := range pointers {
		m.text = p.shape.ReplaceAllStringFunc(m.text, func(found string) string { return stand(p.word, found) })
	}
	for _, value := range known {
		shape, err := regexp.Compile(`(?i)` + regexp.QuoteMeta(value))
		if err != nil {
			continue // bytes that are no text
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
			b.WriteString(stand("private", m.text[at[0]:at[1]]))
			from = at[1]
		}
		m.text = b.String() + m.text[from:]
	}
	return m
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// restore puts back into a quote what its stand-ins stand for.
func (m masked) restore(quote string) string {
	if len(m.stand) == 0 {
		return quote
	}
	return strings.NewReplacer(m.stand...).Replace(quote)
}

// betweenTexts ends whatever is masked, and stands in no text.
const betweenTexts = "\n\x00\n"

// mask gives the texts of an answer as a model may read them, and how to read its quotes.
func (s *Said) mask() (texts []string, restore func(quote string) string) {
	all := mask(strings.Join(s.Texts, betweenTexts), s.Private) // numbered through all texts
	return strings.Split(all.text, betweenTexts), all.restore
}
