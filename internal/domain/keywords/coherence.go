package keywords

import (
	"math"
	"slices"
)

// together counts in how many sentences words occur, alone and with each other.
type together struct {
	sentences int
	of        map[[2]int]int // of two stems, the smaller one first; of one stem, under itself twice
}

func (v *vocabulary) together(vectors [][]entry) together {
	t := together{len(vectors), map[[2]int]int{}}
	for _, vector := range vectors {
		for i, a := range vector {
			for _, b := range vector[i:] {
				t.of[[2]int{a.stem, b.stem}]++
			}
		}
	}
	return t
}

// npmi returns how much more often two words occur in the same sentence than by chance: the normalized pointwise mutual information, from
// -1 to 1 (Bouma 2009).
func (t together) npmi(a, b int) float64 {
	n, both := float64(t.sentences), float64(t.of[[2]int{min(a, b), max(a, b)}])
	if both == 0 {
		return -1
	}
	if both == n {
		return 1
	}
	return math.Log(both*n/float64(t.of[[2]int{a, a}]*t.of[[2]int{b, b}])) / -math.Log(both/n)
}

// coherent returns the stems that belong together: it takes away the one that coheres least until the mean NPMI of each with the others
// is high enough. Each word also has to come together with another one in two sentences, in a
// sample of manySentences in three: the larger a sample, the more words meet twice by chance.
func (t together) coherent(stems []int) []int {
	kept, least := slices.Clone(stems), minSentences
	if t.sentences >= manySentences {
		least++
	}
	for len(kept) >= 2 {
		worst, lowest := -1, math.Inf(1)
		for i, a := range kept {
			mean, often := 0.0, 0
			for _, b := range kept {
				if a != b {
					mean += t.npmi(a, b) / float64(len(kept)-1)
					often = max(often, t.of[[2]int{min(a, b), max(a, b)}])
				}
			}
			if often < least {
				mean = -1
			}
			if mean <= lowest { // of equal ones the later, which weighs less
				worst, lowest = i, mean
			}
		}
		if lowest >= minCoherence {
			return kept
		}
		kept = slices.Delete(kept, worst, worst+1)
	}
	return nil
}
