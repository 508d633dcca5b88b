package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p-values of several tests (Holm 1979): those below a level, after the adjustment, contain a false one with no
// higher probability than that level, however the tests depend on each other. NaN stands for a test that was not made: it stays as
// it is, and does not count.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var order []int
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(order)-rank)))
		adjusted[i] = highest
	}
	return adjusted
}

// BenjaminiHochberg returns which of several tests are rejected so that at most the share level of those rejected is expected to
// be false (Benjamini and Hochberg 1995).
func BenjaminiHochberg(p []float64, level float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	rejected := make([]bool, len(p))
	for rank := len(order) - 1; rank >= 0; rank-- {
		if p[order[rank]] <= level*float64(rank+1)/float64(len(p)) {
			for _, i := range order[:rank+1] {
				rejected[i] = true
			}
			break
		}
	}
	return rejected
}
