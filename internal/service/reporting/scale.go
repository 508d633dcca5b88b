package reporting

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// numbered matches the label of a point of a scale: a number, alone or before what it stands for.
var numbered = regexp.MustCompile(`^\s*(\d{1,2})\s*(?:[-–—:.=(/]\D*)?$`)

// minTopPoints is the smallest number of points of a scale whose two highest are reported: of three or four they are most of the scale.
const minTopPoints = 5

// minPoints is the smallest number of points of a scale.
const minPoints = 3

// scaleOf returns the values of options that are the numbered points of a scale, NaN for those that are not (such as "Don't know"); nil
// if the numbers do not go up or down by one.
func scaleOf(labels []string) []float64 {
	values := make([]float64, len(labels))
	var points []float64
	for i, label := range labels {
		found := numbered.FindStringSubmatch(label)
		if values[i] = math.NaN(); found == nil {
			continue
		}
		n, err := strconv.Atoi(found[1])
		if err != nil {
			return nil
		}
		values[i] = float64(n)
		points = append(points, values[i])
	}
	if len(points) < minPoints || len(labels)-len(points) > 1 {
		return nil
	}
	step := points[1] - points[0]
	for i := range points[1:] {
		if points[i+1]-points[i] != step || math.Abs(step) != 1 {
			return nil
		}
	}
	return values
}

// orderedScale returns the values 1, 2, … of options that somebody says are in order.
func orderedScale(options int, down bool) []float64 {
	values := make([]float64, options)
	for i := range values {
		if values[i] = float64(i + 1); down {
			values[i] = float64(options - i)
		}
	}
	return values
}

