package maxdiff

import (
	"cmp"
	"math"
	"slices"

	"verbatim/internal/domain/stats"
)

// Share is the share of preference of one option, in percent: how often it would be chosen as the best of all options
// together. The interval uses the delta method on the scale of log odds, so that it stays between 0 and 100. It is NaN if the
// likelihood has no maximum: then nothing in the answers bounds the share.
type Share struct {
	Percent, Low, High float64
}

// Shares returns the shares of all options. Their Percent sum to 100 as floats; for printing see Hundred.
func (f *Fit) Shares() []Share {
	p := softmax(f.Utilities)
	shares := make([]Share, len(p))
	slope := make([]float64, len(p))
	for i := range p {
		for j := range p { // d log(p/(1-p)) / du
			slope[j] = -p[j] / (1 - p[i])
		}
		slope[i] = 1
		variance := 0.0
		for j, x := range slope {
			for k, y := range slope {
				variance += x * y * f.covariance.row(j)[k]
			}
		}
		if f.Unbounded {
			variance = math.NaN()
		}
		odds, half := math.Log(p[i]/(1-p[i])), stats.Z*math.Sqrt(max(0, variance))
		shares[i] = Share{100 * p[i], 100 / (1 + math.Exp(half-odds)), 100 / (1 + math.Exp(-half-odds))}
	}
	return shares
}

// Interval returns the confidence interval of a utility, NaN if the likelihood has no maximum.
func (f *Fit) Interval(option int) (low, high float64) {
	if f.Unbounded {
		return math.NaN(), math.NaN()
	}
	half := stats.Z * f.Errors[option]
	return f.Utilities[option] - half, f.Utilities[option] + half
}

// Differ returns the p-value of the difference of two utilities (Wald's test), NaN if it has no standard error.
func (f *Fit) Differ(a, b int) float64 {
	variance := f.covariance.row(a)[a] + f.covariance.row(b)[b] - 2*f.covariance.row(a)[b]
	if f.Unbounded || !(variance > 0) {
		return math.NaN()
	}
	return math.Erfc(math.Abs(f.Utilities[a]-f.Utilities[b]) / math.Sqrt(2*variance))
}

func softmax(u []float64) []float64 {
	p, largest, sum := make([]float64, len(u)), slices.Max(u), 0.0
	for i, x := range u {
		p[i] = math.Exp(x - largest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// RoundTo100 rounds percentages to tenths that sum to exactly 100.0, by the largest remainder; the earlier of equal ones is
// rounded up. It returns tenths of a percent as integers, so that printing loses nothing.
func RoundTo100(percent []float64) (tenths []int) {
	tenths, order := make([]int, len(percent)), make([]int, len(percent))
	missing := 1000
	for i, x := range percent {
		tenths[i] = int(math.Floor(x * 10))
		missing -= tenths[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(percent[b]*10-float64(tenths[b]), percent[a]*10-float64(tenths[a]))
	})
	for _, i := range order[:min(max(missing, 0), len(order))] {
		tenths[i]++
	}
	return tenths
}
