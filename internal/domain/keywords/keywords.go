package keywords

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"verbatim/internal/domain/textanalysis"
)

// Group is a few words that occur together, or a phrase. An answer belongs to it if it contains one of the words, or the phrase.
type Group struct {
	Label  string   // a phrase that most of the sample's members said, or the first words
	Words  []string // in their most common forms, the largest weight first
	Stems  []string // stems of Words, by which answers are found
	Phrase bool     // the words count only next to each other
}

// MaxSentences limits the sentences that are compared with each other. More would add time and little else.
const MaxSentences = 800

// Limits of what Groups looks for.
const (
	maxGroups     = 12
	maxStems      = 6    // of a group
	maxNamed      = 3    // words that name a group without a phrase
	manySentences = 30   // sentences of a sample from which on two words that meet twice may do so by chance
	minSimilarity = 0.2  // mean cosine below which groups are not merged
	minSentences  = 2    // sentences that must contain a word, and that a group must have
	minShare      = 0.01 // share of all sentences that a group must have
	maxShare      = 0.6  // a word in more than this share of the sentences does not distinguish them
	minOwnShare   = 0.5  // share of a word's sentences that must lie in the group that it marks
	minCoherence  = 0.3  // mean NPMI of a group's words, see coherent
	minPhrase     = 3    // sentences that must say a phrase that stands for itself
)

