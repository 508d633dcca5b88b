package reporting

import (
	"math"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// Limits of the comparison of concepts.
const (
	maxCompared = 30  // concepts
	maxMeasures = 200 // shares and means of a question
)

// between compares the concepts that a question is asked about, by what the same people answered about each.
type between struct {
	concepts int
	measures []measure
}

// measure is a share or a mean that is compared between concepts.
type measure struct {
	label  string
	share  bool // each answer adds 0 or 1
	paired *stats.Paired
}

// newBetween returns nil if there is nothing to compare.
func newBetween(q *question) *between {
	n := len(q.concepts.ids)
	if n < 2 || n > maxCompared {
		return nil
	}
	b := &between{concepts: n}
	add := func(label string, share bool) {
		b.measures = append(b.measures, measure{label, share, stats.NewPaired(n)})
	}
	switch {
	case q.kind == guide.MultipleChoice && q.scale != nil:
		add("Mean", false)
	case q.kind == guide.MultipleChoice:
		for _, label := range q.options.labels {
			add(label, true)
		}
	case q.kind == guide.Matrix && q.scale != nil:
		for _, label := range q.rows.labels {
			add(label, false)
		}
	case q.kind == guide.Matrix:
		for _, row := range q.rows.labels {
			for _, label := range q.options.labels {
				add(row+": "+label, true)
			}
		}
	case q.kind == guide.Ranking:
		for _, label := range q.options.labels {
			add(label, false)
		}
	}
	if len(b.measures) == 0 || len(b.measures) > maxMeasures {
		return nil
	}
	return b
}

// add counts what one person answered about the concepts.
func (b *between) add(q *question, p person, items []interview.VisitedItem) {
	if b == nil {
		return
	}
	y, m := make([]float64, len(b.measures)*b.concepts), make([]float64, len(b.measures)*b.concepts)
	for i := range items {
		item := &items[i]
		concept := q.concepts.place(item.ConceptID)
		if concept < 0 || item.Unasked || !item.Done() {
			continue
		}
		q.measure(item, func(measure int, value float64) {
			y[measure*b.concepts+concept] += p.weight * value
			m[measure*b.concepts+concept] += p.weight
		})
	}
	for i := range b.measures {
		b.measures[i].paired.Add(y[i*b.concepts:][:b.concepts], m[i*b.concepts:][:b.concepts])
	}
}

// measure calls add for each measure of an answer.
func (q *question) measure(m *interview.VisitedItem, add func(measure int, value float64)) {
	rate := func(at, option int) {
		if v := q.scale[option]; !math.IsNaN(v) {
			add(at, v)
		}
	}
	is := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	switch q.kind {
	case guide.MultipleChoice:
		chosen := q.options.places(m.Chosen)
		if q.scale != nil {
			for _, option := range chosen {
				rate(0, option)
			}
			return
		}
		for _, option := range q.offered(m) {
			add(option, is(slices.Contains(chosen, option)))
		}
	case guide.Matrix:
		for row, id := range q.rows.ids {
			column := q.options.place(m.Answers[0].Cells[id])
			switch {
			case column < 0:
			case q.scale != nil:
				rate(row, column)
			default:
				for _, option := range q.options.places(m.Options) {
					add(row*len(q.options.ids)+option, is(option == column))
				}
			}
		}
	case guide.Ranking:
		order := q.order(m)
		for rank, option := range order {
			if len(order) >= 2 {
				add(option, float64(len(order)-1-rank)/float64(len(order)-1))
			}
		}
	}
}

// concepts reports how the concepts compare.
func (b *builder) concepts(s *tables.Section, c *counted) {
	if c.between == nil || c.together.answered == 0 {
		return
	}
	columns := []string{"label", "Measure"}
	for i, title := range c.question.concepts.labels {
		columns = append(columns, tables.GroupKey(i), title)
	}
	values := tables.New("concepts", "Concepts beside each other: shares in %, means", builtInSource, columns...)
	result := tables.New("concepts-test", "Concepts against each other, over people", builtInSource, "label", "Measure", "people", "People, at the concept with the fewest", "concepts", "Concepts tested",
		"f", "F", "above", "Degrees of freedom", "below", "and", "p", "p", "adjusted", "p, adjusted for all tests of the report").Optional()
	s.Tables = append(s.Tables, values, result)
	var labels []string
	var differ []int
	for i := range c.between.measures {
		one := &c.between.measures[i]
		labels = append(labels, one.label)
		cells := []tables.Cell{tables.Text(one.label)}
		for concept := range c.between.concepts {
			cells = append(cells, one.cell(concept))
		}
		values.Add(cells...)
		tested := one.tested()
		d := one.paired.Equal(tested)
		b.family.Add(d.P, func(adjusted float64) {
			if math.IsNaN(d.P) {
				return
			}
			result.Add(tables.Text(one.label), tables.Count(one.fewest(tested)), tables.Count(len(tested)), tables.Fixed(d.F, 2), tables.Fixed(d.Above, 0), tables.Fixed(d.Below, 0),
				tables.Probability(d.P), tables.Probability(adjusted))
			if !(adjusted < tables.Level) {
				return
			}
			differ = append(differ, i)
			at := len(result.Rows) - 1
			s.Say("{} differs between {} concepts, each answered by at least {} people: F {} with {} and {} degrees of freedom, p {}, adjusted for all tests of the report p {}.",
				result.At(at, "label"), result.At(at, "concepts"), result.At(at, "people"), result.At(at, "f"), result.At(at, "above"), result.At(at, "below"), result.At(at, "p"), result.At(at, "adjusted"))
		})
	}
	b.family.Then(func() { c.conceptLetters(s, result, labels, differ) })
}

func (c *counted) conceptLetters(s *tables.Section, result *tables.Table, labels []string, differ []int) {
	switch {
	case len(result.Rows) == 0:
		s.Say("The concepts were not tested against each other: too few people answered about them.")
		return
	case len(differ) == 0:
		s.Say("The concepts were tested against each other; no difference between them is shown.")
		return
	}
	letters := tables.Letters("concepts-letters", "Concepts beside each other", builtInSource, "Measure", labels, differ, c.question.concepts.labels, func(row, a, z int) (float64, bool) {
		one := &c.between.measures[row]
		tested := one.tested()
		if !slices.Contains(tested, a) || !slices.Contains(tested, z) {
			return math.NaN(), false
		}
		t, _, p := one.paired.Pair(a, z)
		return p, t > 0
	})
	if letters != nil {
		s.Tables = append(s.Tables, letters)
		s.Say("In the table of letters a column's cell names the concepts with a significantly lower value, adjusted for all pairs in it.")
	}
}

func (m *measure) cell(concept int) tables.Cell {
	if m.share {
		return tables.Percent(m.paired.Mean(concept))
	}
	return tables.Fixed(m.paired.Mean(concept), 2)
}

// tested returns the concepts with enough people, and for a share enough who did and did not name it.
func (m *measure) tested() (concepts []int) {
	for i := range m.paired.Things() {
		if m.paired.People(i) >= tables.SmallBase {
			concepts = append(concepts, i)
		}
	}
	if !m.share {
		return concepts
	}
	sum, base := 0.0, 0.0
	for _, i := range concepts {
		n := float64(m.paired.People(i))
		sum, base = sum+n*m.paired.Mean(i), base+n
	}
	if base == 0 {
		return nil
	}
	rare := min(sum/base, 1-sum/base)
	return slices.DeleteFunc(concepts, func(i int) bool { return rare*float64(m.paired.People(i)) < stats.SparseCount })
}

func (m *measure) fewest(concepts []int) int {
	least := 0
	for at, i := range concepts {
		if n := m.paired.People(i); at == 0 || n < least {
			least = n
		}
	}
	return least
}
