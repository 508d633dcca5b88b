package stats

import "math"

// Confidence is that of every interval here, in percent.
const Confidence = 95

// Z is the quantile of the standard normal distribution that Confidence stands for.
const Z = 1.959963984540054

// Wilson is the score interval (Wilson 1927) of a share: of count in base. Both are NaN where base is not positive.
// base need not be whole: it may be an effective size.
func Wilson(count, base float64) (low, high float64) {
	if base <= 0 {
		return math.NaN(), math.NaN()
	}
	p, z2 := count/base, Z*Z
	centre := (p + z2/(2*base)) / (1 + z2/base)
	half := Z / (1 + z2/base) * math.Sqrt(p*(1-p)/base+z2/(4*base*base))
	return max(0, min(centre-half, p)), min(1, max(centre+half, p)) // a share of nothing, or of all, lies on its bound
}

// Student is the quantile of Student's t that Confidence stands for: exact for one and two degrees of freedom, by the
// expansion of Fisher and Cornish (Abramowitz and Stegun 26.7.5) beyond, where it is right to three decimals. It is
// infinite without a degree of freedom.
func Student(freedom int) float64 {
	switch {
	case freedom < 1:
		return math.Inf(1)
	case freedom == 1:
		return math.Tan(math.Pi * Confidence / 200)
	case freedom == 2:
		const p = Confidence / 100.0
		return math.Sqrt(2 * p * p / (1 - p*p))
	}
	n, z := float64(freedom), Z
	z3 := z * z * z
	z5 := z3 * z * z
	z7 := z5 * z * z
	z9 := z7 * z * z
	return z + (z3+z)/(4*n) + (5*z5+16*z3+3*z)/(96*n*n) + (3*z7+19*z5+17*z3-15*z)/(384*n*n*n) +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*n*n*n*n)
}

// Ratio is a mean over answers that stand in people: the sum of y over the sum of m, where a person adds y out of m
// answers (or out of m points that could be had). It keeps sums alone, so that any number of people costs the same.
type Ratio struct {
	Y, M       float64
	People     int // with m above zero
	yy, ym, mm float64
}

// Add counts one person; one with m of zero is not counted.
func (r *Ratio) Add(y, m float64) {
	if m <= 0 {
		return
	}
	r.People++
	r.Y, r.M = r.Y+y, r.M+m
	r.yy, r.ym, r.mm = r.yy+y*y, r.ym+y*m, r.mm+m*m
}

// Mean is NaN where nobody was counted.
func (r *Ratio) Mean() float64 {
	if r.M == 0 {
		return math.NaN()
	}
	return r.Y / r.M
}

// variance is that of the mean, between people, by linearization of the ratio.
func (r *Ratio) variance() float64 {
	p := r.Mean()
	return max(0, r.yy-2*p*r.ym+p*p*r.mm) / (r.M * r.M)
}

// Share is the interval of a mean of yes and no: Wilson's, on as many answers as those of these people are worth. Where
// nobody answered twice that is their number; where the answers of one person hang together it is less, down to the
// number of people.
func (r *Ratio) Share() (low, high float64) {
	p := r.Mean()
	worth := r.M
	if r.mm != r.M { // somebody counts more than once
		worth = float64(r.People)
		if v := r.variance(); v > 0 {
			worth = min(r.M, max(p*(1-p)/v, 1))
		}
	}
	return Wilson(p*worth, worth)
}

// Interval is that of any other mean, by Student's t over people, within the bounds that the mean has. It spans those
// bounds where one person or nobody was counted.
func (r *Ratio) Interval(least, limit float64) (low, high float64) {
	if r.People < 2 {
		return least, limit
	}
	n := float64(r.People)
	half := Student(r.People-1) * math.Sqrt(r.variance()*n/(n-1))
	return max(least, r.Mean()-half), min(limit, r.Mean()+half)
}
