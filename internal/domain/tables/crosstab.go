package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"verbatim/internal/domain/stats"
)

// SmallBase is the number of people below which a column should not be read by itself.
const SmallBase = 30

// Cross compares counts between groups of people.
type Cross struct {
	Key, Title string
	Source     Source
	What       string   // what is compared, in words: answers, ratings
	About      []Ref    // what sentences name first; none if it is obvious
	Head       string   // heading of the rows
	Labels     []string // of the rows
	Groups     []string
	Counters   []*Counter // by group
	Exclusive  bool       // every person is in exactly one row
	Disjoint   bool       // every person is in exactly one group and answered once, as a test requires
}

// Into adds the cross-tab to a section: counts, column shares and bases. If the groups are Disjoint it also adds Pearson's chi-square
// with Cramér's V, of the complete table if the rows are Exclusive and of each row by itself otherwise, and the adjusted
// residuals. It leaves out groups without people, and adds nothing if fewer than two remain.
func (c Cross) Into(s *Section) {
	c = c.filled()
	if len(c.Groups) < 2 || len(c.Labels) == 0 {
		return
	}
	bases := c.bases(s)
	s.Tables = append(s.Tables, c.counts(), c.shares(), bases)
	if !c.Disjoint {
		s.Warn("Some people are in several groups or answered several times, so no test compares the groups.")
		return
	}
	if c.Exclusive {
		c.testTable(s, bases)
	} else {
		c.testRows(s)
	}
}

func (c Cross) filled() Cross {
	var groups []string
	var counts []*Counter
	for i, t := range c.Counters {
		if t.People > 0 {
			groups, counts = append(groups, c.Groups[i]), append(counts, t)
		}
	}
	c.Groups, c.Counters = groups, counts
	return c
}

// columns returns the columns of a table that has one for each group.
func (c Cross) columns(suffix string) []string {
	columns := []string{"label", c.Head}
	for i, group := range c.Groups {
		columns = append(columns, GroupKey(i), group+suffix)
	}
	return columns
}

// GroupKey returns the key of the column of a group, by its index among those that are shown.
func GroupKey(place int) string { return fmt.Sprintf("g%d", place+1) }

const baseLabel = "Base: answers"

func (c Cross) counts() *Table {
	t := New(c.Key+"-counts", c.Title+": counts", c.Source, c.columns("")...)
	c.fill(t, func(counts *Counter, row int) Cell { return Count(counts.Named(row)) })
	bases := []Cell{Text(baseLabel)}
	for _, counts := range c.Counters {
		bases = append(bases, Count(counts.Answers))
	}
	t.Add(bases...)
	return t
}

func (c Cross) shares() *Table {
	t := New(c.Key+"-shares", c.Title+": shares of each column in %", c.Source, c.columns(" %")...)
	c.fill(t, func(counts *Counter, row int) Cell {
		share, _, _ := counts.Share(row)
		return Percent(share)
	})
	return t
}

func (c Cross) fill(t *Table, cell func(counts *Counter, row int) Cell) {
	for row, label := range c.Labels {
		cells := []Cell{Text(label)}
		for _, counts := range c.Counters {
			cells = append(cells, cell(counts, row))
		}
		t.Add(cells...)
	}
}

// sayAbout adds a sentence or a warning, preceded by the cells in About.
func (c Cross) sayAbout(say func(template string, cells ...Ref), template string, cells ...Ref) {
	if len(c.About) > 0 {
		template = "About {}" + strings.Repeat(", {}", len(c.About)-1) + ": " + template
	}
	say(template, append(slices.Clone(c.About), cells...)...)
}

// bases lists the groups, and marks those that are small.
func (c Cross) bases(s *Section) *Table {
	t := New(c.Key+"-bases", c.Title+": groups", c.Source, "group", "Group", "people", "People", "answers", "Answers", "base", "Base")
	for i, counts := range c.Counters {
		t.Add(Text(c.Groups[i]), Count(counts.People), Count(counts.Answers), s.Base(counts.People))
	}
	return t
}

