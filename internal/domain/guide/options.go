package guide

// CustomOptionText is the text of a custom option before a participant has written one.
const CustomOptionText = "Other"

const customPrefix = "other:"

// CustomOptionID is the id of the option with free text that allowCustomOption adds to an item. It keeps this id
// wherever it is carried forward.
func CustomOptionID(itemID string) string { return customPrefix + itemID }

// EffectiveOptions are those of an Index. Whoever asks about more than one item makes an Index.
func (g *Guide) EffectiveOptions(item *Item) []Option { return NewIndex(g).EffectiveOptions(item) }

// ChoiceIDs are the ids of the source's options that a criterion's choices name: by id, or else by text (all options of
// that text). For a matrix these are columns. A choice that names nothing adds nothing.
func (g *Guide) ChoiceIDs(source *Item, choices []string) []string {
	options := g.EffectiveOptions(source)
	names := namesOf(options)
	var ids []string
	for _, choice := range choices {
		if _, known := names.byID[choice]; known {
			ids = append(ids, choice)
			continue
		}
		for _, place := range names.byText[choice] {
			ids = append(ids, options[place].ID)
		}
	}
	return ids
}

// RowID is the id of the row that a criterion names by its exact text: the first of that text; empty when there is none.
func (it *Item) RowID(text string) string {
	for _, row := range it.Rows {
		if row.Text == text {
			return row.ID
		}
	}
	return ""
}
