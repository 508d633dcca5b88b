package tables

import "strings"

// Most says which rows of a table of counts were named most often: all of them, if several share the first place.
type Most struct {
	Counts   *Counter
	Rows     int    // rows of Counts that are compared
	Table    *Table // has the columns count, base, share, low and high
	From     int    // the row of Table that holds the first one
	Sorted   bool   // the rows of Table are in the order of the counts
	Label    string // column of Table with the labels
	About    []Ref  // what the sentence names first, for example the row of a matrix
	Lead     string // what precedes the label: "The words of "
	Named    string // "chosen"
	Answers  bool   // the counts are of answers, though nobody answered twice
	Weighted bool
}

// Say calls say with the sentence. It does nothing if no row was named.
func (m Most) Say(say func(template string, cells ...Ref)) {
	var first []int
	for row := range m.Rows {
		switch {
		case m.Counts.Named(row) == 0:
		case len(first) == 0 || m.Counts.Weight(row) > m.Counts.Weight(first[0]):
			first = []int{row}
		case m.Counts.Weight(row) == m.Counts.Weight(first[0]):
			first = append(first, row)
		}
	}
	if len(first) == 0 {
		return
	}
	labels := make([]Ref, len(first))
	for i, row := range first {
		labels[i] = m.Table.At(m.place(row, i), m.Label)
	}
	at := m.place(first[0], 0)
	cell := func(column string) Ref { return m.Table.At(at, column) }
	prefix, cells := strings.Repeat("{}: ", len(m.About)), append(append([]Ref{}, m.About...), labels...)
	if len(first) > 1 {
		m.sayTied(say, prefix, cells, cell)
		return
	}
	were := "was "
	if m.Lead != "" {
		were = "were "
	}
	if m.Weighted {
		say(prefix+m.Lead+"{} "+were+m.Named+" most often, weighted: {} % (from {} % to {} %); without weights "+m.part()+".",
			append(cells, cell("share"), cell("low"), cell("high"), cell("count"), cell("base"))...)
		return
	}
	say(prefix+m.Lead+"{} "+were+m.Named+" most often: "+m.part()+", {} % (from {} % to {} %).",
		append(cells, cell("count"), cell("base"), cell("share"), cell("low"), cell("high"))...)
}

func (m Most) sayTied(say func(template string, cells ...Ref), prefix string, cells []Ref, cell func(column string) Ref) {
	template := prefix + m.Lead + strings.Repeat("{}, ", len(cells)-len(m.About)-1) + "and {} were " + m.Named + " equally often, and no other more often: "
	switch {
	case !m.Counts.Everywhere(): // the bases differ
		if m.Weighted {
			template += "weighted, and without weights the first "
		}
		say(template+"{} times.", append(cells, cell("count"))...)
		return
	case m.Weighted:
		say(template+"weighted {} % each.", append(cells, cell("share"))...)
		return
	}
	say(template+"each "+m.part()+".", append(cells, cell("count"), cell("base"))...)
}

// place returns the row of the table that holds a row of the counts, which is the tied one with an index.
func (m Most) place(row, tied int) int {
	if m.Sorted {
		return m.From + tied
	}
	return m.From + row
}

// part returns the template of a count and its base, with what they are of.
func (m Most) part() string {
	people, everywhere := !m.Answers && m.Counts.Answers == m.Counts.People, m.Counts.Everywhere()
	switch {
	case people && everywhere:
		return "by {} of {} people"
	case people:
		return "by {} of the {} people to whom it was shown"
	case everywhere:
		return "in {} of {} answers"
	}
	return "in {} of the {} answers for which it was shown"
}
