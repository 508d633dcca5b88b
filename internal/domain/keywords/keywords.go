package keywords

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"verbatim/internal/domain/textanalysis"
)

// Group is some words that come together. Say that an answer belongs to it when it says one of them.
type Group struct {
	Label string   // the weightiest of Words
	Words []string // in their commonest forms, the weightiest first
	Stems []string // of Words: by these answers are found
}

// MaxSentences are compared with each other. More than that adds time and little else.
const MaxSentences = 800

// Bounds of what Groups looks for.
const (
	maxGroups = 12
	maxStems  = 6    // of a group
	labelled  = 3    // of them stand in the label
	alike     = 0.2  // the mean cosine below which groups are not merged
	rarest    = 2    // sentences that must say a word, and that a group must have
	smallest  = 0.01 // part of all sentences that a group must have
	common    = 0.6  // a word that more sentences than this part say tells them apart no more
	ownPart   = 0.5  // of a word's sentences must lie in the group that it marks
)

// Groups finds the groups of a sample of sentences, each given by its terms, the largest group first. Beyond MaxSentences
// the rest is not looked at.
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
	least := max(rarest, int(smallest*float64(len(vectors))))
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

// Find tells whether a sentence or an answer says a word of the group, and how many different ones.
func (g *Group) Find(terms []textanalysis.Term) (different int) {
	for _, stem := range g.Stems {
		if slices.ContainsFunc(terms, func(t textanalysis.Term) bool { return t.Stem == stem }) {
			different++
		}
	}
	return different
}

// vocabulary is the stems of a sample that tell answers apart.
type vocabulary struct {
	stems  []string
	place  map[string]int
	said   []int // by stem: in how many sentences
	weight []float64
	forms  []map[string]int
}

func newVocabulary(sentences [][]textanalysis.Term) *vocabulary {
	v := &vocabulary{place: map[string]int{}}
	said := map[string]int{}
	for _, terms := range sentences {
		for stem := range distinct(terms) {
			said[stem]++
		}
	}
	for _, stem := range slices.Sorted(maps.Keys(said)) {
		if n := said[stem]; n >= rarest && (float64(n) <= common*float64(len(sentences)) || len(sentences) < 5) {
			v.place[stem] = len(v.stems)
			v.stems, v.said = append(v.stems, stem), append(v.said, n)
			v.weight = append(v.weight, math.Log(1+float64(len(sentences))/float64(n)))
			v.forms = append(v.forms, map[string]int{})
		}
	}
	for _, terms := range sentences {
		for _, t := range terms {
			if place, known := v.place[t.Stem]; known {
				v.forms[place][t.Form]++
			}
		}
	}
	return v
}

// distinct are the stems of terms, each with the sum of its weights.
func distinct(terms []textanalysis.Term) map[string]float64 {
	stems := map[string]float64{}
	for _, t := range terms {
		stems[t.Stem] += t.Weight
	}
	return stems
}

// entry is one word's part of a vector.
type entry struct {
	stem   int
	weight float64
}

// vector weighs a sentence's words and brings the whole to length one; in the order of stems. Empty where none is known.
func (v *vocabulary) vector(terms []textanalysis.Term) []entry {
	var vector []entry
	length := 0.0
	for stem, weight := range distinct(terms) {
		if place, known := v.place[stem]; known {
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

// marks are the stems that stand for a group, weightiest first: said mostly within it, by at least two of its members,
// and by no group before.
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
		if !taken[stem] && inside[stem] >= rarest && float64(inside[stem]) >= ownPart*float64(v.said[stem]) {
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
		g.Words = append(g.Words, commonest(v.forms[stem]))
	}
	g.Label = strings.Join(g.Words[:min(len(g.Words), labelled)], ", ")
	return g
}

// commonest is the form that was used most; among equals the shortest, then the first in the alphabet.
func commonest(forms map[string]int) string {
	return slices.MinFunc(slices.Sorted(maps.Keys(forms)), func(a, b string) int {
		return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(len(a), len(b)))
	})
}
