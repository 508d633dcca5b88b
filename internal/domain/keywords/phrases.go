package keywords

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/textanalysis"
)

// Sentence is one sentence of the sample: its words, and those of them that carry a topic, in their order.
type Sentence struct {
	Text  string
	Terms []textanalysis.Term
}

// Limits of a phrase.
const (
	maxTerms   = 3  // words that carry a topic
	maxBetween = 2  // other words between two of them
	maxPhrase  = 36 // characters
)

// phrase is a few words that were said next to each other, by the stems among them in any order.
type phrase struct {
	stems     []string // sorted
	sentences int
	forms     map[string]int
}

// said returns the phrases of the sentences, in the order of their stems.
func said(sentences []Sentence) []*phrase {
	found := map[string]*phrase{}
	for _, s := range sentences {
		seen := map[string]bool{}
		for _, one := range phrasesOf(s) {
			key := strings.Join(one.stems, " ")
			if seen[key] {
				continue
			}
			seen[key] = true
			if found[key] == nil {
				found[key] = &phrase{stems: one.stems, forms: map[string]int{}}
			}
			found[key].sentences++
			found[key].forms[one.text]++
		}
	}
	var all []*phrase
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[key])
	}
	return all
}

type spoken struct {
	text  string
	stems []string
}

// phrasesOf returns the phrases of a sentence: two or three words that carry a topic, with at most a few others between them and no sign.
func phrasesOf(s Sentence) (all []spoken) {
	type span struct{ from, to int }
	spans, at := make([]span, len(s.Terms)), 0
	for i, t := range s.Terms {
		from := indexFold(s.Text, t.Form, at)
		if from < 0 {
			return all // written in another way than it is listed, as after a correction of case
		}
		spans[i] = span{from, from + len(t.Form)}
		at = spans[i].to
	}
	for i := range s.Terms {
		for j := i + 1; j < min(i+maxTerms, len(s.Terms)); j++ {
			between := s.Text[spans[j-1].to:spans[j].from]
			if len(strings.Fields(between)) > maxBetween || strings.ContainsFunc(between, isSign) {
				break
			}
			text, stems := s.Terms[i].Form, []string{s.Terms[i].Stem}
			for k := i + 1; k <= j; k++ {
				text += strings.ToLower(s.Text[spans[k-1].to:spans[k].from]) + s.Terms[k].Form
				stems = append(stems, s.Terms[k].Stem)
			}
			text = strings.Join(strings.Fields(text), " ")
			slices.Sort(stems)
			if utf8.RuneCountInString(text) <= maxPhrase && len(slices.Compact(stems)) == j-i+1 {
				all = append(all, spoken{text, stems})
			}
		}
	}
	return all
}

func isSign(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("'’-", r)
}

// indexFold returns where a word stands in a text, from an index on, whatever its case; -1 if it does not.
func indexFold(text, word string, from int) int {
	for at := from; at+len(word) <= len(text); at++ {
		if strings.EqualFold(text[at:at+len(word)], word) {
			return at
		}
	}
	return -1
}

// form returns how the phrase was said most often.
func (p *phrase) form() string { return mostCommon(p.forms) }

// named returns the phrase that names a group best: made of the group's words alone, of those words that most of its sentences say, and said
// often itself; nil if there is none. sentences counts the sentences with each stem.
func named(phrases []*phrase, stems []string, sentences map[string]int) *phrase {
	var best *phrase
	fewest := func(p *phrase) int {
		least := sentences[p.stems[0]]
		for _, stem := range p.stems[1:] {
			least = min(least, sentences[stem])
		}
		return least
	}
	for _, p := range phrases {
		if slices.ContainsFunc(p.stems, func(stem string) bool { return !slices.Contains(stems, stem) }) {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(fewest(p), fewest(best)), cmp.Compare(p.sentences, best.sentences), cmp.Compare(len(best.form()), len(p.form()))) > 0 {
			best = p
		}
	}
	return best
}

// frequent returns the phrases that were said in enough sentences, the most frequent first, without those of which a longer or a more
// frequent one has a word.
func frequent(phrases []*phrase, least int, taken map[string]bool) (kept []*phrase) {
	order := slices.Clone(phrases)
	slices.SortStableFunc(order, func(a, b *phrase) int {
		return cmp.Or(cmp.Compare(b.sentences, a.sentences), cmp.Compare(len(b.stems), len(a.stems)))
	})
	for _, p := range order {
		if p.sentences < least || slices.ContainsFunc(p.stems, func(stem string) bool { return taken[stem] }) {
			continue
		}
		for _, stem := range p.stems {
			taken[stem] = true
		}
		kept = append(kept, p)
	}
	return kept
}
