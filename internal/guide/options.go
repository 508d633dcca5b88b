package guide

import "slices"

// CustomOptionText is the text of a custom option before a participant has written one.
const CustomOptionText = "Other"

const customPrefix = "other:"

// CustomOptionID is the id of the option with free text that allowCustomOption adds to an item. It keeps this id
// wherever it is carried forward.
func CustomOptionID(itemID string) string { return customPrefix + itemID }

// EffectiveOptions are all options that an item may ever show, in the guide's order: its own, or those of the item that
// it carries forward from, then its custom option where it allows one. Carried options have no screening status.
func (g *Guide) EffectiveOptions(item *Item) []Option {
	chain := g.carryChain(item)
	options := slices.Clone(chain[len(chain)-1].Options)
	if len(chain) > 1 {
		for i := range options {
			options[i].Status = ""
		}
	}
	for _, link := range slices.Backward(chain) {
		if link.AllowCustomOption {
			options = append(options, Option{ID: CustomOptionID(link.ID), Text: CustomOptionText})
		}
	}
	return options
}

// OfferedOptions are the options that the guide's author wrote for an item: its own, or those of the item that it carries
// forward from. The custom option is not among them, since its text is the participant's.
func (g *Guide) OfferedOptions(item *Item) []Option {
	chain := g.carryChain(item)
	return chain[len(chain)-1].Options
}

// carryChain is the item and those that it carries forward from, the root last.
func (g *Guide) carryChain(item *Item) []*Item {
	chain := []*Item{item}
	for item.CarryForwardFrom != "" {
		source, _, found := g.Item(item.CarryForwardFrom)
		if !found || slices.Contains(chain, source) {
			break
		}
		chain, item = append(chain, source), source
	}
	return chain
}

// ChoiceIDs are the ids of the source's options that a criterion's choices name: by id, or else by text (all options of
// that text). For a matrix these are columns. A choice that names nothing adds nothing.
func (g *Guide) ChoiceIDs(source *Item, choices []string) []string {
	options := g.EffectiveOptions(source)
	var ids []string
	for _, choice := range choices {
		if slices.ContainsFunc(options, func(o Option) bool { return o.ID == choice }) {
			ids = append(ids, choice)
			continue
		}
		for _, option := range options {
			if option.Text == choice {
				ids = append(ids, option.ID)
			}
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
