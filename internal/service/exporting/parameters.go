package exporting

import (
	"slices"

	"verbatim/internal/domain/guide"
)

// namedParameters lists the link parameters that the conditions of a guide name, but not those of the service.
func namedParameters(g *guide.Guide) (names []string) {
	add := func(c *guide.Conditional) {
		if c == nil {
			return
		}
		for _, one := range c.Criteria {
			if one.Type == guide.SearchParam && one.Parameter != "" && one.Parameter[0] != '_' {
				names = append(names, one.Parameter)
			}
		}
	}
	for _, item := range g.Items() {
		add(item.Conditional)
	}
	for b := range g.Blocks {
		for _, concept := range g.Blocks[b].Concepts() {
			add(concept.Conditional)
		}
	}
	return names
}

// sorted returns texts in their order, each once.
func sorted(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}
