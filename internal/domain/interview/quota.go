package interview

import (
	"strings"

	"verbatim/internal/domain/guide"
)

// planQuota is a compiled guide.Quota.
type planQuota struct {
	*guide.Quota
	dimensions []planDimension
}

// planDimension is a compiled guide.Dimension.
type planDimension struct {
	item      int // of its question, or none
	parameter string
	groups    map[string][]string // ids of groups by the value, or by the id or text of the option, that is in them
}

func (c *compiler) quotas(g *guide.Guide) {
	c.plan.target = g.Config.Fieldwork.Target > 0
	for i := range g.Config.Quotas {
		q := planQuota{Quota: &g.Config.Quotas[i]}
		for d := range q.Dimensions {
			q.dimensions = append(q.dimensions, c.dimension(&q.Dimensions[d]))
		}
		c.plan.quotas = append(c.plan.quotas, q)
	}
}

func (c *compiler) dimension(d *guide.Dimension) planDimension {
	compiled := planDimension{item: none, parameter: d.Parameter, groups: map[string][]string{}}
	if d.QuestionID != "" {
		compiled.item = c.find(d.QuestionID)
		if compiled.item != none {
			c.rank(c.plan.items[compiled.item].root)
		}
	}
	for i := range d.Groups {
		for _, value := range d.Groups[i].Values {
			compiled.groups[value] = append(compiled.groups[value], d.Groups[i].ID)
		}
	}
	return compiled
}

// Cells returns the cells in which this participant needs a place, as far as that is settled: those of a quota once all of its questions
// are answered or passed over, and that of the study's target once the screening is passed. What is settled stays so. A participant who
// fits no group of a dimension belongs to no cell of its quota; one who chose several options may belong to several.
func (s *State) Cells() (cells []guide.CellRef) {
	if s.plan.target && s.qualified() {
		cells = append(cells, guide.CellRef{})
	}
	for i := range s.plan.quotas {
		q := &s.plan.quotas[i]
		for _, id := range s.cellsOf(q) {
			cells = append(cells, guide.CellRef{Quota: q.ID, Cell: id})
		}
	}
	return cells
}

// qualified reports whether the participant has passed the screening.
func (s *State) qualified() bool {
	return len(s.plan.blocks) == 0 || s.plan.blocks[0].Type != guide.BlockScreening || s.at.block > 0
}

// cellsOf returns the ids of the cells of a quota that the participant belongs to; none while one of its questions may still be asked.
func (s *State) cellsOf(q *planQuota) (ids []string) {
	ids = []string{""}
	for d := range q.dimensions {
		groups, settled := s.groups(&q.dimensions[d])
		if !settled {
			return nil
		}
		var longer []string
		for _, id := range ids {
			for _, group := range groups {
				longer = append(longer, strings.TrimPrefix(id+guide.CellSeparator+group, guide.CellSeparator))
			}
		}
		ids = longer
	}
	return ids
}

// groups returns the groups of a dimension that the participant belongs to, each once and in the order of the options.
func (s *State) groups(d *planDimension) (groups []string, settled bool) {
	if d.item == none {
		value, present := s.params[d.parameter]
		if !present {
			return nil, true
		}
		return d.groups[value], true
	}
	seen := map[string]bool{}
	add := func(names []string) {
		for _, group := range names {
			if !seen[group] {
				seen[group] = true
				groups = append(groups, group)
			}
		}
	}
	passed := place{block: s.plan.items[d.item].block, item: d.item}.before(s.at)
	for _, v := range s.byItem[d.item] {
		if len(v.answers) == 0 {
			return nil, false
		}
		passed = true
		root := &s.plan.items[v.item.root]
		for _, option := range v.chosen {
			position, written := root.rank[option.ID]
			if !written {
				continue // the participant's own words
			}
			add(d.groups[option.ID])
			add(d.groups[root.Options[position].Text])
		}
	}
	return groups, passed
}
