package stats

import "math"

// Difference is the test of whether several means are equal.
type Difference struct {
	F            float64
	Above, Below float64 // degrees of freedom
	P            float64 // NaN if the means cannot be tested
}

var untested = Difference{F: math.NaN(), Above: math.NaN(), Below: math.NaN(), P: math.NaN()}

// Welch tests whether the means of different people are equal, whatever their variances (Welch 1951). Each group needs two
// people and a variance.
func Welch(groups []*Ratio) Difference {
	weights, sum, mean := make([]float64, len(groups)), 0.0, 0.0
	for i, g := range groups {
		v := g.Variance()
		if !(v > 0) {
			return untested
		}
		weights[i] = 1 / v
		sum += weights[i]
		mean += weights[i] * g.Mean()
	}
	k := float64(len(groups))
	if k < 2 {
		return untested
	}
	mean /= sum
	between, spread := 0.0, 0.0
	for i, g := range groups {
		d := g.Mean() - mean
		between += weights[i] * d * d / (k - 1)
		part := 1 - weights[i]/sum
		spread += part * part / (float64(g.People) - 1)
	}
	d := Difference{Above: k - 1, Below: (k*k - 1) / (3 * spread)}
	d.F = between / (1 + 2*(k-2)/(k*k-1)*spread)
	d.P = FTail(d.F, d.Above, d.Below)
	return d
}

// Paired holds what the same people answered about several things, for example concepts; not everybody needs to have answered
// about each. It keeps sums alone.
type Paired struct {
	y, m       []float64
	people     []int
	yy, ym, mm []float64 // sums of products, by two things
}

// NewPaired returns a Paired for a number of things.
func NewPaired(things int) *Paired {
	return &Paired{
		y: make([]float64, things), m: make([]float64, things), people: make([]int, things),
		yy: make([]float64, things*things), ym: make([]float64, things*things), mm: make([]float64, things*things),
	}
}

// Add counts one person, who adds y[i] out of m[i] to thing i; m[i] is zero if the person did not answer about it.
func (p *Paired) Add(y, m []float64) {
	n := len(p.y)
	for i := range n {
		if m[i] <= 0 {
			continue
		}
		p.people[i]++
		p.y[i] += y[i]
		p.m[i] += m[i]
		for j := range n {
			if m[j] > 0 {
				p.yy[i*n+j] += y[i] * y[j]
				p.ym[i*n+j] += y[i] * m[j]
				p.mm[i*n+j] += m[i] * m[j]
			}
		}
	}
}

// Mean returns the mean of a thing, NaN if nobody answered about it.
func (p *Paired) Mean(i int) float64 {
	if p.m[i] == 0 {
		return math.NaN()
	}
	return p.y[i] / p.m[i]
}

// Things returns the number of things.
func (p *Paired) Things() int { return len(p.y) }

// People returns how many people answered about a thing.
func (p *Paired) People(i int) int { return p.people[i] }

// covariance returns the covariance of the means of two things over people, by linearization.
func (p *Paired) covariance(i, j int) float64 {
	n, a, b := len(p.y), p.Mean(i), p.Mean(j)
	return (p.yy[i*n+j] - b*p.ym[i*n+j] - a*p.ym[j*n+i] + a*b*p.mm[i*n+j]) / (p.m[i] * p.m[j])
}

// fewest returns the smallest number of people who answered about one of some things.
func (p *Paired) fewest(things []int) int {
	least := math.MaxInt
	for _, i := range things {
		least = min(least, p.people[i])
	}
	return least
}

// Pair tests whether the means of two things are equal: Student's t of their difference over people, with the degrees of freedom
// of the thing that fewer people answered about. p is NaN if the difference has no variance.
func (p *Paired) Pair(i, j int) (t, freedom, tail float64) {
	n := float64(min(p.people[i], p.people[j]))
	if n < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	v := (p.covariance(i, i) + p.covariance(j, j) - 2*p.covariance(i, j)) * n / (n - 1)
	if !(v > 1e-15) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	t = (p.Mean(i) - p.Mean(j)) / math.Sqrt(v)
	return t, n - 1, StudentTail(t, n-1)
}

// Equal tests whether the means of some things are equal: Hotelling's T-squared of their differences from the last one, with the
// people of the thing that fewest answered about. If everybody answered about every thing once, this is the exact test of
// repeated measures for normal differences (Hotelling 1931).
func (p *Paired) Equal(things []int) Difference {
	k, n := len(things)-1, float64(p.fewest(things))
	if k < 1 || n <= float64(k)+1 {
		return untested
	}
	last := things[k]
	d, s := make([]float64, k), make([][]float64, k)
	for a, i := range things[:k] {
		d[a], s[a] = p.Mean(i)-p.Mean(last), make([]float64, k)
		for b, j := range things[:k] {
			s[a][b] = p.covariance(i, j) - p.covariance(i, last) - p.covariance(last, j) + p.covariance(last, last)
		}
	}
	x, ok := solve(s, d)
	if !ok {
		return untested
	}
	t2 := 0.0
	for a := range d {
		t2 += d[a] * x[a] * (n - 1) / n
	}
	out := Difference{Above: float64(k), Below: n - float64(k)}
	out.F = t2 * out.Below / (out.Above * (n - 1))
	out.P = FTail(out.F, out.Above, out.Below)
	return out
}

// solve returns x with s x = b for a symmetric positive definite matrix, by elimination; ok is false if it is singular. s and b
// stay as they are.
func solve(s [][]float64, b []float64) (x []float64, ok bool) {
	n := len(b)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = append(append(make([]float64, 0, n+1), s[i]...), b[i])
	}
	for i := range n {
		pivot := rows[i][i]
		if !(pivot > 1e-12*max(s[i][i], 1e-300)) {
			return nil, false
		}
		for r := i + 1; r < n; r++ {
			by := rows[r][i] / pivot
			for c := i; c <= n; c++ {
				rows[r][c] -= by * rows[i][c]
			}
		}
	}
	x = make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		sum := rows[i][n]
		for c := i + 1; c < n; c++ {
			sum -= rows[i][c] * x[c]
		}
		x[i] = sum / rows[i][i]
	}
	return x, true
}
