package guide

// CustomOptionText is the text of a custom option before a participant has written one.
const CustomOptionText = "Other"

const customPrefix = "other:"

// CustomOptionID returns the id of the free-text option that allowCustomOption adds to an item. It keeps this id wherever it
// is carried forward.
func CustomOptionID(itemID string) string { return customPrefix + itemID }

// EffectiveOptions does the same as Index.EffectiveOptions. If you ask about more than one item, make an Index.
func (g *Guide) EffectiveOptions(item *Item) []Option { return NewIndex(g).EffectiveOptions(item) }

// ChoiceIDs returns the ids of the source's options that a criterion's choices refer to: by id, or else by text (all options
// with that text). For a matrix these are columns. A choice that matches nothing is ignored. This is the
// definition, which tests compare with what lint and package interview do for large guides.
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
