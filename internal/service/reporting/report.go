package reporting

import (
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/stats"
	"verbatim/internal/domain/tables"
)

// report writes the report from the counts.
func (b *builder) report(at time.Time) *tables.Report {
	r := &tables.Report{StudyID: b.study.ID, LinkID: b.study.LinkID, Title: b.study.Title, By: b.groups.name, MadeAt: at.UTC(), Source: builtInSource}
	sections := []*tables.Section{b.fieldwork.section()}
	if b.only != nil {
		r.Only = b.only.text
		sections = append(sections, b.only.section())
	}
	if s := b.funnel.section(); s != nil {
		sections = append(sections, s)
	}
	if b.weights != nil {
		sections = append(sections, b.weights.section())
	}
	if len(b.groups.heads) > 0 {
		sections = append(sections, b.groupSection())
	}
	for i, c := range b.questions {
		b.step(Estimating, i, len(b.questions))
		if c.number > 0 || c.together.asked > 0 || c.together.waiting > 0 {
			sections = append(sections, b.section(c))
		}
	}
	b.family.Settle() // adds to the sections
	b.step(Estimating, len(b.questions), len(b.questions))
	sections = append(sections, b.method())
	for _, s := range sections {
		r.Sections = append(r.Sections, s.Complete())
	}
	return r
}

func (f *fieldwork) section() *tables.Section {
	s := &tables.Section{Key: "fieldwork", Heading: "Fieldwork"}
	t := tables.New("responses", "Responses", builtInSource, "label", "Responses", "count", "Count", "counted", "Counted below")
	const complete, screenedOut, running, abandoned, hidden, broken, imported, unread = 0, 1, 2, 3, 4, 5, 6, 7
	for _, row := range []struct {
		label   string
		count   int
		counted string
	}{
		{"Complete", f.complete, "yes"},
		{"Screened out", f.screenedOut, "in the screening"},
		{"Running", f.running, "no"},
		{"Abandoned", f.abandoned, "no"},
		{"Hidden", f.hidden, "no"},
		{"Not readable", f.broken, "no"},
		{"Imported, among those above", f.imported, "as far as they can be read"},
		{"Answers of imported responses that could not be read", f.unread, "no"},
	} {
		t.Add(tables.Text(row.label), tables.Count(row.count), tables.Text(row.counted))
	}
	s.Tables = append(s.Tables, t)
	s.Say("Counted are the complete interviews ({}) and those screened out ({}). Who was screened out is in the base of the screening alone.",
		t.At(complete, "count"), t.At(screenedOut, "count"))
	s.Say("In no base are the running interviews ({}) and the abandoned ones ({}).", t.At(running, "count"), t.At(abandoned, "count"))
	if f.hidden > 0 {
		s.Say("Hidden responses, left out: {}.", t.At(hidden, "count"))
	}
	if f.broken > 0 {
		s.Warn("Responses that could not be read, left out: {}. Run doctor.", t.At(broken, "count"))
	}
	if f.imported > 0 {
		s.Say("{} of the responses were imported. They are known by their texts alone: {} answers could not be read from those, among them all to MaxDiff questions.",
			t.At(imported, "count"), t.At(unread, "count"))
	}
	return s
}

// groupSection reports how many people are in each group.
func (b *builder) groupSection() *tables.Section {
	s := &tables.Section{Key: "groups", Heading: "Groups by " + b.groups.name}
	t := tables.New("people", "People", builtInSource, "group", "Group", "people", "People", "base", "Base")
	for group, head := range b.groups.heads {
		if n := b.sizes[group]; n > 0 {
			t.Add(tables.Text(head), tables.Count(n), s.Base(n))
		}
	}
	s.Tables = append(s.Tables, t)
	if b.outside > 0 {
		outside := tables.New("outside", "People in no group", builtInSource, "label", "People", "people", "Count")
		outside.Add(tables.Text("Were never asked the question"), tables.Count(b.outside))
		s.Tables = append(s.Tables, outside)
		s.Say("In no group are the {} people who were never asked the question.", outside.At(0, "people"))
	}
	if b.groups.aside > 0 && b.sizes[b.groups.aside-1] > 0 {
		s.Say("Who was asked and gave no answer stands in a column, and in no test.")
	}
	if !b.groups.exclusive {
		s.Say("People may be in several groups, as the question takes several answers.")
	}
	return s
}

