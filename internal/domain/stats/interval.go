package stats

import "math"

// Confidence is the confidence level of every interval here, in percent.
const Confidence = 95

// Z is the quantile of the standard normal distribution for Confidence.
const Z = 1.959963984540054

// Wilson returns the score interval (Wilson 1927) of the share count/base. Both bounds are NaN if base is not positive. base need
// not be an integer: it may be an effective sample size.
func Wilson(count, base float64) (low, high float64) {
	if base <= 0 {
		return math.NaN(), math.NaN()
	}
	p, z2 := count/base, Z*Z
	centre := (p + z2/(2*base)) / (1 + z2/base)
	half := Z / (1 + z2/base) * math.Sqrt(p*(1-p)/base+z2/(4*base*base))
	return max(0, min(centre-half, p)), min(1, max(centre+half, p)) // a share of 0 or 1 is itself a bound
}

// Ratio estimates a mean over answers that are clustered by person: the sum of y over the sum of m, where a person adds y out of
// m answers (or out of m possible points). It keeps only sums, so that its size does not depend on the number of people.
type Ratio struct {
	Y, M       float64
	People     int // with m above zero
	yy, ym, mm float64
}

// Add counts one person; a person with m of zero is not counted.
func (r *Ratio) Add(y, m float64) {
	if m <= 0 {
		return
	}
	r.People++
	r.Y, r.M = r.Y+y, r.M+m
	r.yy, r.ym, r.mm = r.yy+y*y, r.ym+y*m, r.mm+m*m
}

// Mean returns the mean, or NaN if nobody was counted.
func (r *Ratio) Mean() float64 {
	if r.M == 0 {
		return math.NaN()
	}
	return r.Y / r.M
}

// Effective returns how many people of equal weight the people counted are worth (Kish 1965): the square of the sum of what they
// count for, over the sum of the squares.
func (r *Ratio) Effective() float64 {
	if r.mm == 0 {
		return 0
	}
	return r.M * r.M / r.mm
}

// Variance returns the variance of the mean as an estimate, with the correction for few people. It is NaN for fewer than two.
func (r *Ratio) Variance() float64 {
	n := float64(r.People)
	if n < 2 {
		return math.NaN()
	}
	return r.variance() * n / (n - 1)
}

// variance returns the variance of the mean, between people, by linearization of the ratio.
func (r *Ratio) variance() float64 {
	p := r.Mean()
	return max(0, r.yy-2*p*r.ym+p*p*r.mm) / (r.M * r.M)
}

// Share returns the interval of a mean of yes and no: Wilson's, with the effective number of answers as base. If nobody answered
// twice that is the number of answers; if the answers of one person correlate it is less, down to the number of people.
func (r *Ratio) Share() (low, high float64) {
	p := r.Mean()
	worth := r.M
	if r.mm != r.M { // somebody counts more than once, or has a weight
		worth = r.M * r.M / r.mm // Kish's (1965), which holds where the variance is zero
		if v := r.variance(); v > 0 {
			worth = min(r.M, max(p*(1-p)/v, 1))
		}
	}
	return Wilson(p*worth, worth)
}

// Interval returns the interval of any other mean, by Student's t over people, within the bounds that the mean can have. It
// returns those bounds if fewer than two people were counted.
func (r *Ratio) Interval(least, limit float64) (low, high float64) {
	if r.People < 2 {
		return least, limit
	}
	half := Student(r.People-1) * math.Sqrt(r.Variance())
	return max(least, r.Mean()-half), min(limit, r.Mean()+half)
}