// Groups finds the groups of a sample of sentences, the largest group first. Words that come together but do not cohere make no group; phrases
// that were said often, and have no word of a group, follow. It ignores the sentences beyond MaxSentences, and the words with ignored stems: those
// of the question are said by all, whatever they think.
func Groups(sample []Sentence, ignored map[string]bool) []Group {
	sample = sample[:min(len(sample), MaxSentences)]
	sentences := make([][]textanalysis.Term, len(sample))
	for i := range sample {
		for _, t := range sample[i].Terms {
			if !ignored[t.Stem] {
				sentences[i] = append(sentences[i], t)
			}
		}
	}
	v := newVocabulary(sentences)
	vectors := make([][]entry, 0, len(sentences))
	for _, terms := range sentences {
		if vector := v.vector(terms); len(vector) > 0 {
			vectors = append(vectors, vector)
		}
	}
	clusters := merge(vectors)
	slices.SortStableFunc(clusters, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	least := max(minSentences, int(minShare*float64(len(vectors))))
	var groups []Group
	phrases, taken, covered := said(sample), map[int]bool{}, maps.Clone(ignored)
	if covered == nil {
		covered = map[string]bool{}
	}
	together := v.together(vectors)
	for _, members := range clusters {
		if len(members) < least || len(groups) == maxGroups {
			break
		}
		stems := together.coherent(v.marks(vectors, members, taken))
		if len(stems) < 2 {
			continue
		}
		for _, stem := range stems {
			taken[stem] = true
			covered[v.stems[stem]] = true
		}
		groups = append(groups, v.group(stems, phrases, sentences))
	}
	for _, p := range frequent(phrases, max(minPhrase, least), covered) {
		if len(groups) == maxGroups {
			break
		}
		groups = append(groups, Group{Label: p.form(), Words: []string{p.form()}, Stems: p.stems, Phrase: true})
	}
	return groups
}

// Find returns how many different words of the group a sentence or an answer contains.
func (g *Group) Find(terms []textanalysis.Term) (different int) {
	if g.Phrase {
		return g.findPhrase(terms)
	}
	for _, stem := range g.Stems {
		if slices.ContainsFunc(terms, func(t textanalysis.Term) bool { return t.Stem == stem }) {
			different++
		}
	}
	return different
}

// findPhrase returns the number of the phrase's words if they stand next to each other, in any order, and 0 otherwise.
func (g *Group) findPhrase(terms []textanalysis.Term) int {
	n := len(g.Stems)
	for i := 0; i+n <= len(terms); i++ {
		stems := make([]string, 0, maxTerms)
		for _, t := range terms[i : i+n] {
			stems = append(stems, t.Stem)
		}
		if slices.Sort(stems); slices.Equal(stems, g.Stems) {
			return n
		}
	}
	return 0
}

// vocabulary holds the stems of a sample that distinguish answers.
type vocabulary struct {
	stems     []string
	index     map[string]int
	sentences []int // by stem: number of sentences with it
	weight    []float64
	forms     []map[string]int
}

func newVocabulary(sentences [][]textanalysis.Term) *vocabulary {
	v := &vocabulary{index: map[string]int{}}
	said := map[string]int{}
	for _, terms := range sentences {
		for stem := range distinct(terms) {
			said[stem]++
		}
	}
	for _, stem := range slices.Sorted(maps.Keys(said)) {
		if n := said[stem]; n >= minSentences && (float64(n) <= maxShare*float64(len(sentences)) || len(sentences) < 5) {
			v.index[stem] = len(v.stems)
			v.stems, v.sentences = append(v.stems, stem), append(v.sentences, n)
			v.weight = append(v.weight, math.Log(1+float64(len(sentences))/float64(n)))
			v.forms = append(v.forms, map[string]int{})
		}
	}
	for _, terms := range sentences {
		for _, t := range terms {
			if place, known := v.index[t.Stem]; known {
				v.forms[place][t.Form]++
			}
		}
	}
	return v
}

// distinct returns the stems of terms, each with the sum of its weights.
func distinct(terms []textanalysis.Term) map[string]float64 {
	stems := map[string]float64{}
	for _, t := range terms {
		stems[t.Stem] += t.Weight
	}
	return stems
}

// entry is the component of a vector for one stem.
type entry struct {
	stem   int
	weight float64
}

// vector returns the weighted stems of a sentence as a vector of length one, in the order of stems. It is empty if no stem is
// known.
func (v *vocabulary) vector(terms []textanalysis.Term) []entry {
	var vector []entry
	length := 0.0
	for stem, weight := range distinct(terms) {
		if place, known := v.index[stem]; known {
			vector = append(vector, entry{place, math.Log(1+weight) * v.weight[place]})
		}
	}
	slices.SortFunc(vector, func(a, b entry) int { return cmp.Compare(a.stem, b.stem) })
	for _, e := range vector {
		length += e.weight * e.weight
	}
	for i := range vector {
		vector[i].weight /= math.Sqrt(length)
	}
	return vector
}

// marks returns the stems that represent a group, the largest weight first: those that occur mostly within it, in at least two of
// its members, and that represent no earlier group.
func (v *vocabulary) marks(vectors [][]entry, members []int, taken map[int]bool) []int {
	weight, inside := map[int]float64{}, map[int]int{}
	for _, member := range members {
		for _, e := range vectors[member] {
			weight[e.stem] += e.weight
			inside[e.stem]++
		}
	}
	var stems []int
	for _, stem := range slices.Sorted(maps.Keys(weight)) {
		if !taken[stem] && inside[stem] >= minSentences && float64(inside[stem]) >= minOwnShare*float64(v.sentences[stem]) {
			stems = append(stems, stem)
		}
	}
	slices.SortStableFunc(stems, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	return stems[:min(len(stems), maxStems)]
}

func (v *vocabulary) group(stems []int, phrases []*phrase, said [][]textanalysis.Term) Group {
	var g Group
	for _, stem := range stems {
		g.Stems = append(g.Stems, v.stems[stem])
		g.Words = append(g.Words, mostCommon(v.forms[stem]))
	}
	g.Label = strings.Join(g.Words[:min(len(g.Words), maxNamed)], ", ")
	sentences := map[string]int{}
	for _, stem := range stems {
		sentences[v.stems[stem]] = v.sentences[stem]
	}
	members := 0
	for _, terms := range said {
		if g.Find(terms) > 0 {
			members++
		}
	}
	if p := named(phrases, g.Stems, sentences); p != nil && 2*p.sentences > members {
		g.Label = p.form()
	}
	return g
}

// mostCommon returns the form that was used most; among equals the shortest, then the first in the alphabet.
func mostCommon(forms map[string]int) string {
	return slices.MinFunc(slices.Sorted(maps.Keys(forms)), func(a, b string) int {
		return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(len(a), len(b)))
	})
}