// section reports on one question.
func (b *builder) section(c *counted) *tables.Section {
	s := &tables.Section{Key: c.id, Number: c.number, Heading: c.text, Kind: string(c.kind)}
	c.base(s)
	for _, part := range c.slices() {
		if part.answered == 0 {
			continue
		}
		switch c.kind {
		case guide.MultipleChoice:
			b.choice(s, c, part)
		case guide.Matrix:
			b.matrix(s, c, part)
		case guide.Ranking:
			b.ranking(s, c, part)
		case guide.MaxDiff:
			b.maxdiff(s, c, part)
		case guide.OpenEnded:
			b.themes(s, c, part)
		case guide.FileUpload:
			part.fileTable(s)
		}
	}
	b.concepts(s, c)
	return s
}

// base adds the table of how many people were asked.
func (c *counted) base(s *tables.Section) {
	t := tables.New("base", "Base", builtInSource, "about", "About", "asked", "Asked", "answered", "Answered", "skipped", "Skipped",
		"waiting", "Not ended, standing here", "base", "Base")
	open := c.kind == guide.OpenEnded
	if open {
		t.Columns = append(t.Columns, tables.Column{Key: "worded", Head: "In words"})
	}
	labels := append([]string{"The question"}, c.question.concepts.labels...)
	if len(labels) > 1 {
		labels[0] = "All concepts together"
	}
	for i, part := range c.slices() {
		row := []tables.Cell{tables.Text(labels[i]), tables.Count(part.asked), tables.Count(part.answered), tables.Count(part.skipped), tables.Count(part.waiting), smallBase(part.answered)}
		if open {
			row = append(row, tables.Count(part.worded))
		}
		t.Add(row...)
	}
	if len(c.concepts) > 0 {
		for i, part := range c.slices() {
			named := t.At(i, "about")
			part.named = &named
		}
	}
	s.Tables = append(s.Tables, t)
	s.Say("Asked: {}; answered: {}.", t.At(0, "asked"), t.At(0, "answered"))
	if c.together.skipped > 0 {
		s.Say("Skipped: {}.", t.At(0, "skipped"))
	}
	if c.together.waiting > 0 {
		s.Say("Interviews that have not ended and stand here: {}.", t.At(0, "waiting"))
	}
	if few := c.together.answered; few > 0 && few < tables.SmallBase {
		s.Warn("The base is small: {} answers. Shares and means of so few can lie far from those of others.", t.At(0, "answered"))
	}
	if open && c.together.worded < c.together.answered {
		s.Say("Answers in words: {}; the others were recorded and are not transcribed yet.", t.At(0, "worded"))
	}
}

// smallBase returns a cell that says whether a number of answers is a small base.
func smallBase(answers int) tables.Cell {
	if answers == 0 || answers >= tables.SmallBase {
		return tables.None
	}
	return tables.Text("small")
}

// say adds a sentence, preceded by its concept if the question has several.
func (p *slice) say(s *tables.Section, template string, cells ...tables.Ref) {
	template, cells = p.withConcept(template, cells)
	s.Say(template, cells...)
}

// warn adds a warning, preceded by its concept if the question has several.
func (p *slice) warn(s *tables.Section, template string, cells ...tables.Ref) {
	template, cells = p.withConcept(template, cells)
	s.Warn(template, cells...)
}

func (p *slice) withConcept(template string, cells []tables.Ref) (string, []tables.Ref) {
	if p.named == nil {
		return template, cells
	}
	return "About {}: " + template, append([]tables.Ref{*p.named}, cells...)
}

// cross compares the groups, if there are any. what says what to compare: its key, title, words and rows, and whether these
// exclude each other.
func (b *builder) cross(s *tables.Section, c *counted, part *slice, counts *split, what tables.Cross) {
	if len(b.groups.heads) == 0 || b.groups.asked == c.question {
		return
	}
	what.Key += "by" + part.key
	what.Title += " by " + b.groups.name + part.about
	if part.named != nil {
		what.About = append([]tables.Ref{*part.named}, what.About...)
	}
	what.Groups, what.Counters, what.Aside, what.Family = b.groups.heads, counts.groups, b.groups.aside, &b.family
	what.Disjoint = b.testable(counts.all.Answers == counts.all.People)
	if !what.Into(s) {
		return
	}
	switch {
	case !b.groups.exclusive:
		s.Warn("Some people are in several groups, so no test compares the groups.")
	case !what.Disjoint:
		part.warn(s, "Some people answered several times, so no test compares the groups.")
	}
}

