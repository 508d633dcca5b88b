package maxdiff

import (
	"math"
	"math/rand/v2"
)

// Population is the distribution of utilities among people: one normal distribution for each option, independent of the others.
// With it, the utilities of a person can be estimated from a few screens (empirical Bayes).
//
// The method is maximum likelihood by the EM algorithm (Dempster, Laird and Rubin 1977). The mean and the variance of each person's posterior
// come from importance sampling around its mode (Geweke 1989), with the same draws in every step, so that the same answers give the same
// population. Laplace's approximation alone would make the deviations too small, as a person answers few screens.
type Population struct {
	Mean, Deviation []float64 // by option; the means sum to zero
	People          int       // that it was estimated from
	Steps           int
	Converged       bool
}

// Limits of the estimation of a population.
const (
	maxLearned     = 300  // people that it is estimated from, spread evenly
	maxEM          = 40   // steps
	closeDeviation = 5e-3 // largest change of a mean or deviation at which the steps end
	minDeviation   = 0.05
	drawn          = 24   // pairs of draws from each person's posterior
	wider          = 1.15 // how much wider than the posterior's curvature says they are drawn
)

// Population estimates the population from the answers. It needs people; the utilities of fit are where it begins.
func (d *Data) Population(fit *Fit) Population {
	p := Population{Mean: append([]float64(nil), fit.Utilities...), Deviation: make([]float64, d.options)}
	for i := range p.Deviation {
		p.Deviation[i] = 1
	}
	var learned []int
	for i := range min(len(d.people), maxLearned) {
		learned = append(learned, i*len(d.people)/min(len(d.people), maxLearned))
	}
	p.People = len(learned)
	modes, means, spreads := make([][]float64, len(learned)), make([][]float64, len(learned)), make([][]float64, len(learned))
	for i := range learned {
		modes[i], means[i], spreads[i] = append([]float64(nil), p.Mean...), make([]float64, d.options), make([]float64, d.options)
	}
	for p.Steps = 1; p.Steps <= maxEM && !p.Converged; p.Steps++ {
		d.parallel(len(learned), func(own *personFit, i int) {
			own.posterior(d, &d.people[learned[i]], &p, modes[i], means[i], spreads[i])
		})
		p.Converged = p.maximize(means, spreads) < closeDeviation
	}
	return p
}

// maximize moves the population to the best one for the given posteriors. It returns the largest change.
func (p *Population) maximize(means, spreads [][]float64) (change float64) {
	n := float64(len(means))
	mean, deviation := make([]float64, len(p.Mean)), make([]float64, len(p.Mean))
	for i := range means {
		for j, u := range means[i] {
			mean[j] += u / n
		}
	}
	for i := range means {
		for j, u := range means[i] {
			deviation[j] += (spreads[i][j] + (u-mean[j])*(u-mean[j])) / n
		}
	}
	centre(mean)
	for j := range mean {
		deviation[j] = max(minDeviation, math.Sqrt(deviation[j]))
		change = max(change, math.Abs(mean[j]-p.Mean[j]), math.Abs(deviation[j]-p.Deviation[j]))
	}
	p.Mean, p.Deviation = mean, deviation
	return change
}

// Individual holds the utilities of one person: the mean of the posterior, with a sum of zero, and its standard deviations.
type Individual struct {
	Person            int // the id given to Add
	Weight            float64
	Utilities, Errors []float64
}

// Individuals estimates the utilities of every person, in the order in which they were added.
func (d *Data) Individuals(p *Population) []Individual {
	all := make([]Individual, len(d.people))
	d.parallel(len(all), func(own *personFit, i int) {
		mode := append([]float64(nil), p.Mean...)
		one := Individual{d.people[i].id, d.people[i].weight, make([]float64, d.options), make([]float64, d.options)}
		own.posterior(d, &d.people[i], p, mode, one.Utilities, one.Errors)
		centre(one.Utilities)
		for j, v := range one.Errors {
			one.Errors[j] = math.Sqrt(v)
		}
		all[i] = one
	})
	return all
}

