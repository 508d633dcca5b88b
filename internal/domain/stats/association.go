package stats

import "math"

// Association is how two classifications of the same people go together.
type Association struct {
	ChiSquare float64
	Freedom   int
	P         float64 // of Pearson's chi-square, if the two did not go together
	V         float64 // Cramér's, from 0 to 1
	// Residuals are the adjusted ones (Haberman 1973), by row and column: beyond Z either way a cell is more or less filled
	// than chance would. NaN in rows and columns that are empty.
	Residuals [][]float64
	Base      float64
	Rows      int     // that are not empty
	Columns   int     // that are not empty
	Sparse    float64 // the part of the cells of which fewer than SparseCount people are expected
}

// SparseCount is what a cell should be expected to hold; where more than SparsePart of the cells are below, chi-square
// is a rough guide (Cochran 1954).
const (
	SparseCount = 5
	SparsePart  = 0.2
)

// Associate tells how the rows of a table of counts go with its columns. Every person must be counted in one cell. Empty
// rows and columns are left aside; ok is false where fewer than two of either remain.
func Associate(counts [][]float64) (a Association, ok bool) {
	if len(counts) == 0 {
		return Association{}, false
	}
	rows, columns := make([]float64, len(counts)), make([]float64, len(counts[0]))
	for r := range counts {
		for c, n := range counts[r] {
			rows[r] += n
			columns[c] += n
			a.Base += n
		}
	}
	a.Rows, a.Columns = filled(rows), filled(columns)
	if a.Rows < 2 || a.Columns < 2 {
		return Association{}, false
	}
	a.Residuals = make([][]float64, len(rows))
	for r := range counts {
		a.Residuals[r] = make([]float64, len(columns))
		for c, n := range counts[r] {
			expected := rows[r] * columns[c] / a.Base
			if expected == 0 {
				a.Residuals[r][c] = math.NaN()
				continue
			}
			a.ChiSquare += (n - expected) * (n - expected) / expected
			a.Residuals[r][c] = (n - expected) / math.Sqrt(expected*(1-rows[r]/a.Base)*(1-columns[c]/a.Base))
			if expected < SparseCount {
				a.Sparse++
			}
		}
	}
	a.Sparse /= float64(a.Rows * a.Columns)
	a.Freedom = (a.Rows - 1) * (a.Columns - 1)
	a.P = ChiSquareTail(a.ChiSquare, a.Freedom)
	a.V = math.Sqrt(a.ChiSquare / (a.Base * float64(min(a.Rows, a.Columns)-1)))
	return a, true
}

func filled(sums []float64) (n int) {
	for _, sum := range sums {
		if sum > 0 {
			n++
		}
	}
	return n
}

// ChiSquareTail is the probability of a chi-square of at least x: the regularized upper incomplete gamma function of
// freedom/2 and x/2, by its series below the mean and by its continued fraction (Lentz's method) above.
func ChiSquareTail(x float64, freedom int) float64 {
	if x <= 0 || freedom < 1 {
		return 1
	}
	a, half := float64(freedom)/2, x/2
	lg, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(half) - half - lg)
	const steps, enough = 10_000, 1e-15
	if half < a+1 {
		term := 1 / a
		sum := term
		for n := 1; n <= steps && term > sum*enough; n++ {
			term *= half / (a + float64(n))
			sum += term
		}
		return max(0, 1-scale*sum)
	}
	const tiny = 1e-300
	b := half + 1 - a
	c, d := 1/tiny, 1/b
	fraction := d
	for n := 1; n <= steps; n++ {
		factor := -float64(n) * (float64(n) - a)
		b += 2
		d = 1 / nonZero(factor*d+b, tiny)
		c = nonZero(b+factor/c, tiny)
		fraction *= c * d
		if math.Abs(c*d-1) < enough {
			break
		}
	}
	return min(1, scale*fraction)
}

func nonZero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
