// Package maxdifftest simulates MaxDiff answers with known utilities, for tests and for the benchmark.
package maxdifftest

import (
	"math"
	"math/rand/v2"

	"verbatim/internal/domain/maxdiff"
)

// Study is a simulated study: everybody has the same utilities, and every choice has its own noise.
type Study struct {
	Utilities []float64
	PerScreen int
	People    int
	Spread    float64 // standard deviation of a person's own utilities around Utilities; 0: all are alike
	Random    int     // the last Random people choose at random
}

// Answer simulates the answers of the study's people to the product's own designs. On a screen the best option is that with
// the highest utility plus standard Gumbel noise, and the worst, among the others, is that with the highest negative utility
// plus fresh noise: the sequential model.
func (s Study) Answer(seed uint64) *maxdiff.Data {
	chance := rand.New(rand.NewPCG(seed, 1))
	data := maxdiff.New(len(s.Utilities))
	for id := range s.People {
		own := make([]float64, len(s.Utilities))
		for i, u := range s.Utilities {
			if own[i] = u + s.Spread*chance.NormFloat64(); id >= s.People-s.Random {
				own[i] = 0
			}
		}
		var screens []maxdiff.Screen
		for _, shown := range maxdiff.Design(len(own), s.PerScreen, chance.IntN(maxdiff.Versions)) {
			best := choose(chance, shown, -1, func(option int) float64 { return own[option] })
			worst := choose(chance, shown, best, func(option int) float64 { return -own[option] })
			screens = append(screens, maxdiff.Screen{Shown: shown, Best: best, Worst: worst})
		}
		if err := data.Add(id, 1<<(id%2), screens); err != nil {
			panic(err)
		}
	}
	return data
}

func choose(chance *rand.Rand, shown []int, without int, value func(option int) float64) (chosen int) {
	highest := math.Inf(-1)
	for _, option := range shown {
		if option == without {
			continue
		}
		if v := value(option) - math.Log(chance.ExpFloat64()); v > highest { // minus the log of an exponential is Gumbel
			chosen, highest = option, v
		}
	}
	return chosen
}

// Spaced returns n utilities at equal distances from -reach to reach.
func Spaced(n int, reach float64) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = reach * (2*float64(i)/float64(n-1) - 1)
	}
	return u
}

// Drawn returns n utilities from a normal distribution, with a sum of zero.
func Drawn(seed uint64, n int, deviation float64) []float64 {
	chance := rand.New(rand.NewPCG(seed, 2))
	u, mean := make([]float64, n), 0.0
	for i := range u {
		u[i] = deviation * chance.NormFloat64()
		mean += u[i] / float64(n)
	}
	for i := range u {
		u[i] -= mean
	}
	return u
}
