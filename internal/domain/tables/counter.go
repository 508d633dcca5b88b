package tables

import (
	"slices"

	"verbatim/internal/domain/stats"
)

// Counter counts which of some rows (options, themes, columns of a matrix) people named. It keeps only sums.
type Counter struct {
	rows    []stats.Ratio
	People  int // who answered
	Answers int // answers: more than People if somebody answers about several concepts
}

// NewCounter returns a Counter with a number of rows.
func NewCounter(rows int) *Counter { return &Counter{rows: make([]stats.Ratio, rows)} }

// Answer is one answer: the indexes of the rows that could be named, and of those that were.
type Answer struct{ Offered, Named []int }

// Add counts one person with all of their answers.
func (c *Counter) Add(answers []Answer) {
	if len(answers) == 0 {
		return
	}
	c.People++
	c.Answers += len(answers)
	if len(answers) == 1 {
		for _, row := range answers[0].Offered {
			named := 0.0
			if slices.Contains(answers[0].Named, row) {
				named = 1
			}
			c.rows[row].Add(named, 1)
		}
		return
	}
	offered, named := make([]float64, len(c.rows)), make([]float64, len(c.rows))
	for _, a := range answers {
		for _, row := range a.Offered {
			offered[row]++
		}
		for _, row := range a.Named {
			named[row]++
		}
	}
	for row := range c.rows {
		c.rows[row].Add(named[row], offered[row])
	}
}

// Named returns how many answers named a row.
func (c *Counter) Named(row int) int { return int(c.rows[row].Y) }

// Offered returns how many answers could have named a row.
func (c *Counter) Offered(row int) int { return int(c.rows[row].M) }

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
