package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ChiSquareTail returns the probability of a chi-square of at least x.
func ChiSquareTail(x float64, freedom int) float64 {
	if x <= 0 || freedom < 1 {
		return 1
	}
	return mathext.GammaIncRegComp(float64(freedom)/2, x/2)
}

// Student returns the quantile of Student's t for Confidence. It is infinite without a degree of freedom.
func Student(freedom int) float64 {
	if freedom < 1 {
		return math.Inf(1)
	}
	if freedom > manyPeople {
		return Z
	}
	n := float64(freedom)
	x := mathext.InvRegIncBeta(n/2, 0.5, 1-Confidence/100.0)
	return math.Sqrt(n * (1 - x) / x)
}

// manyPeople is the number of degrees of freedom above which Student's quantile is the normal one to six decimals.
const manyPeople = 2_000_000

// StudentTail returns the probability that Student's t is at least as far from zero as t, in either direction.
func StudentTail(t, freedom float64) float64 {
	if math.IsNaN(t) || freedom <= 0 {
		return math.NaN()
	}
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// FTail returns the probability that Fisher's F is at least f.
func FTail(f, above, below float64) float64 {
	if math.IsNaN(f) || above <= 0 || below <= 0 {
		return math.NaN()
	}
	return mathext.RegIncBeta(below/2, above/2, below/(below+above*max(f, 0)))
}
