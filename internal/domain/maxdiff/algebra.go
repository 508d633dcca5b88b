package maxdiff

import "math"

// matrix is a square matrix, stored row by row.
type matrix struct {
	n  int
	at []float64
}

func newMatrix(n int) matrix { return matrix{n, make([]float64, n*n)} }

func (m matrix) row(i int) []float64 { return m.at[i*m.n:][:m.n] }

func (m matrix) trace() (sum float64) {
	for i := range m.n {
		sum += m.at[i*m.n+i]
	}
	return sum
}

// add adds a number to every entry.
func (m matrix) add(x float64) {
	for i := range m.at {
		m.at[i] += x
	}
}

// regularize makes an information matrix that is singular because it is blind to a common change of all utilities invertible, by
// adding a constant that acts on that change alone.
func (m matrix) regularize() { m.add(m.trace() / float64(m.n*m.n)) }

// addDiagonal adds a number to every entry of the diagonal.
func (m matrix) addDiagonal(x float64) {
	for i := range m.n {
		m.at[i*m.n+i] += x
	}
}

// addOuter adds v vᵀ.
func (m matrix) addOuter(v []float64) {
	for i, x := range v {
		if x == 0 {
			continue
		}
		row := m.row(i)
		for j, y := range v {
			row[j] += x * y
		}
	}
}

// cholesky replaces a symmetric matrix by its lower triangular factor L with L Lᵀ = m, in place (the upper part is left as
// it was). It reports whether m is positive definite within floating-point precision.
func (m matrix) cholesky() bool {
	for j := range m.n {
		rj := m.row(j)
		pivot := rj[j]
		for _, x := range rj[:j] {
			pivot -= x * x
		}
		if !(pivot > 1e-12*max(1, math.Abs(rj[j]))) {
			return false
		}
		rj[j] = math.Sqrt(pivot)
		for i := j + 1; i < m.n; i++ {
			ri := m.row(i)
			sum := ri[j]
			for k, x := range rj[:j] {
				sum -= x * ri[k]
			}
			ri[j] = sum / rj[j]
		}
	}
	return true
}

// solve finds x with L Lᵀ x = b, where m is the factor L; x may be b.
func (m matrix) solve(b, x []float64) {
	for i := range m.n {
		row, sum := m.row(i), b[i]
		for k, l := range row[:i] {
			sum -= l * x[k]
		}
		x[i] = sum / row[i]
	}
	for i := m.n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < m.n; k++ {
			sum -= m.at[k*m.n+i] * x[k]
		}
		x[i] = sum / m.at[i*m.n+i]
	}
}

// solveUpper replaces b by x with Lᵀ x = b, where m is the factor L.
func (m matrix) solveUpper(b []float64) {
	for i := m.n - 1; i >= 0; i-- {
		for k := i + 1; k < m.n; k++ {
			b[i] -= m.at[k*m.n+i] * b[k]
		}
		b[i] /= m.at[i*m.n+i]
	}
}

// inverse returns the inverse of L Lᵀ, where m is the factor L.
func (m matrix) inverse() matrix {
	inv, unit := newMatrix(m.n), make([]float64, m.n)
	for i := range m.n {
		clear(unit)
		unit[i] = 1
		m.solve(unit, inv.row(i)) // the inverse is symmetric: a column is a row
	}
	return inv
}

// centre subtracts the means of rows and columns, so that all of them sum to zero.
func (m matrix) centre() {
	n := float64(m.n)
	means, all := make([]float64, m.n), 0.0
	for i := range m.n {
		for _, x := range m.row(i) {
			means[i] += x / n
		}
		all += means[i] / n
	}
	for i := range m.n {
		row := m.row(i)
		for j := range row {
			row[j] += all - means[i] - means[j]
		}
	}
}

// sandwich returns m × inner × m, for symmetric matrices.
func (m matrix) sandwich(inner matrix) matrix { return m.times(inner).times(m) }

func (m matrix) times(o matrix) matrix {
	product := newMatrix(m.n)
	for i := range m.n {
		row := product.row(i)
		for k, x := range m.row(i) {
			for j, y := range o.row(k) {
				row[j] += x * y
			}
		}
	}
	return product
}

func (m matrix) scale(by float64) {
	for i := range m.at {
		m.at[i] *= by
	}
}
