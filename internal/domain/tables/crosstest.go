package tables

import (
	"math"
	"strconv"

	"verbatim/internal/domain/stats"
)

// testColumns are the columns of a table of tests, after the first.
var testColumns = []string{
	"people", "People tested", "groups", "Groups tested", "chiSquare", "Chi-square", "freedom", "Degrees of freedom",
	"p", "p", "adjusted", "p, adjusted for all tests of the report", "v", "Cramér's V", "sparse", "Cells expecting under 5, in %", "method", "p by",
}

const (
	byDistribution = "the chi-square distribution"
	byShuffling    = "shuffling"
	byNothing      = "nothing: too few people are expected in its cells"
)

// tested is the test of one table of counts.
type tested struct {
	stats.Association
	p      float64 // NaN if it cannot be tested
	method string
}

// test compares counts between columns: by shuffling people where they are few or few are expected in the cells, and by the chi-square
// distribution otherwise, also for what lies beyond any shuffle.
func test(counts [][]float64) (t tested, ok bool) {
	a, ok := stats.Associate(counts)
	if !ok {
		return tested{}, false
	}
	t = tested{a, a.P, byDistribution}
	sparse := a.Sparse > stats.SparsePart || a.Rows*a.Columns == 4 && a.Sparse > 0
	if sparse {
		t.p, t.method = math.NaN(), byNothing
	}
	if sparse || a.Base <= stats.MaxExact {
		if p, shuffled := stats.Shuffled(counts, a.ChiSquare); shuffled && (sparse || p > stats.LeastShuffled) {
			t.p, t.method = p, byShuffling
		}
	}
	return t, true
}

func (t *tested) cells(label string, adjusted float64) []Cell {
	return []Cell{
		Text(label), Fixed(t.Base, 0), Count(t.Columns), Fixed(t.ChiSquare, 2), Count(t.Freedom), Probability(t.p), Probability(adjusted),
		Fixed(t.V, 3), Percent(t.Sparse), Text(t.method),
	}
}

// testTable tests the complete table: rows by groups.
func (c Cross) testTable(s *Section) {
	counts := make([][]float64, len(c.Labels))
	for row := range counts {
		for _, g := range c.tested {
			counts[row] = append(counts[row], c.Counters[g].yes(row))
		}
	}
	t, ok := test(counts)
	if !ok {
		return
	}
	result := New(c.Key+"-test", c.Title+": chi-square test", c.Source, append([]string{"label", "Test"}, testColumns...)...).Optional()
	residuals := New(c.Key+"-residuals", c.Title+": adjusted residuals", c.Source, c.testedColumns()...)
	for row, label := range c.Labels {
		cells := []Cell{Text(label)}
		for _, x := range t.Residuals[row] {
			cells = append(cells, Fixed(x, 1))
		}
		residuals.Add(cells...)
	}
	s.Tables = append(s.Tables, result, residuals)
	c.Family.Add(t.p, func(adjusted float64) {
		result.Add(t.cells("Rows by groups", adjusted)...)
		cells := []Ref{result.At(0, "people"), result.At(0, "groups"), result.At(0, "chiSquare"), result.At(0, "freedom"), result.At(0, "p"), result.At(0, "adjusted"), result.At(0, "v")}
		const figures = "chi-square {} with {} degrees of freedom, p {}, adjusted for all tests of the report p {}, Cramér's V {}."
		switch {
		case math.IsNaN(t.p):
			c.sayAbout(s.Say, "The "+c.What+" of the groups were not tested: their cells expect too few people (under the usual bound: {} % of them).", result.At(0, "sparse"))
		case adjusted < Level:
			c.sayAbout(s.Say, "The "+c.What+" of {} people in {} groups differ by group: "+figures, cells...)
			c.sayResidual(s, t.Residuals, residuals)
			c.letters(s, allRows(len(c.Labels)))
		default:
			c.sayAbout(s.Say, "The "+c.What+" of {} people in {} groups were compared; no difference between the groups is shown: "+figures, cells...)
		}
	})
}

func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// testedColumns returns the columns of a table with the tested groups alone.
func (c Cross) testedColumns() []string {
	columns := []string{"label", c.Head}
	for _, g := range c.tested {
		columns = append(columns, GroupKey(g), c.Groups[g])
	}
	return columns
}

