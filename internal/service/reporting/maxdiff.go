package reporting

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/tables"
)

// maxdiff reports on a MaxDiff question.
func (b *builder) maxdiff(s *tables.Section, c *counted, part *slice) {
	if part.maxdiff == nil {
		s.Warn("The question has too many options to be analysed.")
		return
	}
	if part.maxdiff.People() == 0 {
		return
	}
	b.scores(s, c, part)
	fit, err := maxdiff.Estimate(part.maxdiff)
	if err != nil {
		part.warn(s, "The utilities could not be found, so there are counts alone.")
		return
	}
	scores := s.Tables[len(s.Tables)-1]
	b.utilities(s, c, part, &fit)
	warnOfSeparation(s, part, &fit, scores)
	population := part.maxdiff.Population(&fit)
	b.people(s, part, &population)
	b.individuals(s, c, part, &population)
	b.maxdiffByGroup(s, c, part)
	s.Tables = append(s.Tables, screensTable(c, part))
}

// scores adds the counts, which need no model.
func (b *builder) scores(s *tables.Section, c *counted, part *slice) {
	t := tables.New("scores"+part.key, "Best-worst counts"+part.about, builtInSource, "label", "Option", "shown", "Shown", "best", "Best", "worst", "Worst",
		"score", "(Best - worst) / shown", "low", "From", "high", "To")
	for option, count := range part.maxdiff.Counts() {
		if count.Shown == 0 {
			count.Low, count.High = count.Score, count.Score // no interval, only the point
		}
		t.Add(tables.Text(c.options.labels[option]), tables.Count(count.Shown), tables.Count(count.Best), tables.Count(count.Worst),
			tables.Fixed(count.Score, 3), tables.Fixed(count.Low, 3), tables.Fixed(count.High, 3))
	}
	s.Tables = append(s.Tables, t)
}

// utilities adds the utilities of the model, the highest first, and the data that the model is based on.
func (b *builder) utilities(s *tables.Section, c *counted, part *slice, fit *maxdiff.Fit) {
	t := tables.New("utilities"+part.key, "Logit utilities and shares of preference"+b.weighted(" (", ")")+part.about, builtInSource, "label", "Option", "utility", "Utility",
		"error", "Standard error", "low", "From", "high", "To", "share", "Share %", "shareLow", "From %", "shareHigh", "To %",
		"errorByPerson", "Error by person", "errorInformation", "Error by information")
	shares := fit.Shares()
	tenths := hundred(shares)
	order := make([]int, len(shares))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fit.Utilities[b], fit.Utilities[a]) })
	for _, i := range order {
		low, high := fit.Interval(i)
		t.Add(tables.Text(c.options.labels[i]), tables.Fixed(fit.Utilities[i], 3), errorCell(fit, fit.Errors[i]), tables.Fixed(low, 3), tables.Fixed(high, 3),
			tables.Fixed(float64(tenths[i])/10, 1), tables.Fixed(shares[i].Low, 1), tables.Fixed(shares[i].High, 1),
			errorCell(fit, fit.ByPerson[i]), errorCell(fit, fit.Information[i]))
	}
	model := tables.New("model"+part.key, "The model"+part.about, builtInSource, "people", "People", "screens", "Screens", "loglikelihood", "Log-likelihood",
		"chance", "Of chance", "better", "Better than chance (0 to 1)", "errors", "Standard errors and intervals", "bounded", "The likelihood has a maximum")
	model.Add(tables.Count(fit.People), tables.Count(fit.Screens), tables.Fixed(fit.LogLikelihood, 1), tables.Fixed(fit.Chance, 1),
		tables.Fixed(fit.McFadden(), 3), errorsOf(fit), boundedOf(fit))
	s.Tables = append(s.Tables, t, model)
	last := len(t.Rows) - 1
	if fit.Unbounded {
		part.say(s, "In the order of the utilities, which a weak prior holds, {} stands first and {} last. There are no intervals.", t.At(0, "label"), t.At(last, "label"))
	} else {
		uncertain := ""
		if !fit.Clustered {
			uncertain = "With few people, and so uncertain: "
		}
		part.say(s, uncertain+"{} has the largest estimated "+b.weighted("", " ")+"share of preference, {} % (from {} % to {} %); {} has the smallest, {} % (from {} % to {} %).",
			t.At(0, "label"), t.At(0, "share"), t.At(0, "shareLow"), t.At(0, "shareHigh"),
			t.At(last, "label"), t.At(last, "share"), t.At(last, "shareLow"), t.At(last, "shareHigh"))
		b.sayLead(s, part, fit, order, t)
	}
	part.say(s, "The model rests on {} screens of {} people"+unweighted(b.weighted(" (", ")"))+".", model.At(0, "screens"), model.At(0, "people"))
	if fit.Unbounded {
		return
	}
	part.say(s, "The standard errors are those {}.", model.At(0, "errors"))
	if !fit.Clustered {
		part.warn(s, "There are too few people for errors by person ({}), so the intervals stand on the larger of both errors of each option, and may still be too narrow.", model.At(0, "people"))
	}
}

