package tables

import (
	"slices"

	"verbatim/internal/domain/stats"
)

// Counter counts which of some rows (options, themes, columns of a matrix) people named. It keeps only sums.
type Counter struct {
	rows           []stats.Ratio // with weights
	named, offered []int         // without
	People         int           // who answered
	Answers        int           // answers: more than People if somebody answers about several concepts
}

// NewCounter returns a Counter with a number of rows.
func NewCounter(rows int) *Counter {
	return &Counter{rows: make([]stats.Ratio, rows), named: make([]int, rows), offered: make([]int, rows)}
}

// Answer is one answer: the indexes of the rows that could be named, and of those that were.
type Answer struct{ Offered, Named []int }

// Add counts one person with all of their answers.
func (c *Counter) Add(answers []Answer) { c.AddWeighted(1, answers) }

// AddWeighted counts one person, whose answers count for a weight in shares, intervals and tests.
func (c *Counter) AddWeighted(weight float64, answers []Answer) {
	if len(answers) == 0 {
		return
	}
	c.People++
	c.Answers += len(answers)
	if len(answers) == 1 {
		for _, row := range answers[0].Offered {
			c.offered[row]++
			named := 0.0
			if slices.Contains(answers[0].Named, row) {
				named = weight
				c.named[row]++
			}
			c.rows[row].Add(named, weight)
		}
		return
	}
	offered, named := make([]float64, len(c.rows)), make([]float64, len(c.rows))
	for _, a := range answers {
		for _, row := range a.Offered {
			offered[row] += weight
			c.offered[row]++
		}
		for _, row := range a.Named {
			named[row] += weight
			c.named[row]++
		}
	}
	for row := range c.rows {
		c.rows[row].Add(named[row], offered[row])
	}
}

// Named returns how many answers named a row.
func (c *Counter) Named(row int) int { return c.named[row] }

// Offered returns how many answers could have named a row.
func (c *Counter) Offered(row int) int { return c.offered[row] }

// Weight returns the weight of the answers that named a row; without weights that is their number.
func (c *Counter) Weight(row int) float64 { return c.rows[row].Y }

// Everywhere reports whether every answer could have named every row.
func (c *Counter) Everywhere() bool {
	return !slices.ContainsFunc(c.offered, func(n int) bool { return n != c.Answers })
}

// yes and no return how many answers that could name a row did and did not, as numbers for a test: with weights, as many as the
// weighted answers are worth.
func (c *Counter) yes(row int) float64 { return c.rows[row].Y * c.scale(row) }

func (c *Counter) no(row int) float64 { return (c.rows[row].M - c.rows[row].Y) * c.scale(row) }

func (c *Counter) scale(row int) float64 {
	if c.rows[row].M == 0 {
		return 0
	}
	return c.rows[row].Effective() / c.rows[row].M
}

// Share returns the share of the offered answers that named a row, with its interval.
func (c *Counter) Share(row int) (share, low, high float64) {
	low, high = c.rows[row].Share()
	return c.rows[row].Mean(), low, high
}

// Shares returns a table of the counts: rows with their counts, bases, shares and intervals. labels are the rows' labels.
func (c *Counter) Shares(key, title string, source Source, head string, labels []string) *Table {
	table := New(key, title, source, "label", head, "count", "Count", "base", "Base",
		"share", "Share %", "low", "From %", "high", "To %")
	for row, label := range labels {
		share, low, high := c.Share(row)
		table.Add(Text(label), Count(c.Named(row)), Count(c.Offered(row)), Percent(share), Percent(low), Percent(high))
	}
	return table
}
