package tables

import (
	"math"

	"verbatim/internal/domain/stats"
)

// Level is the level below which an adjusted p-value makes a finding.
const Level = 1 - stats.Confidence/100.0

// Family holds the tests of a report, which are adjusted together for their number (Holm's method). What a test finds can be said
// only when all are known, so each comes with a function that says it.
type Family struct {
	p     []float64
	after []func(adjusted float64)
}

// Add adds a test. then is called by Settle with the adjusted p-value; it may add to sections and tables. A test whose p is NaN was
// not made, and is not counted.
func (f *Family) Add(p float64, then func(adjusted float64)) {
	f.p, f.after = append(f.p, p), append(f.after, then)
}

// Then registers what is to be called after the tests that were added so far are settled.
func (f *Family) Then(then func()) {
	f.p, f.after = append(f.p, math.NaN()), append(f.after, func(float64) { then() })
}

// Tests returns how many tests were made.
func (f *Family) Tests() (n int) {
	for _, p := range f.p {
		if !math.IsNaN(p) {
			n++
		}
	}
	return n
}

// Settle adjusts all tests and calls their functions, in the order in which they were added.
func (f *Family) Settle() {
	adjusted := stats.Holm(f.p)
	for i, then := range f.after {
		then(adjusted[i])
	}
}
