package reporting

import (
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// person identifies a participant in the counts.
type person struct {
	readableID int
	groups     []int
	weight     float64
}

// counted holds all counts of one question: over all concepts, and for each concept.
type counted struct {
	*question
	together       *slice
	concepts       []*slice     // in the order of the question's concepts
	between        *between     // compares the concepts; nil if there are fewer than two
	said           *sample      // sample of the answers to an open question
	codebook       Codebook     // themes of an open question, once they are found
	failure        *ThemerError // why keywords replace the Themer; nil if they do not
	pending        []pending    // people whose answers wait to be coded
	pendingAnswers int          // number of answers in pending
}

// slice holds the counts of a question about one concept, or over all concepts.
type slice struct {
	key, about string      // suffixes of table keys and titles; empty over all concepts
	named      *tables.Ref // the concept as it is named in sentences; nil if the question has no concepts
	asked, answered,
	skipped, waiting int
	worded  int // open answers with words; the others are recordings without a transcript
	choice  *split
	own     ownWords // of a multiple choice question
	rows    []*split // of a matrix question
	scales  []*scale // of a question whose options are a scale: one, or one for each row of a matrix
	ranking *rankings
	maxdiff *maxdiff.Data
	themes  *split
	quotes  []quotes // by theme
	files   int      // of a question that asks for files
	refused int      // mentions whose quote does not stand in the answer
}

func newCounted(q *question, groupCount int) *counted {
	c := &counted{question: q, together: newSlice(q, groupCount)}
	if len(q.concepts.ids) > 0 {
		c.together.about = ": all concepts together"
	}
	for i, title := range q.concepts.labels {
		s := newSlice(q, groupCount)
		s.key, s.about = "-"+conceptKey(i), ": "+title
		c.concepts = append(c.concepts, s)
	}
	if q.kind == guide.OpenEnded {
		c.said = &sample{}
	}
	c.between = newBetween(q)
	return c
}

func newSlice(q *question, groupCount int) *slice {
	s := &slice{}
	switch n := len(q.options.ids); q.kind {
	case guide.MultipleChoice:
		s.choice = newSplit(n, groupCount)
		if q.scale != nil {
			s.scales = []*scale{newScale(groupCount)}
		}
	case guide.Matrix:
		for range q.rows.ids {
			s.rows = append(s.rows, newSplit(n, groupCount))
			if q.scale != nil {
				s.scales = append(s.scales, newScale(groupCount))
			}
		}
	case guide.Ranking:
		s.ranking = newRankings(n, groupCount)
	case guide.MaxDiff:
		if n >= 2 && n <= maxdiff.MaxOptions {
			s.maxdiff = maxdiff.New(n)
			s.maxdiff.Spread = onAllProcessors
		}
	}
	return s
}

// slices returns the slice over all concepts, followed by those of the concepts.
func (c *counted) slices() []*slice { return append([]*slice{c.together}, c.concepts...) }

// split counts answers of all people, and of each group.
type split struct {
	all    *tables.Counter
	groups []*tables.Counter
}

func newSplit(rows, groupCount int) *split {
	s := &split{all: tables.NewCounter(rows)}
	for range groupCount {
		s.groups = append(s.groups, tables.NewCounter(rows))
	}
	return s
}

func (s *split) add(p person, answers []tables.Answer) {
	s.all.AddWeighted(p.weight, answers)
	for _, group := range p.groups {
		s.groups[group].AddWeighted(p.weight, answers)
	}
}

// add counts what one person was asked of the question.
func (c *counted) add(p person, items []interview.VisitedItem) {
	c.together.add(c.question, p, items)
	c.between.add(c.question, p, items)
	for i := range items {
		if place := c.question.concepts.place(items[i].ConceptID); place >= 0 {
			c.concepts[place].add(c.question, p, items[i:i+1])
		}
	}
}

// wait counts an interview that has not ended and stands at the question.
func (c *counted) wait(m *interview.VisitedItem) {
	c.together.waiting++
	if place := c.question.concepts.place(m.ConceptID); place >= 0 {
		c.concepts[place].waiting++
	}
}

func (s *slice) add(q *question, p person, items []interview.VisitedItem) {
	done := make([]*interview.VisitedItem, 0, len(items))
	for i := range items {
		m := &items[i]
		if m.Unasked {
			continue
		}
		s.asked++
		if m.Done() {
			done = append(done, m)
		} else {
			s.skipped++
		}
	}
	s.answered += len(done)
	switch {
	case len(done) == 0:
	case s.choice != nil:
		s.addChoices(q, p, done)
	case s.rows != nil:
		s.addCells(q, p, done)
	case s.ranking != nil:
		s.ranking.add(q, p, done)
	case s.maxdiff != nil:
		s.addScreens(q, p, done)
	}
	for _, m := range done {
		if len(texts(m)) > 0 {
			s.worded++
		}
		if q.kind == guide.FileUpload {
			s.files += len(m.Answers[0].FileNames)
		}
	}
}

func (s *slice) addChoices(q *question, p person, done []*interview.VisitedItem) {
	answers := make([]tables.Answer, len(done))
	for i, m := range done {
		answers[i] = tables.Answer{Offered: q.offered(m), Named: q.options.places(m.Chosen)}
		s.own.add(m.Answers[0].CustomText)
	}
	s.choice.add(p, answers)
	if s.scales != nil {
		s.scales[0].add(q.scale, p, answers)
	}
}

// offered returns the options that an answer to a multiple choice question could name, the custom one included.
func (q *question) offered(m *interview.VisitedItem) []int {
	offered := q.options.places(m.Options)
	if own := q.options.place(guide.CustomOptionID(q.id)); own >= 0 && !slices.Contains(offered, own) {
		offered = append(offered, own)
	}
	return offered
}

// order returns the options of a ranking, the first one first.
func (q *question) order(m *interview.VisitedItem) []int {
	order := make([]int, 0, len(q.options.ids))
	for _, id := range m.Answers[0].Ranking {
		if place := q.options.place(id); place >= 0 && !slices.Contains(order, place) {
			order = append(order, place)
		}
	}
	return order
}

// answersOnce reports whether nobody answered twice.
func (s *slice) answersOnce() bool {
	all := s.rows
	if s.choice != nil {
		all = []*split{s.choice}
	}
	return !slices.ContainsFunc(all, func(one *split) bool { return one.all.Answers != one.all.People })
}

func (s *slice) addCells(q *question, p person, done []*interview.VisitedItem) {
	for row, id := range q.rows.ids {
		var answers []tables.Answer
		for _, m := range done {
			if column := q.options.place(m.Answers[0].Cells[id]); column >= 0 {
				answers = append(answers, tables.Answer{Offered: q.options.places(m.Options), Named: []int{column}})
			}
		}
		s.rows[row].add(p, answers)
		if s.scales != nil {
			s.scales[row].add(q.scale, p, answers)
		}
	}
}

func (s *slice) addScreens(q *question, p person, done []*interview.VisitedItem) {
	var screens []maxdiff.Screen
	for _, m := range done {
		for i, shown := range m.Screens {
			screens = append(screens, maxdiff.Screen{
				Shown: q.options.places(shown), Best: q.options.place(m.Answers[i].Best), Worst: q.options.place(m.Answers[i].Worst),
			})
		}
	}
	if err := s.maxdiff.AddWeighted(p.readableID, mark(p.groups), p.weight, screens); err != nil {
		s.answered -= len(done) // The log was replayed, so its screens should fit. If one does not, the answer counts as skipped.
		s.skipped += len(done)
	}
}

// rankings holds the counts of a ranking question.
type rankings struct {
	first  *split        // people who put each option first
	mean   []stats.Ratio // ranks, by option
	points []stats.Ratio // Borda points by option, from 0 for the last rank to 1 for the first
	groups [][]stats.Ratio
}

func newRankings(options, groupCount int) *rankings {
	r := &rankings{first: newSplit(options, groupCount), mean: make([]stats.Ratio, options), points: make([]stats.Ratio, options)}
	for range groupCount {
		r.groups = append(r.groups, make([]stats.Ratio, options))
	}
	return r
}

// add counts a person's rankings. The Borda points of an option are the share of the other options that it was ranked before, so
// that rankings of different lengths (of options carried forward) weigh the same.
func (r *rankings) add(q *question, p person, done []*interview.VisitedItem) {
	n := len(q.options.ids)
	ranks, points, times := make([]float64, n), make([]float64, n), make([]float64, n)
	var answers []tables.Answer
	for _, m := range done {
		order := q.order(m)
		if len(order) < 2 {
			continue
		}
		answers = append(answers, tables.Answer{Offered: order, Named: order[:1]})
		for rank, place := range order {
			ranks[place] += float64(rank + 1)
			points[place] += float64(len(order)-1-rank) / float64(len(order)-1)
			times[place]++
		}
	}
	r.first.add(p, answers)
	for place := range n {
		r.mean[place].Add(p.weight*ranks[place], p.weight*times[place])
		r.points[place].Add(p.weight*points[place], p.weight*times[place])
		for _, group := range p.groups {
			r.groups[group][place].Add(p.weight*points[place], p.weight*times[place])
		}
	}
}
