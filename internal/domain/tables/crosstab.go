package tables

import (
	"fmt"
	"slices"
	"strings"
)

// SmallBase is the number of people below which a column should not be read by itself.
const SmallBase = 30

// MinTested is the smallest number of people of a group that is tested. Tests of smaller groups can hardly find anything, and make
// every other test of the report less likely to.
const MinTested = 10

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
	Aside      int        // the group that no test looks at, from 1; 0 if there is none
	Exclusive  bool       // every person is in exactly one row
	Disjoint   bool       // every person is in exactly one group and answered once, as a test requires
	Untested   bool       // the section tests something else than the counts, for example the means of a scale
	Family     *Family    // the tests of the report

	tested []int // indexes of the groups that are tested
}

// Into adds the cross-tab to a section: counts, column shares and bases. If the groups are Disjoint it also adds Pearson's chi-square
// with Cramér's V, of the complete table if the rows are Exclusive and everybody could name every row, and of each row by itself
// otherwise, among those to whom it was shown. Groups of fewer than MinTested people are in no test. It leaves out groups without
// people, and adds nothing and returns false if fewer than two remain. The section must stay where it is until the Family is settled.
func (c Cross) Into(s *Section) (added bool) {
	c = c.filled()
	if len(c.Groups) < 2 || len(c.Labels) == 0 {
		return false
	}
	s.Tables = append(s.Tables, c.counts(), c.shares(), c.bases(s))
	switch {
	case !c.Disjoint || c.Untested || len(c.tested) < 2:
	case c.Exclusive && c.everywhere():
		c.testTable(s)
	default:
		c.testRows(s)
	}
	return true
}

func (c Cross) filled() Cross {
	var groups []string
	var counts []*Counter
	c.tested = nil
	for i, t := range c.Counters {
		if t.People == 0 {
			continue
		}
		if i+1 != c.Aside && t.People >= MinTested {
			c.tested = append(c.tested, len(groups))
		}
		groups, counts = append(groups, c.Groups[i]), append(counts, t)
	}
	c.Groups, c.Counters = groups, counts
	return c
}

func (c Cross) everywhere() bool {
	return !slices.ContainsFunc(c.tested, func(g int) bool { return !c.Counters[g].Everywhere() })
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
	t := New(c.Key+"-bases", c.Title+": groups", c.Source, "group", "Group", "people", "People", "answers", "Answers", "base", "Base", "tests", "Tests")
	for i, counts := range c.Counters {
		t.Add(Text(c.Groups[i]), Count(counts.People), Count(counts.Answers), s.Base(counts.People), c.testsOf(s, counts))
	}
	return t
}

// testsOf returns a cell that says whether a group is too small to be tested, and warns once if it is.
func (c Cross) testsOf(s *Section, counts *Counter) Cell {
	if !c.Disjoint || counts.People >= MinTested {
		return None
	}
	s.Warn("Some groups have too few people to be tested: the tables of groups say which.")
	return Text("in none: too few people")
}

// Base returns a cell that says whether a number of people is a small base, and warns once if it is.
func (s *Section) Base(people int) Cell {
	if people >= SmallBase {
		return None
	}
	s.Warn("Some groups have a small base: they are marked in the tables of groups.")
	return Text("small")
}
