package maxdifftest

import (
	"math"
	"slices"

	"verbatim/internal/domain/maxdiff"
)

// Recovery compares the estimates of many simulated studies with the truth.
type Recovery struct {
	Runs       int
	Spearman   float64 // the lowest of all runs
	Mean       float64 // Spearman, on average
	Error      float64 // root of the mean squared error of the utilities
	Utilities  Coverage
	Alone      Coverage // of utilities, by errors from the information matrix
	Shares     Coverage
	Unfinished int // runs without an estimate
}

// Coverage counts how many intervals contain the truth.
type Coverage struct{ Held, Of int }

// Percent returns the percentage of intervals that contain the truth.
func (c Coverage) Percent() float64 { return 100 * float64(c.Held) / float64(max(c.Of, 1)) }

func (c *Coverage) count(low, truth, high float64) {
	c.Of++
	if low <= truth && truth <= high {
		c.Held++
	}
}

// Recover simulates and estimates studies repeatedly; of makes the study of each run.
func Recover(runs int, seed uint64, of func(run int) Study) Recovery {
	r := Recovery{Runs: runs, Spearman: 1}
	squares := 0.0
	for run := range runs {
		s := of(run)
		fit, err := maxdiff.Estimate(s.Answer(seed + uint64(run)))
		if err != nil {
			r.Unfinished++
			continue
		}
		rho := Spearman(s.Utilities, fit.Utilities)
		r.Spearman = min(r.Spearman, rho)
		r.Mean += rho / float64(runs)
		truth := sharesOf(s.Utilities)
		for i, share := range fit.Shares() {
			low, high := fit.Interval(i)
			r.Utilities.count(low, s.Utilities[i], high)
			half := 1.959963984540054 * fit.Information[i]
			r.Alone.count(fit.Utilities[i]-half, s.Utilities[i], fit.Utilities[i]+half)
			r.Shares.count(share.Low, truth[i], share.High)
			squares += (fit.Utilities[i] - s.Utilities[i]) * (fit.Utilities[i] - s.Utilities[i])
		}
	}
	r.Error = math.Sqrt(squares / float64(max(r.Utilities.Of, 1)))
	return r
}

func sharesOf(u []float64) []float64 {
	p, sum := make([]float64, len(u)), 0.0
	for i, x := range u {
		p[i] = math.Exp(x)
		sum += p[i]
	}
	for i := range p {
		p[i] *= 100 / sum
	}
	return p
}

// Spearman returns the rank correlation of two lists without ties.
func Spearman(a, b []float64) float64 {
	ra, rb, n := ranks(a), ranks(b), float64(len(a))
	sum := 0.0
	for i := range ra {
		sum += (ra[i] - rb[i]) * (ra[i] - rb[i])
	}
	return 1 - 6*sum/(n*(n*n-1))
}

func ranks(list []float64) []float64 {
	sorted, ranks := slices.Sorted(slices.Values(list)), make([]float64, len(list))
	for i, x := range list {
		place, _ := slices.BinarySearch(sorted, x)
		ranks[i] = float64(place)
	}
	return ranks
}
