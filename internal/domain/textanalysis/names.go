package textanalysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/masking"
)

// maxName limits the words of a name that are left out after a title or an introduction.
const maxName = 3

// Words of address before a name, and the last words with which people introduce themselves, in lower case and without a full stop.
var (
	titles = set(`dr mr mrs ms miss mx prof professor doctor herr herrn frau fräulein madame monsieur mademoiselle mme mlle señor señora señorita sr sra srta don doña
		dona senhor senhora dom signor signora signorina dott dottore dottoressa mevrouw meneer dhr mevr mw الدكتور الدكتورة السيد السيدة الأستاذ الأستاذة`)
	introductionsOfNames = [][]string{
		{"my", "name", "is"},
		{"my", "name's"},
		{"mein", "name", "ist"},
		{"ich", "heiße"},
		{"ich", "heisse"},
		{"je", "m'appelle"},
		{"mon", "nom", "est"},
		{"me", "llamo"},
		{"mi", "nombre", "es"},
		{"me", "chamo"},
		{"chamo", "me"},
		{"chamo-me"},
		{"meu", "nome", "é"},
		{"mi", "chiamo"},
		{"il", "mio", "nome", "è"},
		{"ik", "heet"},
		{"mijn", "naam", "is"},
		{"اسمي"},
		{"إسمي"},
	}
	// After these a name has capitals: they introduce other things as well.
	maybeIntroductions = [][]string{
		{"i", "am"},
		{"i'm"},
		{"this", "is"},
		{"call", "me"},
		{"called"},
		{"named"},
		{"ich", "bin"},
		{"namens"},
		{"nennt", "mich"},
		{"je", "suis"},
		{"soy"},
		{"sou"},
		{"sono"},
		{"ik", "ben"},
	}
)

// markNames marks the words that may name or locate a person: what masking would take out, the words after titles and introductions,
// and capitalised words that neither the guide nor the lists know and that nobody wrote small. In a language that writes every noun with
// a capital, two such words in a row without an article before them are a name.
func (r *reading) markNames() {
	known := r.knownWords()
	names := map[string]bool{} // stems: a name found once is one wherever it stands
	each := func(mark func(s *sentence)) {
		for i := range r.answers {
			for j := range r.answers[i].sentences {
				mark(&r.answers[i].sentences[j])
			}
		}
	}
	each(func(s *sentence) {
		for i := range s.tokens {
			if t := &s.tokens[i]; t.masked || r.nameAt(s.tokens, i, known) {
				t.name = true
			}
		}
		r.markAfter(s.tokens)
		for _, t := range s.tokens {
			if t.name && startsUpper(t.text) && t.stem != "" {
				names[t.stem] = true
			}
		}
	})
	each(func(s *sentence) {
		for i := range s.tokens {
			t := &s.tokens[i]
			t.name = t.name || names[t.stem] && startsUpper(t.text) && !known[t.lower]
		}
	})
}

// nameAt reports whether the form and the place of a word show that it is a name.
func (r *reading) nameAt(tokens []token, i int, known map[string]bool) bool {
	t := &tokens[i]
	if strange := func(t *token) bool {
		return startsUpper(t.text) && isLatin(t.text) && !known[bareLower(t.text)] && !isUpper(t.text)
	}; !strange(t) {
		return false
	} else if !r.lang.capitalNouns {
		return i > 0 || len(tokens) > 1 && tokens[1].joined && strange(&tokens[1])
	} else {
		pair := func(first, second int) bool {
			return first >= 0 && second < len(tokens) && tokens[second].joined && strange(&tokens[first]) && strange(&tokens[second]) &&
				(first == 0 || !tokens[first].joined || !r.lang.beforeNoun[tokens[first-1].lower] && !startsUpper(tokens[first-1].text) && r.lang.stop[tokens[first-1].lower])
		}
		return pair(i, i+1) || pair(i-1, i)
	}
}

// markAfter marks the words after titles and introductions.
func (r *reading) markAfter(tokens []token) {
	for i := range tokens {
		after := func(phrases [][]string) bool {
			return slices.ContainsFunc(phrases, func(p []string) bool {
				from := i + 1 - len(p)
				return from >= 0 && slices.EqualFunc(tokens[from:i+1], p, func(t token, word string) bool { return t.lower == word })
			})
		}
		titled, introduced := titles[tokens[i].lower], after(introductionsOfNames)
		if !titled && !introduced && !after(maybeIntroductions) {
			continue
		}
		for j := i + 1; j < min(len(tokens), i+1+maxName); j++ {
			t := &tokens[j]
			if titled && j == i+1 && !introduced && isTitleWord(tokens[i].text) && !startsUpper(t.text) || j > i+1 && !t.joined {
				break
			}
			cased := strings.ToUpper(t.text) != t.lower
			if r.lang.stop[t.lower] || cased && !introduced && !startsUpper(t.text) || introduced && j > i+2 {
				break
			}
			if r.lang.capitalNouns && !introduced && !titled && (j == i+1 && (j+1 >= len(tokens) || !startsUpper(tokens[j+1].text) || !tokens[j+1].joined)) {
				break // "Ich bin Lehrer"
			}
			t.name = true
		}
	}
}

// isTitleWord reports whether a title is a word of everyday use as well: "the doctor said".
func isTitleWord(title string) bool { return utf8.RuneCountInString(title) > 3 }

// knownWords returns words that are no names, in lower case: those of the lists, of the guide, of the author's topics, and what somebody
// wrote without a capital.
func (r *reading) knownWords() map[string]bool {
	known := r.guideWords()
	add := func(word string) { known[word] = true }
	for _, topic := range r.in.Topics {
		for _, word := range wordsOf(strings.ToLower(topic)) {
			add(word)
		}
	}
	for word := range strings.FieldsSeq(everydayWords) {
		add(word)
	}
	for word := range r.lang.stop {
		add(word)
	}
	for i := range r.answers {
		for _, s := range r.answers[i].sentences {
			for _, t := range s.tokens {
				if !startsUpper(t.text) && t.stem != "" && !t.masked {
					add(bareLower(t.text))
				}
			}
		}
	}
	return known
}

// markMasked marks the words of sentences that masking would take out of the answer's text.
func markMasked(text string, all []sentence) {
	hidden := masking.Spans(text)
	if len(hidden) == 0 {
		return
	}
	for i := range all {
		s := &all[i]
		from := s.at
		for j := range s.tokens {
			t := &s.tokens[j]
			at := strings.Index(text[from:s.at+len(s.text)], t.text)
			if at < 0 {
				continue
			}
			start := from + at
			from = start + len(t.text)
			t.masked = slices.ContainsFunc(hidden, func(h [2]int) bool { return start < h[1] && from > h[0] })
		}
	}
}

func bareLower(word string) string { return strings.ToLower(strings.ReplaceAll(word, "’", "'")) }

func isLatin(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.Is(unicode.Latin, r) && !lang.Unspaced(r)
}
