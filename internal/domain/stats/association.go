package stats

import "math"

// Association describes how two classifications of the same people are associated.
type Association struct {
	ChiSquare float64
	Freedom   int
	P         float64 // of Pearson's chi-square, under independence
	V         float64 // Cramér's V, from 0 to 1
	// Residuals are the adjusted residuals (Haberman 1973), by row and column: beyond ±Z a cell holds more or fewer people than
	// under independence. They are NaN in empty rows and columns.
	Residuals [][]float64
	Base      float64
	Rows      int     // number of rows that are not empty
	Columns   int     // number of columns that are not empty
	Sparse    float64 // share of the cells with an expected count below SparseCount
}

// SparseCount is the smallest expected count of a cell at which chi-square is reliable. If more than SparsePart of the cells are
// below, chi-square is a rough guide (Cochran 1954).
const (
	SparseCount = 5
	SparsePart  = 0.2
)

// Associate measures the association of the rows and columns of a table of counts. Every person must be counted in one cell.
// Empty rows and columns are ignored; ok is false if fewer than two rows or columns remain.
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
