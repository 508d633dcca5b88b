package guide

import (
	"strconv"
	"strings"
)

// choicesOfSource checks that every choice of a criterion is an option of its source, by externalId or text. A source that
// carries options forward has those at the end of its chain, and the custom options on the way.
func choicesOfSource(r *rules) {
	for _, c := range r.conditions() {
		for i := range c.Criteria {
			source := r.source(&c, &c.Criteria[i])
			if source == nil || !source.resolved() {
				continue
			}
			names, unknown, more := r.namesOf(source.root), []string(nil), 0
			for _, choice := range c.Criteria[i].Choices {
				switch _, known := names.byID[choice]; {
				case known, names.byText[choice] != nil, r.isCustom(source, choice):
				case len(unknown) == maxNamed:
					more++
				default:
					unknown = append(unknown, quote(choice))
				}
			}
			if len(unknown) == 0 {
				continue
			}
			list := strings.Join(unknown, ", ")
			if more > 0 {
				list += " and " + strconv.Itoa(more) + " more"
			}
			r.report(c.criterionPath(i)+".choices", "no option of %s: %s", quote(source.ID), list)
		}
	}
}

// namesOf returns the names of an item's own options, computed once.
func (r *rules) namesOf(e *entry) *optionNames {
	names := r.names[e]
	if names == nil {
		if r.names == nil {
			r.names = map[*entry]*optionNames{}
		}
		names = namesOf(e.Options)
		r.names[e] = names
	}
	return names
}

// isCustom reports whether a choice refers to a custom option that the source may show.
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
	for candidate := range source.customOwners() {
		if candidate.place.Number <= owner.place.Number {
			return candidate == owner
		}
	}
	return false
}
