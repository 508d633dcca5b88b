package maxdiff

import (
	"errors"
	"math"
	"slices"
)

// Fit is a logit model fitted to answers.
type Fit struct {
	People, Screens int
	Utilities       []float64 // sum to zero

	// Errors are the standard errors used for intervals: those ByPerson, or the larger of both of each option if Clustered is false
	// because there are too few people.
	Errors        []float64
	Information   []float64 // from the information matrix: correct if all screens are independent
	ByPerson      []float64 // robust, clustered by person (Huber, Liang and Zeger): correct also if one person's screens are correlated
	Clustered     bool
	LogLikelihood float64 // at the maximum
	Chance        float64 // the log-likelihood of random answers
	Steps         int     // of Newton's method
	Unbounded     bool    // see Separation; the utilities are then held by a weak prior (normal, with variance 1/Precision), and have no intervals
	Separation    Separation
	covariance    matrix
}

// Precision is the precision of the prior that holds the utilities if the likelihood has no maximum. It is used for nothing
// else.
const Precision = 1.0

// fewPeople is the number of people below which errors clustered by person are too small; there must also be at least twice
// as many people as options.
const fewPeople = 30

// Errors of Estimate.
var (
	ErrNoAnswers = errors.New("no screen was answered")
	ErrNoMaximum = errors.New("the utilities could not be estimated")
)

// Estimate fits the model. It fails with ErrNoAnswers, or with ErrNoMaximum if the computation does not converge.
func Estimate(d *Data) (Fit, error) {
	f := Fit{People: d.People(), Screens: d.Screens(), Utilities: make([]float64, d.options)}
	if f.People == 0 {
		return Fit{}, ErrNoAnswers
	}
	f.Separation = separation(d)
	f.Unbounded = f.Separation.Groups > 1
	precision := 0.0
	if f.Unbounded {
		precision = Precision
	}
	own := newDerivatives(d.options)
	at := func(u []float64, into *derivatives) {
		into.reset()
		for i := range d.people {
			sum := into
			if d.people[i].weight != 1 {
				own.reset()
				sum = &own
			}
			d.each(&d.people[i], func(shown []uint16, best, worst int) { sum.add(u, shown, best, worst) })
			if sum != into {
				into.plus(d.people[i].weight, sum)
			}
		}
		into.ridge(u, precision)
	}
	var converged bool
	if f.Steps, converged = newOptimizer(d.options).maximize(f.Utilities, at, !f.Unbounded); !converged {
		return Fit{}, ErrNoMaximum
	}
	centre(f.Utilities)
	s := newDerivatives(d.options)
	at(f.Utilities, &s)
	f.LogLikelihood, f.Chance = logLikelihoods(d, f.Utilities)
	if !f.Unbounded {
		s.information.regularize()
	}
	if !s.information.cholesky() {
		return Fit{}, ErrNoMaximum
	}
	inverse := s.information.inverse()
	inverse.centre()
	robust := inverse.sandwich(scores(d, f.Utilities))
	robust.scale(float64(f.People) / float64(max(f.People-1, 1)))
	f.Information, f.ByPerson = roots(inverse), roots(robust)
	f.Clustered = f.People >= max(fewPeople, 2*d.options) || d.weighted()
	f.covariance, f.Errors = robust, f.ByPerson
	if !f.Clustered {
		inverse.widen(f.Information, f.ByPerson)
		f.covariance, f.Errors = inverse, roots(inverse)
	}
	return f, nil
}

// widen scales a covariance matrix with the given standard errors so that none is smaller than the other one of the same option. Correlations
// stay as they are.
func (m matrix) widen(own, other []float64) {
	factor := make([]float64, m.n)
	for i := range factor {
		if factor[i] = 1; own[i] > 0 {
			factor[i] = max(1, other[i]/own[i])
		}
	}
	for i := range factor {
		for j := range factor {
			m.row(i)[j] *= factor[i] * factor[j]
		}
	}
}

// scores returns the sum over people of the outer products of their gradients.
func scores(d *Data, u []float64) matrix {
	sum, s := newMatrix(d.options), newDerivatives(d.options)
	for i := range d.people {
		clear(s.gradient)
		d.each(&d.people[i], func(shown []uint16, best, worst int) { s.add(u, shown, best, worst) })
		for j := range s.gradient {
			s.gradient[j] *= d.people[i].weight
		}
		sum.addOuter(s.gradient)
	}
	return sum
}

func logLikelihoods(d *Data, u []float64) (fitted, chance float64) {
	s := newDerivatives(d.options)
	for i := range d.people {
		s.value = 0
		d.each(&d.people[i], func(shown []uint16, best, worst int) {
			s.add(u, shown, best, worst)
			chance -= d.people[i].weight * math.Log(float64(len(shown)*(len(shown)-1)))
		})
		fitted += d.people[i].weight * s.value
	}
	return fitted, chance
}

func centre(u []float64) {
	mean := 0.0
	for _, x := range u {
		mean += x / float64(len(u))
	}
	for i := range u {
		u[i] -= mean
	}
}

func roots(m matrix) []float64 {
	diagonal := make([]float64, m.n)
	for i := range diagonal {
		diagonal[i] = math.Sqrt(max(0, m.row(i)[i]))
	}
	return diagonal
}

// McFadden returns how much better the model fits than chance: McFadden's rho squared, from 0 to 1.
func (f *Fit) McFadden() float64 { return 1 - f.LogLikelihood/f.Chance }

// weighted reports whether somebody counts for another weight than one.
func (d *Data) weighted() bool {
	return slices.ContainsFunc(d.people, func(p person) bool { return p.weight != 1 })
}
