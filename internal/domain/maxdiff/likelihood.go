package maxdiff

import "math"

// derivatives is the log-likelihood of some screens at some utilities, with its gradient and its information matrix (the negative
// of its Hessian).
type derivatives struct {
	value       float64
	gradient    []float64
	information matrix
}

func newDerivatives(options int) derivatives {
	return derivatives{gradient: make([]float64, options), information: newMatrix(options)}
}

func (s *derivatives) reset() {
	s.value = 0
	clear(s.gradient)
	clear(s.information.at)
}

// add adds one screen: first the choice of the best among all, by exp(u), then that of the worst among the others, by
// exp(-u).
func (s *derivatives) add(u []float64, shown []uint16, best, worst int) {
	s.choice(u, shown, best, -1, 1)
	s.choice(u, shown, worst, best, -1)
}

// choice adds the choice of the option at a position of shown, with utilities multiplied by sign; the option at the position
// without is excluded.
func (s *derivatives) choice(u []float64, shown []uint16, chosen, without int, sign float64) {
	var space [8]float64
	p := space[:0]
	largest := math.Inf(-1)
	for place, option := range shown {
		if place != without {
			largest = max(largest, sign*u[option])
		}
	}
	sum := 0.0
	for place, option := range shown {
		e := 0.0
		if place != without {
			e = math.Exp(sign*u[option] - largest)
		}
		p = append(p, e)
		sum += e
	}
	s.value += sign*u[shown[chosen]] - largest - math.Log(sum)
	s.gradient[shown[chosen]] += sign
	for i, option := range shown {
		if i == without {
			continue
		}
		pi := p[i] / sum
		s.gradient[option] -= sign * pi
		row := s.information.row(int(option))
		row[option] += pi
		for j, other := range shown {
			row[other] -= pi * p[j] / sum
		}
	}
}

// plus adds weight times other.
func (s *derivatives) plus(weight float64, other *derivatives) {
	s.value += weight * other.value
	for i, g := range other.gradient {
		s.gradient[i] += weight * g
	}
	for i, x := range other.information.at {
		s.information.at[i] += weight * x
	}
}

// ridge adds a normal prior with mean zero and the given precision to every utility.
func (s *derivatives) ridge(u []float64, precision float64) {
	if precision == 0 {
		return
	}
	for i, x := range u {
		s.value -= precision * x * x / 2
		s.gradient[i] -= precision * x
	}
	s.information.addDiagonal(precision)
}

// optimizer finds maxima, one after another in the same memory.
type optimizer struct {
	now, next   derivatives
	step, tried []float64
	enough      float64 // expected gain of a step, relative to the value, below which a maximum is reached
}

func newOptimizer(options int) *optimizer {
	return &optimizer{newDerivatives(options), newDerivatives(options), make([]float64, options), make([]float64, options), 1e-13}
}

// maximize moves the utilities u to the maximum of a concave log-likelihood, by Newton's method with step halving. at computes
// the derivatives at some utilities. flat says that a common change of all utilities changes nothing; then the sum of u stays as
// it is. It returns the number of steps, and whether it converged.
func (c *optimizer) maximize(u []float64, at func(u []float64, into *derivatives), flat bool) (steps int, converged bool) {
	const maxSteps, maxHalvings = 100, 40
	at(u, &c.now)
	for steps = range maxSteps {
		if flat {
			c.now.information.regularize()
		}
		if !c.now.information.cholesky() {
			return steps, false
		}
		c.now.information.solve(c.now.gradient, c.step)
		gain := 0.0
		for i, g := range c.now.gradient {
			gain += g * c.step[i]
		}
		scale := 1 + math.Abs(c.now.value)
		if gain <= c.enough*scale {
			return steps, true
		}
		length := 1.0
		for range maxHalvings {
			for i := range u {
				c.tried[i] = u[i] + length*c.step[i]
			}
			if at(c.tried, &c.next); c.next.value > c.now.value {
				break
			}
			length /= 2
		}
		if !(c.next.value > c.now.value) {
			return steps, gain <= 1e-6*scale // at the limit of floating-point precision
		}
		copy(u, c.tried)
		c.now, c.next = c.next, c.now
	}
	return maxSteps, false
}
