package reporting

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// Target is the share that people of one kind have in the population that a study stands for.
type Target struct {
	By      string // a question, or "param:" and the name of a parameter, as for subgroups
	Value   string // an option's id or text, or the parameter's value
	Percent float64
}

// WeightError means that people cannot be weighted as asked.
type WeightError struct{ Reason string }

// Error implements error.
func (e *WeightError) Error() string { return "weights: " + e.Reason }

// ReadTargets reads a table of targets: CSV with the columns by, value and percent, named in its first line.
func ReadTargets(from io.Reader) ([]Target, error) {
	lines, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, &WeightError{"the table is no CSV: " + err.Error()}
	}
	if len(lines) == 0 || !slices.Equal(lines[0], []string{"by", "value", "percent"}) {
		return nil, &WeightError{"the first line must be: by,value,percent"}
	}
	var targets []Target
	for i, line := range lines[1:] {
		percent, err := strconv.ParseFloat(strings.TrimSpace(line[2]), 64)
		if err != nil || !(percent > 0 && percent <= 100) {
			return nil, &WeightError{fmt.Sprintf("line %d: %q is no percentage above zero", i+2, line[2])}
		}
		targets = append(targets, Target{strings.TrimSpace(line[0]), strings.TrimSpace(line[1]), percent})
	}
	return targets, nil
}

// margin is one classification of people with its targets.
type margin struct {
	name      string
	question  *question // nil for a parameter
	values    []string
	of        func(a *answered) int // the place of a person's value; -1 if it has none
	targets   []float64
	people    []int // by value
	unmatched int   // people without one of the values
}

// weights holds the weight of every person.
type weights struct {
	margins []*margin
	of      map[int]float64 // by readable id
	effect  float64         // Kish's design effect
	low     float64
	high    float64
}

// weight returns the weight of a person; 1 without weights.
func (w *weights) weight(readableID int) float64 {
	if w == nil {
		return 1
	}
	return w.of[readableID]
}