// Base returns a cell that says whether a number of people is a small base, and warns once if it is.
func (s *Section) Base(people int) Cell {
	if people >= SmallBase {
		return None
	}
	s.Warn("Some groups have a small base: they are marked in the tables of groups.")
	return Text("small")
}

var testColumns = []string{"chiSquare", "Chi-square", "freedom", "Degrees of freedom", "p", "p (at least 0.0001)", "v", "Cramér's V", "sparse", "Cells expecting under 5, in %"}

func (c Cross) testTable(s *Section, bases *Table) {
	counts := make([][]float64, len(c.Labels))
	for row := range counts {
		for _, counter := range c.Counters {
			counts[row] = append(counts[row], float64(counter.Named(row)))
		}
	}
	a, ok := stats.Associate(counts)
	if !ok {
		return
	}
	test := New(c.Key+"-test", c.Title+": chi-square test", c.Source, append([]string{"label", "Test"}, testColumns...)...)
	test.Add(append([]Cell{Text("Rows by groups")}, testCells(a)...)...)
	residuals := New(c.Key+"-residuals", c.Title+": adjusted residuals", c.Source, c.columns("")...)
	for row, label := range c.Labels {
		cells := []Cell{Text(label)}
		for _, x := range a.Residuals[row] {
			cells = append(cells, Fixed(x, 1))
		}
		residuals.Add(cells...)
	}
	s.Tables = append(s.Tables, test, residuals)
	differ := a.P < 1-stats.Confidence/100.0
	verdict := "The groups' " + c.What + " differ no more than chance would make them: chi-square {}, degrees of freedom {}, p {}, Cramér's V {}."
	if differ {
		verdict = "The groups' " + c.What + " differ by more than chance would make them: chi-square {}, degrees of freedom {}, p {}, Cramér's V {}."
	}
	c.sayAbout(s.Say, verdict, test.At(0, "chiSquare"), test.At(0, "freedom"), test.At(0, "p"), test.At(0, "v"))
	if differ {
		c.sayResiduals(s, a, residuals, bases)
	}
	if a.Sparse > stats.SparsePart {
		c.sayAbout(s.Warn, "The test of the groups' "+c.What+" is a rough guide: {} % of its cells expect too few people.", test.At(0, "sparse"))
	}
}

// sayResiduals names the cell that differs most from independence.
func (c Cross) sayResiduals(s *Section, a stats.Association, residuals, bases *Table) {
	furthest, row, group := 0.0, 0, 0
	for r := range a.Residuals {
		for g, x := range a.Residuals[r] {
			if math.Abs(x) > math.Abs(furthest) { // never if it is NaN
				furthest, row, group = x, r, g
			}
		}
	}
	how := "{} is named more often in {} than chance would have it: its adjusted residual is {}."
	if furthest < 0 {
		how = "{} is named less often in {} than chance would have it: its adjusted residual is {}."
	}
	c.sayAbout(s.Say, how, residuals.At(row, "label"), bases.At(group, "group"), residuals.At(row, residuals.Columns[group+1].Key))
}

// testRows tests every row by itself: named or not named.
func (c Cross) testRows(s *Section) {
	test := New(c.Key+"-test", c.Title+": chi-square test of each row", c.Source, append([]string{"label", c.Head}, testColumns...)...)
	for row, label := range c.Labels {
		counts := [][]float64{nil, nil}
		for _, counter := range c.Counters {
			counts[0] = append(counts[0], float64(counter.Named(row)))
			counts[1] = append(counts[1], float64(counter.Offered(row)-counter.Named(row)))
		}
		if a, ok := stats.Associate(counts); ok {
			test.Add(append([]Cell{Text(label)}, testCells(a)...)...)
		}
	}
	if len(test.Rows) > 0 {
		s.Tables = append(s.Tables, test)
		s.Warn("Each row is tested by itself, so among many rows some will seem to differ by chance.")
	}
}

func testCells(a stats.Association) []Cell {
	return []Cell{Fixed(a.ChiSquare, 2), Count(a.Freedom), Probability(a.P), Fixed(a.V, 3), Percent(a.Sparse)}
}