// posterior moves mode to the mode of a person's posterior, and sets mean and spread to its means and variances.
func (o *personFit) posterior(d *Data, who *person, p *Population, mode, mean, spread []float64) {
	at := func(u []float64, into *derivatives) {
		into.reset()
		d.each(who, func(shown []uint16, best, worst int) { into.add(u, shown, best, worst) })
		into.normal(u, p)
	}
	o.climber.maximize(mode, at, false)
	at(mode, &o.likelihood)
	top := o.likelihood.value
	clear(mean)
	clear(spread)
	if !o.likelihood.information.cholesky() { // cannot be: the prior is positive definite
		copy(mean, mode)
		return
	}
	chance, sum := rand.New(rand.NewPCG(uint64(who.id), 0x706f73746572)), 0.0
	for range drawn {
		length := 0.0
		for j := range o.unit {
			o.unit[j] = wider * chance.NormFloat64()
			length += o.unit[j] * o.unit[j] / (wider * wider)
		}
		o.likelihood.information.solveUpper(o.unit)
		for _, sign := range [2]float64{1, -1} {
			for j, x := range o.unit {
				o.u[j] = mode[j] + sign*x
			}
			weight := math.Exp(o.logPosterior(d, who, p, o.u) - top + length/2)
			sum += weight
			for j, x := range o.u {
				mean[j] += weight * x
				spread[j] += weight * x * x
			}
		}
	}
	for j := range mean {
		mean[j] /= sum
		spread[j] = max(0, spread[j]/sum-mean[j]*mean[j])
	}
}

// logPosterior returns the logarithm of a person's posterior density, without its constant.
func (o *personFit) logPosterior(d *Data, who *person, p *Population, u []float64) float64 {
	value, product := 0.0, 1.0
	for j, x := range u {
		o.odds[j] = math.Exp(x)
		z := (x - p.Mean[j]) / p.Deviation[j]
		value -= z * z / 2
	}
	d.each(who, func(shown []uint16, best, worst int) {
		value += u[shown[best]] - u[shown[worst]]
		all, rest := 0.0, 0.0
		for place, option := range shown {
			all += o.odds[option]
			if place != best {
				rest += 1 / o.odds[option]
			}
		}
		if product *= all * rest; product > 1e200 || product < 1e-200 {
			value -= math.Log(product)
			product = 1
		}
	})
	return value - math.Log(product)
}

// normal adds the logarithm of the population's density, without its constant.
func (s *derivatives) normal(u []float64, p *Population) {
	for i, x := range u {
		precision := 1 / (p.Deviation[i] * p.Deviation[i])
		s.value -= precision * (x - p.Mean[i]) * (x - p.Mean[i]) / 2
		s.gradient[i] -= precision * (x - p.Mean[i])
		s.information.row(i)[i] += precision
	}
}

// draw returns the utilities of somebody from the population.
func (p *Population) draw(chance *rand.Rand) []float64 {
	u := make([]float64, len(p.Mean))
	for i := range u {
		u[i] = p.Mean[i] + p.Deviation[i]*chance.NormFloat64()
	}
	return u
}

// choose draws the choices on a screen by the model, for somebody with the given utilities.
func choose(chance *rand.Rand, u []float64, shown []uint16) (best, worst int) {
	pick := func(without int, sign float64) (chosen int) {
		highest := math.Inf(-1)
		for place, option := range shown {
			if place == without {
				continue
			}
			if v := sign*u[option] - math.Log(chance.ExpFloat64()); v > highest { // minus the log of an exponential is Gumbel
				chosen, highest = place, v
			}
		}
		return chosen
	}
	best = pick(-1, 1)
	return best, pick(best, -1)
}

// parallel calls do for each of n numbers, in parts that Spread may run at the same time; each part has memory of its own.
func (d *Data) parallel(n int, do func(own *personFit, i int)) {
	part := func(begin, end int) {
		own := newPersonFit(d.options)
		for i := begin; i < end; i++ {
			do(own, i)
		}
	}
	if d.Spread == nil {
		part(0, n)
		return
	}
	d.Spread(n, part)
}
