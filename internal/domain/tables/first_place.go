package tables

import "strings"

// FirstPlace finds the rows of a table of counts that were named most often: all of them, if several share the first place.
type FirstPlace struct {
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
func (f FirstPlace) Say(say func(template string, cells ...Ref)) {
	var first []int
	for row := range f.Rows {
		switch {
		case f.Counts.Named(row) == 0:
		case len(first) == 0 || f.Counts.Weight(row) > f.Counts.Weight(first[0]):
			first = []int{row}
		case f.Counts.Weight(row) == f.Counts.Weight(first[0]):
			first = append(first, row)
		}
	}
	if len(first) == 0 {
		return
	}
	labels := make([]Ref, len(first))
	for i, row := range first {
		labels[i] = f.Table.At(f.place(row, i), f.Label)
	}
	at := f.place(first[0], 0)
	cell := func(column string) Ref { return f.Table.At(at, column) }
	prefix, cells := strings.Repeat("{}: ", len(f.About)), append(append([]Ref{}, f.About...), labels...)
	if len(first) > 1 {
		f.sayTied(say, prefix, cells, cell)
		return
	}
	were := "was "
	if f.Lead != "" {
		were = "were "
	}
	if f.Weighted {
		say(prefix+f.Lead+"{} "+were+f.Named+" most often, weighted: {} % (from {} % to {} %); without weights "+f.part()+".",
			append(cells, cell("share"), cell("low"), cell("high"), cell("count"), cell("base"))...)
		return
	}
	say(prefix+f.Lead+"{} "+were+f.Named+" most often: "+f.part()+", {} % (from {} % to {} %).",
		append(cells, cell("count"), cell("base"), cell("share"), cell("low"), cell("high"))...)
}

func (f FirstPlace) sayTied(say func(template string, cells ...Ref), prefix string, cells []Ref, cell func(column string) Ref) {
	template := prefix + f.Lead + strings.Repeat("{}, ", len(cells)-len(f.About)-1) + "and {} were " + f.Named + " equally often, and no other more often: "
	switch {
	case !f.Counts.Everywhere(): // the bases differ
		if f.Weighted {
			template += "weighted, and without weights the first "
		}
		say(template+"{} times.", append(cells, cell("count"))...)
		return
	case f.Weighted:
		say(template+"weighted {} % each.", append(cells, cell("share"))...)
		return
	}
	say(template+"each "+f.part()+".", append(cells, cell("count"), cell("base"))...)
}

// place returns the row of the table that holds a row of the counts, which is the tied one with an index.
func (f FirstPlace) place(row, tied int) int {
	if f.Sorted {
		return f.From + tied
	}
	return f.From + row
}

// part returns the template of a count and its base, with what they are of.
func (f FirstPlace) part() string {
	people, everywhere := !f.Answers && f.Counts.Answers == f.Counts.People, f.Counts.Everywhere()
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
