package textanalysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/domain/response"
)

// The score looks at what was said and not at how it was spelled. Content words are distinguished from function words, and
// counted, in a way that tolerates misspellings, missing accents, missing capitals and missing function words.

// keyOf maps a word, its forms and its common misspellings to one key: its first letter, and its consonants in alphabetical
// order, each once, without accents. Vowels, doubled letters and the order of letters are what people get wrong. Words without
// consonants keep their letters.
func keyOf(word string) string {
	var all []rune
	for _, r := range norm.NFD.String(strings.ToLower(word)) {
		if unicode.IsLetter(r) {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return ""
	}
	first := all[0]
	letters := slices.DeleteFunc(slices.Clone(all), func(r rune) bool { return strings.ContainsRune("aeiouy", r) })
	if len(letters) == 0 {
		letters = all
	}
	slices.Sort(letters)
	return string(first) + "|" + string(slices.Compact(letters))
}

// near reports whether two words differ by so few keystrokes that one may be a misspelling of the other: by one, or by up to two
// in words of six letters and more.
func near(a, b string) bool {
	x, y := []rune(a), []rune(b)
	limit := 1
	if min(len(x), len(y)) >= 6 {
		limit = 2
	}
	if max(len(x), len(y))-min(len(x), len(y)) > limit {
		return false
	}
	// The Damerau-Levenshtein distance, without edits within a swapped pair.
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)] <= limit
}

// lexicon finds words by their possible misspellings.
type lexicon map[string][]string

func newLexicon(words map[string]bool) lexicon {
	l := lexicon{}
	for word := range words {
		l[keyOf(word)] = append(l[keyOf(word)], word)
	}
	return l
}

// has reports whether a word is listed, or may be a misspelling of a listed word.
func (l lexicon) has(word string) bool {
	word = strings.ReplaceAll(word, "'", "")
	return slices.ContainsFunc(l[keyOf(word)], func(listed string) bool { return near(word, strings.ReplaceAll(listed, "'", "")) })
}

// functionWords holds the stop words of each known language, and concreteWords the words for particular times and examples.
var (
	functionWords = sync.OnceValue(func() map[*language]lexicon {
		all := map[*language]lexicon{}
		for _, l := range languages {
			all[l] = newLexicon(l.stop)
		}
		return all
	})
	concreteWords = sync.OnceValue(func() lexicon { return newLexicon(concrete) })
)

// contentShare is the assumed share of content words in a text whose language has no word list.
const contentShare = 0.45

// content holds the topics and details of an answer.
type content struct {
	topics  map[string]bool // keys of its content words
	details int             // figures, and words for particular times and examples
	words   float64         // content words, repetitions included
}

// contentOf reads the sentences of an answer, or of a text of the guide.
func (r *reading) contentOf(all []sentence, words int) content {
	c := content{topics: map[string]bool{}}
	list, known := functionWords()[r.lang]
	particular := concreteWords()
	for _, s := range all {
		for _, w := range s.tokens {
			switch {
			case strings.ContainsFunc(w.text, unicode.IsDigit):
				c.details++
				c.words++
			case particular.has(w.lower):
				c.details++
				c.words++
			case w.stem != "" && !list.has(w.lower):
				c.topics[keyOf(w.stem)] = true
				c.words++
			}
		}
		for _, m := range concreteDense {
			c.details += strings.Count(s.text, m)
		}
	}
	if !known {
		c.words = math.Round(float64(words) * contentShare)
	}
	return c
}

// concrete holds words for particular times and examples.
var concrete = set(`yesterday ago monday tuesday wednesday thursday friday saturday sunday example instance once twice last january february march april june july august september october november december
	gestern letzte letzten letztes montag dienstag mittwoch donnerstag freitag samstag sonntag beispiel einmal neulich hier dernier dernière lundi mardi mercredi jeudi vendredi samedi dimanche exemple
	ayer pasado pasada lunes martes miércoles jueves viernes sábado domingo ejemplo ontem passado passada segunda terça quarta quinta sexta exemplo
	ieri scorso scorsa lunedì martedì mercoledì giovedì venerdì sabato domenica esempio gisteren vorige maandag dinsdag woensdag donderdag vrijdag zaterdag zondag voorbeeld`)

// concreteDense holds such words in scripts without spaces.
var concreteDense = []string{"昨日", "先週", "先月", "例えば", "たとえば", "昨天", "上周", "上週", "上个月", "上個月", "比如", "例如"}

// specificity looks for what only this participant could say: figures, particular times, and a range of different things.
func (r *reading) specificity(open int) response.QualityPart {
	topics, details := map[string]bool{}, 0
	var rows []int
	for i := range r.answers {
		a := &r.answers[i]
		if a.kind != substantial {
			continue
		}
		c := r.contentOf(a.sentences, a.words)
		maps.Copy(topics, c.topics)
		if details += c.details; c.details > 0 {
			rows = append(rows, a.rows()...)
		}
	}
	perAnswer := (float64(len(topics)) + 1.5*float64(details)) / float64(open)
	return response.QualityPart{
		Name:  partSpecificity,
		Score: between(perAnswer, 0.5, 2, 5, 8.5, 13),
		Reason: fmt.Sprintf("%s and %s (figures, moments) over %s.",
			plural(len(topics), "different content word"), plural(details, "concrete detail"), plural(open, "open question")),
		Rows: rows,
	}
}