// sayResidual adds a sentence on the cell that lies furthest from independence. It is a description, not another test.
func (c Cross) sayResidual(s *Section, all [][]float64, residuals *Table) {
	furthest, row, group := 0.0, 0, 0
	for r := range all {
		for g, x := range all[r] {
			if math.Abs(x) > math.Abs(furthest) { // never if it is NaN
				furthest, row, group = x, r, g
			}
		}
	}
	named := New(residuals.Key+"-furthest", c.Title+": the cell furthest from independence", c.Source, "label", c.Head, "group", "Group", "residual", "Adjusted residual")
	named.Add(Text(c.Labels[row]), Text(c.Groups[c.tested[group]]), residuals.Rows[row][group+1])
	s.Tables = append(s.Tables, named)
	c.sayAbout(s.Say, "Furthest from equal shares lies {} in {}, with an adjusted residual of {}.", named.At(0, "label"), named.At(0, "group"), named.At(0, "residual"))
}

// testRows tests every row by itself: named or not named, by those who could name it.
func (c Cross) testRows(s *Section) {
	result := New(c.Key+"-test", c.Title+": chi-square test of each row, among those to whom it was shown", c.Source, append([]string{"label", c.Head}, testColumns...)...).Optional()
	s.Tables = append(s.Tables, result)
	var differ []int
	for row, label := range c.Labels {
		counts := [][]float64{nil, nil}
		for _, g := range c.tested {
			if c.Counters[g].Offered(row) >= MinTested {
				counts[0] = append(counts[0], c.Counters[g].yes(row))
				counts[1] = append(counts[1], c.Counters[g].no(row))
			}
		}
		if len(counts[0]) < 2 {
			continue
		}
		t, ok := test(counts)
		if !ok {
			continue
		}
		c.Family.Add(t.p, func(adjusted float64) {
			result.Add(t.cells(label, adjusted)...)
			if !(adjusted < Level) {
				return
			}
			differ = append(differ, row)
			at := len(result.Rows) - 1
			c.sayAbout(s.Say, "{} is named more often in some groups than in others, among the {} people in {} groups to whom it was shown: chi-square {} with {} degrees of freedom, p {}, adjusted for all tests of the report p {}, Cramér's V {}.",
				result.At(at, "label"), result.At(at, "people"), result.At(at, "groups"), result.At(at, "chiSquare"), result.At(at, "freedom"),
				result.At(at, "p"), result.At(at, "adjusted"), result.At(at, "v"))
		})
	}
	c.Family.Then(func() {
		if len(differ) == 0 {
			c.sayNone(s, result)
			return
		}
		c.letters(s, differ)
	})
}

// sayNone adds the number of people among whom rows were compared without a difference.
func (c Cross) sayNone(s *Section, result *Table) {
	fewest, largest := -1, -1
	for row, cells := range result.Rows {
		if cells[columnP] == None {
			continue // not tested
		}
		if people := number(cells[columnPeople]); fewest < 0 || people < number(result.Rows[fewest][columnPeople]) {
			fewest = row
		}
		if number(cells[columnPeople]) > number(result.Rows[max(largest, 0)][columnPeople]) || largest < 0 {
			largest = row
		}
	}
	if fewest < 0 {
		c.sayAbout(s.Say, "The "+c.What+" of the groups were not tested: too few people are expected in the cells.")
		return
	}
	low, high := result.At(fewest, "people"), result.At(largest, "people")
	if low.cell == high.cell {
		c.sayAbout(s.Say, "The "+c.What+" of {} people in {} groups were compared row by row; no difference between the groups is shown.", low, result.At(fewest, "groups"))
		return
	}
	c.sayAbout(s.Say, "The "+c.What+" of {} to {} people in {} groups were compared row by row, each among those to whom it was shown; no difference between the groups is shown.", low, high, result.At(fewest, "groups"))
}

// Places of cells in a table of tests.
const (
	columnPeople = 1
	columnP      = 5
)

// number returns the value of a cell with a count.
func number(c Cell) int {
	n, err := strconv.Atoi(c.text)
	if err != nil {
		return 0
	}
	return n
}
