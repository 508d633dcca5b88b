package keywords

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"verbatim/internal/domain/textanalysis"
)

// Group is a few words that occur together. An answer belongs to it if it contains one of them.
type Group struct {
	Label string   // the first of Words
	Words []string // in their most common forms, the largest weight first
	Stems []string // stems of Words, by which answers are found
}

// MaxSentences is how many sentences are compared with each other. More would add time and little else.
const MaxSentences = 800

// Limits of what Groups looks for.
const (
	maxGroups     = 12
	maxStems      = 6    // of a group
	labelWords    = 3    // words of a group in its label
	minSimilarity = 0.2  // mean cosine below which groups are not merged
	minSentences  = 2    // sentences that must contain a word, and that a group must have
	minShare      = 0.01 // share of all sentences that a group must have
	maxShare      = 0.6  // a word in more than this share of the sentences does not distinguish them
	minOwnShare   = 0.5  // share of a word's sentences that must lie in the group that it marks
)

// Groups finds the groups of a sample of sentences, each given by its terms, the largest group first. It ignores the sentences
// beyond MaxSentences.
func Groups(sentences [][]textanalysis.Term) []Group {
	sentences = sentences[:min(len(sentences), MaxSentences)]
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
	taken := map[int]bool{}
	for _, members := range clusters {
		if len(members) < least || len(groups) == maxGroups {
			break
		}
		if stems := v.marks(vectors, members, taken); len(stems) > 0 {
			groups = append(groups, v.group(stems))
		}
	}
	return groups
}

// Find returns how many different words of the group a sentence or an answer contains.
func (g *Group) Find(terms []textanalysis.Term) (different int) {
	for _, stem := range g.Stems {
		if slices.ContainsFunc(terms, func(t textanalysis.Term) bool { return t.Stem == stem }) {
			different++
		}
	}
	return different
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
	stems = stems[:min(len(stems), maxStems)]
	for _, stem := range stems {
		taken[stem] = true
	}
	return stems
}

func (v *vocabulary) group(stems []int) Group {
	var g Group
	for _, stem := range stems {
		g.Stems = append(g.Stems, v.stems[stem])
		g.Words = append(g.Words, mostCommon(v.forms[stem]))
	}
	g.Label = strings.Join(g.Words[:min(len(g.Words), labelWords)], ", ")
	return g
}

// mostCommon returns the form that was used most; among equals the shortest, then the first in the alphabet.
func mostCommon(forms map[string]int) string {
	return slices.MinFunc(slices.Sorted(maps.Keys(forms)), func(a, b string) int {
		return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(len(a), len(b)))
	})
}
