package guide

import "strings"

// choicesOfSource: every choice of a criterion is an option of its source, by externalId or text. A source that carries
// its options forward has those of the end of its chain, and the custom options on the way.
func choicesOfSource(r *rules) {
	known := map[*entry]map[string]bool{} // ids and texts of the options at the end of a chain
	for _, c := range r.conditions() {
		for i := range c.Criteria {
			source := r.source(&c, &c.Criteria[i])
			if source == nil || !source.resolved() {
				continue
			}
			names := known[source.root]
			if names == nil {
				names = optionNames(source.root.Options)
				known[source.root] = names
			}
			var unknown []string
			for _, choice := range c.Criteria[i].Choices {
				if !names[choice] && !r.isCustom(source, choice) {
					unknown = append(unknown, quote(choice))
				}
			}
			if len(unknown) > 0 {
				r.report(c.criterionPath(i)+".choices", "no option of %s: %s", quote(source.ID), strings.Join(unknown, ", "))
			}
		}
	}
}

func optionNames(options []Option) map[string]bool {
	names := make(map[string]bool, 2*len(options))
	for _, option := range options {
		names[option.ID], names[option.Text] = true, true
	}
	return names
}

// isCustom tells whether a choice names a custom option that the source may show.
func (r *rules) isCustom(source *entry, choice string) bool {
	if source.custom == 0 {
		return false
	}
	if choice == CustomOptionText {
		return true
	}
	owner := r.byID[strings.TrimPrefix(choice, customPrefix)]
	if owner == nil || !owner.AllowCustomOption || CustomOptionID(owner.ID) != choice || owner.root != source.root {
		return false
	}
	for link := source; link != nil; link = link.source {
		if link == owner {
			return true
		}
	}
	return false
}
