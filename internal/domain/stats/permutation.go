package stats

import (
	"math"
	"math/rand/v2"
)

// Limits of Shuffled.
const (
	// MaxExact is the number of people up to which every table is better shuffled: the tails of the chi-square distribution, which many tests need,
	// are too thin for small counts.
	MaxExact = 1000
	// LeastShuffled is the smallest p-value that shuffling finds.
	LeastShuffled = 1.0 / (maxShuffles + 1)

	maxShuffled    = 5000 // people; a sparse table of more is not tested
	maxShuffles    = 9999
	enoughExtremes = 20
)

// Shuffled returns the p-value of the chi-square of a table of counts by shuffling who is in which column (a permutation test),
// which holds also if the cells expect few people. It shuffles until a chi-square as large has come enough times (Besag and Clifford
// 1991), at most maxShuffles times, with a fixed seed. ok is false for tables of too many
// people, and for weighted counts, which are no integers.
func Shuffled(counts [][]float64, chiSquare float64) (p float64, ok bool) {
	var rows, columns []int
	sums, tops := make([]float64, len(counts)), make([]float64, len(counts[0]))
	for r := range counts {
		for c, n := range counts[r] {
			if n != math.Trunc(n) {
				return 0, false
			}
			sums[r], tops[c] = sums[r]+n, tops[c]+n
			for range int(n) {
				if len(rows) == maxShuffled {
					return 0, false
				}
				rows, columns = append(rows, r), append(columns, c)
			}
		}
	}
	chance := rand.New(rand.NewPCG(uint64(len(rows)), 0x73687566666c65))
	table, base, extremes := make([]float64, len(sums)*len(tops)), float64(len(rows)), 0
	for drawn := 1; drawn <= maxShuffles; drawn++ {
		chance.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		clear(table)
		for i, r := range rows {
			table[r*len(tops)+columns[i]]++
		}
		x := 0.0
		for r, sum := range sums {
			for c, top := range tops {
				if expected := sum * top / base; expected > 0 {
					n := table[r*len(tops)+c]
					x += (n - expected) * (n - expected) / expected
				}
			}
		}
		if x >= chiSquare*(1-1e-12) {
			if extremes++; extremes == enoughExtremes {
				return float64(extremes) / float64(drawn), true
			}
		}
	}
	return float64(extremes+1) * LeastShuffled, true
}
