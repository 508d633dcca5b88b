package textanalysis

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/lang"
)

// letters is a model of which letters follow which in words of the languages with word lists, all together: names and loan words
// cross borders. It knows the letters a to z without accents; misspelled words look like words to it, random keys do not.
type letters struct {
	triples [27 * 27 * 27]float64
	pairs   [27 * 27]float64
	singles [27]float64
	total   float64
}

// everydayWords holds words of all the languages with word lists, written down for the letters that they show.
//
//go:embed everyday_words.txt
var everydayWords string

// wordLetters is trained with everydayWords and the words of the lists of this package.
var wordLetters = sync.OnceValue(func() *letters {
	m := &letters{}
	for _, code := range languageCodes {
		for word := range languages[code].stop {
			m.train(word)
		}
		for word := range languages[code].beforeNoun {
			m.train(word)
		}
	}
	for word := range concrete {
		m.train(word)
	}
	for word := range strings.FieldsSeq(everydayWords) {
		m.train(word)
	}
	return m
})

// codesOf returns the letters of a word as 1 to 26, between two boundaries (0).
func codesOf(word string) []int {
	codes := []int{0}
	for _, r := range norm.NFD.String(strings.ToLower(word)) {
		if r >= 'a' && r <= 'z' {
			codes = append(codes, int(r-'a')+1)
		}
	}
	return append(codes, 0)
}

func (m *letters) train(word string) {
	codes := codesOf(word)
	for i := 1; i < len(codes); i++ {
		b, c := codes[i-1], codes[i]
		m.pairs[b*27+c]++
		m.singles[b]++
		m.total++
		if i > 1 {
			m.triples[(codes[i-2]*27+b)*27+c]++
		}
	}
}

// likely returns the mean logarithm of the probability of a word's letters, each after the two before it.
func (m *letters) likely(word string) float64 {
	codes := codesOf(word)
	sum := 0.0
	for i := 1; i < len(codes); i++ {
		b, c := codes[i-1], codes[i]
		p := 0.4*m.pairs[b*27+c]/max(1, m.singles[b]) + 0.001
		if i > 1 {
			a := codes[i-2]
			if n := m.pairs[a*27+b]; n > 0 {
				p += 0.6 * m.triples[(a*27+b)*27+c] / n
			}
		} else {
			p += 0.6 * m.pairs[b*27+c] / max(1, m.singles[b])
		}
		sum += math.Log(p)
	}
	return sum / float64(len(codes)-1)
}

const (
	unlikelyWord = -3.9 // words below this mean are no words of a language known here
	mashAtLeast  = 3    // words
)

// keyMash looks for random keys among words. One such word, as an abbreviation or a name, is no sign.
func (r *reading) keyMash() sign {
	s := sign{part: partAttention}
	dense := r.denseGists() != nil
	if r.code() == "" && !dense {
		return s
	}
	said := r.guideWords()
	words, noise := 0, 0
	different := map[string]bool{}
	for i := range r.answers {
		a := &r.answers[i]
		if a.item.Type != guide.OpenEnded || a.kind != substantial && a.kind != gibberish {
			continue
		}
		found := false
		for _, word := range strings.FieldsFunc(divideScripts(head(a.Text, maxRead)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' }) {
			if len([]rune(word)) < 3 || word == strings.ToUpper(word) {
				continue
			}
			words++
			if lower := strings.ToLower(word); !said[lower] && looksRandom(lower) && !different[lower] {
				different[lower] = true
				noise++
				found = true
			}
		}
		if found {
			s.rows = append(s.rows, a.rows()...)
		}
	}
	if noise < mashAtLeast {
		return s
	}
	s.weight = ramp(float64(noise)/float64(words), 0.08, 0.25, 0.9)
	s.reason = fmt.Sprintf("%d of %s look like keys struck at random.", noise, plural(words, "word"))
	return s
}

// divideScripts puts a space where Latin letters meet those of a script without spaces.
func divideScripts(text string) string {
	if !strings.ContainsFunc(text, lang.Unspaced) {
		return text
	}
	var b strings.Builder
	last := false
	for _, c := range text {
		if dense := lang.Unspaced(c); dense != last {
			b.WriteByte(' ')
			last = dense
		}
		b.WriteRune(c)
	}
	return b.String()
}

// looksRandom reports whether a word of Latin letters cannot be one of a language known here, nor a misspelled one.
func looksRandom(word string) bool {
	if isMash(word) {
		return true
	}
	different := map[rune]bool{}
	vowel, back, run := false, 1, 0
	var last rune
	for _, r := range norm.NFD.String(word) {
		if !unicode.IsLetter(r) {
			continue
		}
		if r > unicode.MaxLatin1 && !unicode.Is(unicode.Latin, r) {
			return false
		}
		different[r] = true
		vowel = vowel || strings.ContainsRune(vowels, r)
		if adjacent(r, last) || adjacent(last, r) {
			back++
		} else {
			back = 1
		}
		run = max(run, back)
		last = r
	}
	if len(different) < 3 { // hmm, pff, zzz
		return false
	}
	return !vowel && len(different) >= 4 || run >= 4 && len([]rune(word)) <= 5 || wordLetters().likely(word) < unlikelyWord
}

// guideWords returns the words of the guide in lower case: who repeats an abbreviation of a question strikes no keys at random.
func (r *reading) guideWords() map[string]bool {
	all := map[string]bool{}
	if r.in.Guide == nil {
		return all
	}
	for _, text := range guideTexts(r.in.Guide) {
		for _, word := range wordsOf(head(text, maxRead)) {
			all[word] = true
		}
	}
	return all
}