// sayLead tests whether the first option leads the second.
func (b *builder) sayLead(s *tables.Section, part *slice, fit *maxdiff.Fit, order []int, utilities *tables.Table) {
	p := fit.Differ(order[0], order[1])
	// The two were chosen because they lie first and second, so that every pair counts.
	p = min(1, p*float64(len(order)*(len(order)-1)/2))
	t := tables.New("lead"+part.key, "The first option before the second"+part.about, builtInSource, "first", "First", "second", "Second", "p", "p, for all pairs of options", "adjusted", "p, adjusted for all tests of the report")
	s.Tables = append(s.Tables, t)
	b.family.Add(p, func(adjusted float64) {
		t.Add(utilities.Rows[0][0], utilities.Rows[1][0], tables.Probability(p), tables.Probability(adjusted))
		template := "That {} is preferred to {} is not shown: p {} for all pairs of options, adjusted for all tests of the report p {}."
		if adjusted < tables.Level {
			template = "{} is preferred to {}, the next: p {} for all pairs of options, adjusted for all tests of the report p {}."
		}
		part.say(s, template, t.At(0, "first"), t.At(0, "second"), t.At(0, "p"), t.At(0, "adjusted"))
	})
}

// errorCell returns a standard error, and nothing if the answers do not bound the utilities.
func errorCell(fit *maxdiff.Fit, x float64) tables.Cell {
	if fit.Unbounded {
		return tables.None
	}
	return tables.Fixed(x, 3)
}

// errorsOf returns the name of a fit's kind of standard errors.
func errorsOf(fit *maxdiff.Fit) tables.Cell {
	if fit.Unbounded {
		return tables.Text("none")
	}
	if fit.Clustered {
		return tables.Text("by person")
	}
	return tables.Text("the larger of those by person and by information")
}

func boundedOf(fit *maxdiff.Fit) tables.Cell {
	if fit.Unbounded {
		return tables.Text("no")
	}
	return tables.Text("yes")
}

func hundred(shares []maxdiff.Share) []int {
	percent := make([]float64, len(shares))
	for i := range shares {
		percent[i] = shares[i].Percent
	}
	return maxdiff.RoundTo100(percent)
}

// warnOfSeparation adds a warning where utilities have no bound. scores has one row per option.
func warnOfSeparation(s *tables.Section, part *slice, fit *maxdiff.Fit, scores *tables.Table) {
	if !fit.Unbounded {
		return
	}
	part.warn(s, "Some options were only ever preferred to others, so the answers set no bound to how far they lie apart. A weak prior holds the utilities; their order can be read, their distances cannot.")
	for _, row := range fit.Separation.Always {
		part.warn(s, "{} was the best on each of the {} screens that showed it.", scores.At(row, "label"), scores.At(row, "shown"))
	}
	for _, row := range fit.Separation.Never {
		part.warn(s, "{} was the worst on each of the {} screens that showed it.", scores.At(row, "label"), scores.At(row, "shown"))
	}
	for _, row := range fit.Separation.Unseen {
		part.warn(s, "{} was shown on {} screens: nothing is known of it.", scores.At(row, "label"), scores.At(row, "shown"))
	}
}

// maxdiffByGroup estimates the model in each group and puts the shares side by side.
func (b *builder) maxdiffByGroup(s *tables.Section, c *counted, part *slice) {
	fits := make([]*maxdiff.Fit, len(b.groups.heads))
	for group := range fits {
		fit, err := maxdiff.Estimate(part.maxdiff.WithMark(1 << group))
		if err == nil {
			fits[group] = &fit
		} else if !errors.Is(err, maxdiff.ErrNoAnswers) {
			part.warn(s, "The utilities of a group could not be found.")
		}
	}
	columns, places := b.groupColumns(func(group int) bool { return fits[group] != nil })
	if len(places) < 2 {
		return
	}
	bases := tables.New("by-bases"+part.key, "Groups"+part.about, builtInSource, "group", "Group", "people", "People", "screens", "Screens",
		"errors", "Standard errors and intervals", "bounded", "The likelihood has a maximum", "base", "Base")
	t := tables.New("by-shares"+part.key, fmt.Sprintf("Shares of preference%s by %s in %%%s", b.weighted(" (", ")"), b.groups.name, part.about), builtInSource, append([]string{"label", "Option"}, columns...)...)
	long := tables.New("by-utilities"+part.key, "Utilities by "+b.groups.name+part.about, builtInSource, "group", "Group", "label", "Option", "utility", "Utility",
		"error", "Standard error", "share", "Share %", "low", "From %", "high", "To %")
	cells := make([][]tables.Cell, len(c.options.labels))
	for option, label := range c.options.labels {
		cells[option] = []tables.Cell{tables.Text(label)}
	}
	for i, group := range places {
		fit := fits[group]
		bases.Add(tables.Text(b.groups.heads[group]), tables.Count(fit.People), tables.Count(fit.Screens), errorsOf(fit), boundedOf(fit), s.Base(fit.People))
		shares := fit.Shares()
		tenths := hundred(shares)
		for option, label := range c.options.labels {
			share := tables.Fixed(float64(tenths[option])/10, 1)
			cells[option] = append(cells[option], share)
			long.Add(tables.Text(b.groups.heads[group]), tables.Text(label), tables.Fixed(fit.Utilities[option], 3), errorCell(fit, fit.Errors[option]),
				share, tables.Fixed(shares[option].Low, 1), tables.Fixed(shares[option].High, 1))
		}
		if fit.Unbounded {
			part.warn(s, "In the group {} some options were only ever preferred to others: the order of its shares can be read, their distances cannot.", bases.At(i, "group"))
		}
	}
	for _, row := range cells {
		t.Add(row...)
	}
	s.Tables = append(s.Tables, bases, t, long)
	part.say(s, "The "+b.weighted("", " ")+"shares of preference of the groups stand beside each other; no test compares them.")
}
