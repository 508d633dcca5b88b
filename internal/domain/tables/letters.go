package tables

import (
	"math"
	"strings"

	"verbatim/internal/domain/stats"
)

// Letter returns the significance letter of a column: A to Z, then A' and so on.
func Letter(place int) string {
	letter := string(rune('A' + place%26))
	if place >= 26 {
		letter += strings.Repeat("'", place/26)
	}
	return letter
}

// PairTest compares a row between two columns. It returns the p-value, NaN if there is none, and whether the first is higher.
type PairTest func(row, a, b int) (p float64, higher bool)

// Letters returns a table with a letter for each column: a cell names the columns whose value is significantly lower, after Holm's
// adjustment over all pairs of the given rows. It returns nil if no pair differs.
func Letters(key, title string, source Source, head string, labels []string, rows []int, columns []string, test PairTest) *Table {
	type pair struct{ row, high, low int }
	var pairs []pair
	var all []float64
	for _, row := range rows {
		for a := range columns {
			for b := range a {
				p, higher := test(row, a, b)
				one := pair{row, b, a}
				if higher {
					one = pair{row, a, b}
				}
				pairs, all = append(pairs, one), append(all, p)
			}
		}
	}
	lower := map[[2]int][]string{}
	for i, adjusted := range stats.Holm(all) {
		if adjusted < Level {
			at := [2]int{pairs[i].row, pairs[i].high}
			lower[at] = append(lower[at], Letter(pairs[i].low))
		}
	}
	if len(lower) == 0 {
		return nil
	}
	heads := []string{"label", head}
	for i, column := range columns {
		heads = append(heads, GroupKey(i), column+" ("+Letter(i)+")")
	}
	t := New(key, title+": significance letters", source, heads...)
	for _, row := range rows {
		cells := []Cell{Text(labels[row])}
		for i := range columns {
			cells = append(cells, Text(strings.Join(lower[[2]int{row, i}], " ")))
		}
		t.Add(cells...)
	}
	return t
}

// letters adds the letters of rows whose test has found a difference.
func (c Cross) letters(s *Section, rows []int) {
	columns := make([]string, len(c.tested))
	for i, g := range c.tested {
		columns[i] = c.Groups[g]
	}
	t := Letters(c.Key+"-letters", c.Title, c.Source, c.Head, c.Labels, rows, columns, func(row, a, b int) (float64, bool) {
		one, other := c.Counters[c.tested[a]], c.Counters[c.tested[b]]
		if one.Offered(row) < MinTested || other.Offered(row) < MinTested {
			return math.NaN(), false
		}
		found, ok := test([][]float64{{one.yes(row), other.yes(row)}, {one.no(row), other.no(row)}})
		if !ok {
			return math.NaN(), false
		}
		return found.p, one.rows[row].Mean() > other.rows[row].Mean()
	})
	if t == nil {
		return
	}
	s.Tables = append(s.Tables, t)
	c.sayAbout(s.Say, "In the table of letters a column's cell names the columns with a significantly lower share, adjusted for all pairs in it.")
}