// bounds returns the lowest and the highest value.
func bounds(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// likelihoodToRecommend reports whether a scale runs from 0 to 10.
func likelihoodToRecommend(values []float64) bool {
	low, high := bounds(values)
	return low == 0 && high == 10
}

// rating holds the counts of a scale: its mean, the share of its two highest points, and promoters (9 and 10) less detractors (0 to 6).
type rating struct {
	mean, top, net stats.Ratio
	answers        int // without weights; more than people if somebody answered several times
}

func (r *rating) add(values []float64, weight float64, answers []tables.Answer) {
	_, high := bounds(values)
	sum, top, net, n := 0.0, 0.0, 0.0, 0.0
	for _, a := range answers {
		for _, row := range a.Named {
			v := values[row]
			if math.IsNaN(v) {
				continue
			}
			n++
			r.answers++
			sum += v
			if v >= high-1 {
				top++
			}
			switch {
			case v >= 9:
				net++
			case v <= 6:
				net--
			}
		}
	}
	r.mean.Add(weight*sum, weight*n)
	r.top.Add(weight*top, weight*n)
	r.net.Add(weight*net, weight*n)
}

// scale holds the ratings of all people, and of each group.
type scale struct {
	all    rating
	groups []rating
}

func newScale(groupCount int) *scale { return &scale{groups: make([]rating, groupCount)} }

func (s *scale) add(values []float64, p person, answers []tables.Answer) {
	s.all.add(values, p.weight, answers)
	for _, group := range p.groups {
		s.groups[group].add(values, p.weight, answers)
	}
}

// scales reports on the means of a question whose options are a scale. labels has one for each of part.scales.
func (b *builder) scales(s *tables.Section, c *counted, part *slice, labels []string) {
	if part.scales == nil {
		return
	}
	low, high := bounds(c.question.scale)
	nps := likelihoodToRecommend(c.question.scale)
	columns := []string{
		"label", "Scale", "people", "People", "lowest", "Lowest", "highest", "Highest", "mean", "Mean", "low", "From", "high", "To", "answers", "Answers",
	}
	topped := high-low+1 >= minTopPoints
	if topped {
		columns = append(columns, "top", "Two highest points in %", "topLow", "From %", "topHigh", "To %")
	}
	if nps {
		columns = append(columns, "nps", "Net promoter score", "npsLow", "From", "npsHigh", "To")
	}
	t := tables.New("means"+part.key, "Means"+part.about, builtInSource, columns...)
	for i, one := range part.scales {
		r := &one.all
		from, to := within(&r.mean, low, high)
		topLow, topHigh := r.top.Share()
		cells := []tables.Cell{
			tables.Text(labels[i]), tables.Count(r.mean.People), tables.Fixed(low, 0), tables.Fixed(high, 0), tables.Fixed(r.mean.Mean(), 2), tables.Fixed(from, 2), tables.Fixed(to, 2),
			tables.Count(r.answers),
		}
		if topped {
			cells = append(cells, tables.Percent(r.top.Mean()), tables.Percent(topLow), tables.Percent(topHigh))
		}
		if nps {
			from, to := within(&r.net, -1, 1)
			cells = append(cells, tables.Percent(r.net.Mean()), tables.Percent(from), tables.Percent(to))
		}
		t.Add(cells...)
	}
	s.Tables = append(s.Tables, t)
	for i, one := range part.scales {
		if one.all.mean.People < 2 {
			continue
		}
		b.sayMean(s, part, t, i, topped)
		if nps {
			part.say(s, "{}: net promoter score {} (from {} to {}).", t.At(i, "label"), t.At(i, "nps"), t.At(i, "npsLow"), t.At(i, "npsHigh"))
		}
	}
	b.meansByGroup(s, c, part, labels)
}

// sayMean adds a sentence on the mean of a scale, from a row of the table of means, with its numbers of people and answers.
func (b *builder) sayMean(s *tables.Section, part *slice, t *tables.Table, i int, topped bool) {
	template := "{}: mean {} (from {} to {}) on the scale from {} to {}"
	if b.weights != nil {
		template = "{}: weighted mean {} (from {} to {}) on the scale from {} to {}"
	}
	cells := []tables.Ref{t.At(i, "label"), t.At(i, "mean"), t.At(i, "low"), t.At(i, "high"), t.At(i, "lowest"), t.At(i, "highest")}
	if topped {
		template += "; the two highest points: {} % (from {} % to {} %)"
		cells = append(cells, t.At(i, "top"), t.At(i, "topLow"), t.At(i, "topHigh"))
	}
	if part.scales[i].all.answers == part.scales[i].all.mean.People {
		template, cells = template+", of {} people", append(cells, t.At(i, "people"))
	} else {
		template, cells = template+", of {} answers by {} people", append(cells, t.At(i, "answers"), t.At(i, "people"))
	}
	if b.weights != nil {
		template += " (without weights)"
	}
	part.say(s, template+".", cells...)
}

// within returns the interval of a mean, NaN for fewer than two people.
func within(r *stats.Ratio, least, limit float64) (low, high float64) {
	if r.People < 2 {
		return math.NaN(), math.NaN()
	}
	return r.Interval(least, limit)
}

// meansByGroup compares the means of the groups by Welch's test.
func (b *builder) meansByGroup(s *tables.Section, c *counted, part *slice, labels []string) {
	if len(b.groups.heads) == 0 || b.groups.asked == c.question {
		return
	}
	columns, places := b.groupColumns(func(group int) bool {
		return slices.ContainsFunc(part.scales, func(one *scale) bool { return one.groups[group].mean.People > 0 })
	})
	if len(places) < 2 {
		return
	}
	t := tables.New("means-by"+part.key, "Means by "+b.groups.name+part.about, builtInSource, append([]string{"label", "Scale"}, columns...)...)
	for i, one := range part.scales {
		cells := []tables.Cell{tables.Text(labels[i])}
		for _, group := range places {
			cells = append(cells, tables.Fixed(one.groups[group].mean.Mean(), 2))
		}
		t.Add(cells...)
	}
	s.Tables = append(s.Tables, t)
	if !b.testable(part.answersOnce()) {
		return
	}
	var tested []int
	for _, group := range places {
		enough := !slices.ContainsFunc(part.scales, func(one *scale) bool { return one.groups[group].mean.People < tables.MinTested })
		if enough && group+1 != b.groups.aside {
			tested = append(tested, group)
		}
	}
	if len(tested) >= 2 {
		b.testMeans(s, part, labels, tested)
	}
}

func (b *builder) testMeans(s *tables.Section, part *slice, labels []string, tested []int) {
	result := tables.New("means-test"+part.key, "Means by "+b.groups.name+": Welch's test"+part.about, builtInSource, "label", "Scale", "people", "People tested", "groups", "Groups tested",
		"f", "F", "above", "Degrees of freedom", "below", "and", "p", "p", "adjusted", "p, adjusted for all tests of the report")
	s.Tables = append(s.Tables, result)
	var heads []string
	for _, group := range tested {
		heads = append(heads, b.groups.heads[group])
	}
	var differ []int
	for i, one := range part.scales {
		var means []*stats.Ratio
		people := 0
		for _, group := range tested {
			means = append(means, &one.groups[group].mean)
			people += one.groups[group].mean.People
		}
		d := stats.Welch(means)
		b.family.Add(d.P, func(adjusted float64) {
			result.Add(tables.Text(labels[i]), tables.Count(people), tables.Count(len(tested)), tables.Fixed(d.F, 2), tables.Fixed(d.Above, 0), tables.Fixed(d.Below, 1),
				tables.Probability(d.P), tables.Probability(adjusted))
			if math.IsNaN(d.P) {
				return
			}
			cells := []tables.Ref{
				result.At(i, "label"), result.At(i, "people"), result.At(i, "groups"), result.At(i, "f"), result.At(i, "above"), result.At(i, "below"), result.At(i, "p"), result.At(i, "adjusted"),
			}
			template := "{}: the means of {} people in {} groups were compared; no difference is shown: "
			if adjusted < tables.Level {
				differ = append(differ, i)
				template = "{}: the means of {} people in {} groups differ by group: "
			}
			part.say(s, template+"Welch's F {} with {} and {} degrees of freedom, p {}, adjusted for all tests of the report p {}.", cells...)
		})
	}
	b.family.Then(func() {
		letters := tables.Letters("means-letters"+part.key, "Means by "+b.groups.name+part.about, builtInSource, "Scale", labels, differ, heads, func(row, a, z int) (float64, bool) {
			one, other := &part.scales[row].groups[tested[a]].mean, &part.scales[row].groups[tested[z]].mean
			return stats.Welch([]*stats.Ratio{one, other}).P, one.Mean() > other.Mean()
		})
		if letters != nil {
			s.Tables = append(s.Tables, letters)
		}
	})
}