// testable reports whether tests may compare the groups: nobody is in two of them, and nobody answered twice.
func (b *builder) testable(once bool) bool { return b.groups.exclusive && once }

// method describes how the numbers were made, with the settings behind them.
func (b *builder) method() *tables.Section {
	s := &tables.Section{Key: "method", Heading: "Method"}
	t := tables.New("settings", "Settings", builtInSource, "setting", "Setting", "value", "Value")
	for _, row := range []struct {
		label string
		value tables.Cell
	}{
		{"Confidence of intervals in %", tables.Count(stats.Confidence)},
		{"Base below which it is marked as small", tables.Count(tables.SmallBase)},
		{"Precision of the prior of utilities without an upper bound", tables.Fixed(maxdiff.Precision, 1)},
		{"Sum of the shares of preference in %", tables.Fixed(100, 1)},
		{"Open answers that themes are learnt from, at most", tables.Count(sampleSize)},
		{"Quotes of a theme, at most", tables.Count(maxQuotes)},
		{"Level of tests in %", tables.Percent(tables.Level)},
		{"Tests of this report", tables.Count(b.family.Tests())},
		{"Share of a table's cells expecting too few people, above which chi-square is not used, in %", tables.Percent(stats.SparsePart)},
	} {
		t.Add(tables.Text(row.label), row.value)
	}
	const confidence, small, precision, sum, learnt, quotes, level, tests, sparse, sorted = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	modelled := slices.ContainsFunc(b.questions, func(c *counted) bool { return c.codebook != nil && c.codebook.Source() != builtInSource })
	if modelled {
		t.Add(tables.Text("Answers that a model must sort in a way that holds, in %"), tables.Count(MinSorted))
	}
	s.Tables = append(s.Tables, t)
	s.Say("Intervals are made for {} % confidence: Wilson's for shares, Student's t for means, the delta method on log odds for shares of preference. Where somebody answers about several concepts they are intervals over people, not over answers.",
		t.At(confidence, "value"))
	s.Say("Groups, where there are any, are compared by Pearson's chi-square, with Cramér's V and adjusted residuals, and by Welch's test where answers are points of a scale; a base of fewer than {} people is marked as small. For few people, or where more than {} % of the cells expect too few, the p of a table comes from shuffling who is in which group; weighted tables with such cells are not tested. Concepts are compared by what the same people answered about them (Hotelling's T-squared, Student's t for pairs).",
		t.At(small, "value"), t.At(sparse, "value"))
	if b.family.Tests() > 0 {
		s.Say("Tests that this report made: {}. Their p-values are adjusted together by Holm's method, so that the probability of one false difference or more among those stated is at most {} %. Letters and pairs are adjusted within their table, and looked at only where the table's own test has found a difference. That no difference is shown does not mean that there is none.",
			t.At(tests, "value"), t.At(level, "value"))
	}
	if slices.ContainsFunc(b.questions, func(c *counted) bool { return c.together.maxdiff != nil && c.together.answered > 0 }) {
		s.Say("MaxDiff utilities are the maximum of the likelihood of a sequential logit model: the best of a screen is chosen first, then the worst of the rest. Shares of preference sum to {} %. Only where the likelihood has no maximum, which is told, a prior of precision {} holds the utilities, and there are no intervals. Utilities of each person are estimated by empirical Bayes: the EM algorithm with importance sampling, under normal distributions over people that are independent between options.",
			t.At(sum, "value"), t.At(precision, "value"))
	}
	s.Say("Keyword groups are words that come together in open answers, found without a model in at most {} of them and then looked for in all. They know no synonyms and no irony. Quotes, at most {} a theme, stand in the answers letter for letter.",
		t.At(learnt, "value"), t.At(quotes, "value"))
	if modelled {
		s.Say("Tables that name a model hold themes which it named, and into which it sorted the answers. An answer counts for a theme where the model quoted words that stand in that answer; whether they speak of the theme is its judgement. Its own words are never counted. Where it sorted fewer than {} % of the answers in such a way, its themes are not used.",
			t.At(sorted, "value"))
	}
	return s
}