// weigh reads the responses and finds the weights under which they meet the targets.
func (b *builder) weigh(ctx context.Context, targets []Target) error {
	if len(targets) == 0 {
		return nil
	}
	margins, err := b.schema.margins(targets)
	if err != nil {
		return err
	}
	var people []int
	classes := make([][]int, len(margins))
	err = b.eachResponse(ctx, b.study.ID, 0, func(a *answered) error {
		if !a.ended() {
			return nil
		}
		people = append(people, a.ReadableID)
		for i, m := range margins {
			class := m.of(a)
			if classes[i] = append(classes[i], class); class < 0 {
				m.unmatched++
			} else {
				m.people[class]++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	shares := make([][]float64, len(margins))
	for i, m := range margins {
		if empty := slices.Index(m.people, 0); empty >= 0 {
			return &WeightError{fmt.Sprintf("nobody has %q in %q, so no weight reaches its target", m.values[empty], m.name)}
		}
		shares[i] = m.targets
	}
	found, ok := stats.Rake(len(people), classes, shares)
	if !ok {
		return &WeightError{"the targets cannot be reached together with these people"}
	}
	b.weights = &weights{margins: margins, of: make(map[int]float64, len(people)), effect: stats.DesignEffect(found), low: slices.Min(found), high: slices.Max(found)}
	for i, readableID := range people {
		b.weights.of[readableID] = found[i]
	}
	return nil
}

// margins groups the targets by what they classify people by.
func (s *schema) margins(targets []Target) (margins []*margin, err error) {
	byName := map[string]*margin{}
	for _, t := range targets {
		m := byName[t.By]
		if m == nil {
			if m, err = s.margin(t.By); err != nil {
				return nil, err
			}
			byName[t.By] = m
			margins = append(margins, m)
		}
		if err := m.add(s, t); err != nil {
			return nil, err
		}
	}
	for _, m := range margins {
		sum := 0.0
		for _, share := range m.targets {
			sum += share
		}
		if math.Abs(sum-100) > 0.5 {
			return nil, &WeightError{fmt.Sprintf("the targets of %q sum to %.4g %%, not to 100", m.name, sum)}
		}
		for i := range m.targets {
			m.targets[i] /= sum
		}
		m.people = make([]int, len(m.values))
	}
	return margins, nil
}

func (s *schema) margin(by string) (*margin, error) {
	if name, isParam := strings.CutPrefix(by, paramPrefix); isParam {
		if name == "" || name[0] == '_' {
			return nil, &WeightError{fmt.Sprintf("%q: there is no such parameter", by)}
		}
		m := &margin{name: "the link's parameter " + name}
		m.of = func(a *answered) int {
			value, present := a.URLParams[name]
			if !present {
				return -1
			}
			return slices.Index(m.values, value)
		}
		return m, nil
	}
	q := s.find(by)
	if q == nil || !q.rated() || q.kind != "multiple_choice" || len(q.concepts.ids) > 0 {
		return nil, &WeightError{fmt.Sprintf("%q: name a multiple choice question with one answer and without concepts, or param:NAME", by)}
	}
	m := &margin{name: q.text, question: q}
	m.of = func(a *answered) int {
		for i := range a.visits {
			if v := &a.visits[i]; v.ItemID == q.id && v.Type == q.kind {
				for _, place := range q.options.places(v.Chosen) {
					return slices.Index(m.values, q.options.labels[place])
				}
			}
		}
		return -1
	}
	return m, nil
}

// add adds one target.
func (m *margin) add(s *schema, t Target) error {
	value := t.Value
	if q := s.find(t.By); q != nil && !strings.HasPrefix(t.By, paramPrefix) {
		place := q.options.place(value)
		if place < 0 {
			place = slices.Index(q.options.labels, value)
		}
		if place < 0 {
			return &WeightError{fmt.Sprintf("%q is no option of %q", value, m.name)}
		}
		value = q.options.labels[place]
	}
	if slices.Contains(m.values, value) {
		return &WeightError{fmt.Sprintf("%q has two targets in %q", value, m.name)}
	}
	m.values, m.targets = append(m.values, value), append(m.targets, t.Percent)
	return nil
}

// section reports on the weights.
func (w *weights) section() *tables.Section {
	s := &tables.Section{Key: "weights", Heading: "Weights"}
	n := len(w.of)
	sum := tables.New("effect", "Weights", builtInSource, "people", "People", "lowest", "Lowest weight", "highest", "Highest weight", "effect", "Design effect", "worth", "People of equal weight that they are worth")
	sum.Add(tables.Count(n), tables.Fixed(w.low, 3), tables.Fixed(w.high, 3), tables.Fixed(w.effect, 3), tables.Fixed(float64(n)/w.effect, 1))
	t := tables.New("targets", "Targets", builtInSource, "by", "By", "value", "Value", "people", "People", "share", "Of those who have a value, in %", "target", "Target and weighted share in %")
	for _, m := range w.margins {
		all := 0
		for _, n := range m.people {
			all += n
		}
		for i, value := range m.values {
			t.Add(tables.Text(m.name), tables.Text(value), tables.Count(m.people[i]), tables.Percent(float64(m.people[i])/float64(all)), tables.Percent(m.targets[i]))
		}
		if m.unmatched > 0 {
			t.Add(tables.Text(m.name), tables.Text("(none of these)"), tables.Count(m.unmatched), tables.None, tables.None)
		}
	}
	s.Tables = append(s.Tables, sum, t)
	s.Say("Shares, means, intervals and tests are weighted so that people have the shares of the targets (raking); counts and bases are of people, without weights. {} people are worth {} of equal weight: the design effect is {}, the weights go from {} to {}.",
		sum.At(0, "people"), sum.At(0, "worth"), sum.At(0, "effect"), sum.At(0, "lowest"), sum.At(0, "highest"))
	if w.high > maxWeight {
		s.Warn("Some weights are large: a few people stand for many. The highest is {}.", sum.At(0, "highest"))
	}
	return s
}

// maxWeight is the weight above which a report warns.
const maxWeight = 5

// Usage returns the error about what was asked for, and not about the study, in err; nil if there is none.
func Usage(err error) error {
	if by, is := errors.AsType[*ByError](err); is {
		return by
	}
	if only, is := errors.AsType[*OnlyError](err); is {
		return only
	}
	if scale, is := errors.AsType[*ScaleError](err); is {
		return scale
	}
	if weight, is := errors.AsType[*WeightError](err); is {
		return weight
	}
	return nil
}
