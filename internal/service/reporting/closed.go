package reporting

import (
	"slices"

	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// choice reports on a multiple choice question.
func (b *builder) choice(s *tables.Section, c *counted, part *slice) {
	t := part.choice.all.Shares("answers"+part.key, "Answers"+part.about, builtInSource, "Option", c.options.labels)
	s.Tables = append(s.Tables, t)
	if !b.targeted(s, c) {
		b.sayFirstPlace(s, part, tables.FirstPlace{Counts: part.choice.all, Rows: len(t.Rows), Table: t, Label: "label", Named: "chosen"})
	}
	b.scales(s, c, part, []string{c.text})
	part.own.into(s, part)
	b.cross(s, c, part, part.choice, tables.Cross{
		Title: "Answers", What: "answers", Source: builtInSource, Head: "Option", Labels: c.options.labels, Exclusive: !c.multi, Untested: part.scales != nil,
	})
}

// sayFirstPlace adds a sentence on what was named most often.
func (b *builder) sayFirstPlace(s *tables.Section, part *slice, first tables.FirstPlace) {
	first.Weighted = b.weights != nil
	first.Say(func(template string, cells ...tables.Ref) { part.say(s, template, cells...) })
}

// targeted reports whether the shares of a question's answers are targets of the weights, and says so: they are no findings.
func (b *builder) targeted(s *tables.Section, c *counted) bool {
	if b.weights == nil || !slices.ContainsFunc(b.weights.margins, func(m *margin) bool { return m.question == c.question }) {
		return false
	}
	s.Warn("The weighted shares of this question are targets of the weights: they and their intervals are no findings.")
	return true
}

func topRow(t *tables.Counter, rows int) (top int) {
	for row := range rows {
		if t.Weight(row) > t.Weight(top) {
			top = row
		}
	}
	return top
}

// matrix reports on a matrix question: each of its rows counts as a question of its own.
func (b *builder) matrix(s *tables.Section, c *counted, part *slice) {
	t := tables.New("cells"+part.key, "Ratings"+part.about, builtInSource, "row", "Row", "column", "Column", "count", "Count", "base", "Base",
		"share", "Share %", "low", "From %", "high", "To %")
	tops := make([]int, len(part.rows))
	for i, row := range part.rows {
		tops[i] = len(t.Rows) + topRow(row.all, len(c.options.labels))
		for column, label := range c.options.labels {
			share, low, high := row.all.Share(column)
			t.Add(tables.Text(c.question.rows.labels[i]), tables.Text(label), tables.Count(row.all.Named(column)), tables.Count(row.all.Offered(column)),
				tables.Percent(share), tables.Percent(low), tables.Percent(high))
		}
	}
	s.Tables = append(s.Tables, t)
	for i, row := range part.rows {
		from := i * len(c.options.labels)
		b.sayFirstPlace(s, part, tables.FirstPlace{
			Counts: row.all, Rows: len(c.options.labels), Table: t, From: from, Label: "column", About: []tables.Ref{t.At(tops[i], "row")}, Named: "chosen",
		})
	}
	b.scales(s, c, part, c.question.rows.labels)
	for i, row := range part.rows {
		b.cross(s, c, part, row, tables.Cross{
			Key: c.question.rows.ids[i] + "-", Title: c.question.rows.labels[i], What: "ratings", About: []tables.Ref{t.At(tops[i], "row")},
			Source: builtInSource, Head: "Column", Labels: c.options.labels, Exclusive: true, Untested: part.scales != nil,
		})
	}
}

// ranking reports on a ranking question: ranks, Borda points on a scale from 0 to 100, and first places.
func (b *builder) ranking(s *tables.Section, c *counted, part *slice) {
	r := part.ranking
	if r.first.all.People == 0 {
		return
	}
	t := tables.New("ranks"+part.key, "Ranks"+part.about, builtInSource, "label", "Option", "base", "Ranked", "rank", "Mean rank",
		"points", "Borda points (0 to 100)", "low", "From", "high", "To", "first", "First places", "share", "First places in %", "shareLow", "From %", "shareHigh", "To %")
	best := 0
	for option, label := range c.options.labels {
		points := r.points[option]
		low, high := points.Interval(0, 1)
		if points.People == 0 {
			low, high = points.Mean(), points.Mean() // no interval, only the point
		}
		share, shareLow, shareHigh := r.first.all.Share(option)
		t.Add(tables.Text(label), tables.Count(int(points.M)), tables.Fixed(r.mean[option].Mean(), 2),
			tables.Percent(points.Mean()), tables.Percent(low), tables.Percent(high),
			tables.Count(r.first.all.Named(option)), tables.Percent(share), tables.Percent(shareLow), tables.Percent(shareHigh))
		if enough(&points) == enough(&r.points[best]) && points.Mean() > r.points[best].Mean() || enough(&points) && !enough(&r.points[best]) || r.points[best].M == 0 {
			best = option
		}
	}
	s.Tables = append(s.Tables, t)
	weighted := b.weighted(" (", ")")
	template := "{} has the most Borda points" + weighted + ", {} (from {} to {}): mean rank {}" + weighted + ", in the first place {} times of {}" + unweighted(weighted) + "."
	if !r.first.all.Everywhere() {
		template = "Of the options ranked by many, {} has the most Borda points" + weighted + ", {} (from {} to {}): mean rank {}" + weighted + ", in the first place {} times of the {} times that it was ranked" + unweighted(weighted) + "."
	}
	if r.points[best].People >= 2 {
		part.say(s, template, t.At(best, "label"), t.At(best, "points"), t.At(best, "low"), t.At(best, "high"), t.At(best, "rank"), t.At(best, "first"), t.At(best, "base"))
	}
	b.rankingByGroup(s, c, part)
	b.cross(s, c, part, r.first, tables.Cross{
		Key: "first-", Title: "First places", What: "first places", Source: builtInSource, Head: "Option", Labels: c.options.labels, Exclusive: true,
	})
}

// weighted returns the word for figures with weights between two texts, and nothing without weights.
func (b *builder) weighted(before, after string) string {
	if b.weights == nil {
		return ""
	}
	return before + "weighted" + after
}

// unweighted returns what follows a count in a sentence that has weighted figures too.
func unweighted(weighted string) string {
	if weighted == "" {
		return ""
	}
	return " (without weights)"
}

// enough reports whether an option was ranked by as many people as a base needs.
func enough(points *stats.Ratio) bool { return points.People >= tables.SmallBase }

// rankingByGroup adds a table with the groups' Borda points side by side.
func (b *builder) rankingByGroup(s *tables.Section, c *counted, part *slice) {
	columns, places := b.groupColumns(func(group int) bool { return part.ranking.first.groups[group].People > 0 })
	if len(places) < 2 {
		return
	}
	t := tables.New("points-by"+part.key, "Borda points by "+b.groups.name+part.about, builtInSource, append([]string{"label", "Option"}, columns...)...)
	for option, label := range c.options.labels {
		cells := []tables.Cell{tables.Text(label)}
		for _, group := range places {
			cells = append(cells, tables.Percent(part.ranking.groups[group][option].Mean()))
		}
		t.Add(cells...)
	}
	s.Tables = append(s.Tables, t)
}

// groupColumns returns the columns and the indexes of the groups for which has returns true.
func (b *builder) groupColumns(has func(group int) bool) (columns []string, places []int) {
	for group, head := range b.groups.heads {
		if has(group) {
			places = append(places, group)
			columns = append(columns, tables.GroupKey(len(places)-1), head)
		}
	}
	return columns, places
}
