package reporting

import (
	"cmp"
	"slices"

	"verbatim/internal/domain/tables"
)

// themes reports on an open question.
func (b *builder) themes(s *tables.Section, c *counted, part *slice) {
	if c.failure != nil && part == c.together {
		t := tables.New("fallback", "Themes of a model that are not used", builtInSource, "provider", "Provider", "model", "Model", "prompt", "Prompt", "reason", "Why")
		by := c.failure.By
		t.Add(tables.Text(by.Provider), tables.Text(by.Model), tables.Text(by.Version), tables.Text(c.failure.Error()))
		s.Tables = append(s.Tables, t)
		s.Warn("A model was asked for themes. Keyword groups stand in their place: {}.", t.At(0, "reason"))
	}
	if part.refused > 0 {
		t := tables.New("refused"+part.key, "Left out"+part.about, builtInSource, "refused", "Mentions whose quote does not stand in the answer")
		t.Add(tables.Count(part.refused))
		s.Tables = append(s.Tables, t)
		part.warn(s, "{} mentions were left out: what was quoted for them does not stand in the answer.", t.At(0, "refused"))
	}
	if c.codebook == nil || part.themes == nil || part.themes.all.People == 0 {
		return
	}
	themes, source, name := c.codebook.Themes(), c.codebook.Source(), c.codebook.Name()
	if len(themes) == 0 {
		part.say(s, "No words come together in the answers often enough to make a theme.")
		return
	}
	labels, named := make([]string, len(themes), len(themes)+1), namedBy(c.codebook)
	meanings := tables.New("meanings"+part.key, name+": what they stand for", source, "label", "Theme", "meaning", "Stands for", "named", "Named by", "theme", "Number")
	quoted := tables.New("quotes"+part.key, "Quotes"+part.about, source, "label", "Theme", "response", "Response", "row", "Row of its transcript", "quote", "Quote", "concept", "Concept")
	for i, theme := range themes {
		labels[i] = theme.Label
		meanings.Add(tables.Text(theme.Label), tables.Text(theme.Meaning), named(i), tables.Count(numberOf(c.codebook, i)))
		for _, q := range part.quotes[i] {
			quoted.Add(tables.Text(theme.Label), tables.Count(q.readableID), rowCell(q.row), tables.Text(q.text), tables.Text(q.conceptID))
		}
	}
	labels = append(labels, noTheme)
	t := part.themes.all.Shares("themes"+part.key, name+part.about, source, "Theme", labels)
	frequentFirst(t, part.themes.all, len(themes))
	s.Tables = append(s.Tables, t)
	if part == c.together {
		s.Tables = append(s.Tables, meanings)
	}
	s.Tables = append(s.Tables, quoted)
	first := tables.FirstPlace{Counts: part.themes.all, Rows: len(themes), Table: t, Sorted: true, Label: "label", Named: "mentioned", Answers: true}
	if _, found := c.codebook.(keywordBook); found {
		first.Lead, first.Named = "The words of ", "said"
	}
	b.sayFirstPlace(s, part, first)
	none := "Answers in none of the rows above “Other or none”: {} of {}, {} %."
	if b.weights != nil {
		none = "Answers in none of the rows above “Other or none”: {} of {} without weights; weighted, {} %."
	}
	part.say(s, none, t.At(len(themes), "count"), t.At(len(themes), "base"), t.At(len(themes), "share"))
	b.cross(s, c, part, part.themes, tables.Cross{Key: "themes-", Title: name, What: "mentions", Source: source, Head: "Theme", Labels: labels})
}

// rowCell returns a cell with a row of a transcript; empty if it is not known.
func rowCell(row int) tables.Cell {
	if row == 0 {
		return tables.None
	}
	return tables.Count(row)
}

// frequentFirst sorts the first rows of a table of counts, the most frequent first.
func frequentFirst(t *tables.Table, counts *tables.Counter, rows int) {
	order := make([]int, rows)
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts.Weight(b), counts.Weight(a)) })
	sorted := make([][]tables.Cell, rows)
	for i, row := range order {
		sorted[i] = t.Rows[row]
	}
	copy(t.Rows, sorted)
}
