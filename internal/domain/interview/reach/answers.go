package reach

import (
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// needs lists the answers and parameters that decide whether an item is shown.
type needs struct {
	decides map[string]bool            // ids of the items whose answers decide
	chosen  map[string]map[string]bool // by item: ids and texts of options that conditions name
	cells   map[string]map[string]bool // by matrix: texts of rows that conditions name
	params  map[string]string
}

// needsOf follows the conditions of an item and of its concepts, and the options that it carries forward, to all items on which they rest.
func needsOf(g *guide.Guide, item *guide.Item, place guide.Place, conceptID string) needs {
	n := needs{decides: map[string]bool{}, chosen: map[string]map[string]bool{}, cells: map[string]map[string]bool{}, params: map[string]string{}}
	queue := []*guide.Item{item}
	follow := func(id string) {
		if source, _, found := g.Item(id); found && !n.decides[id] {
			n.decides[id] = true
			queue = append(queue, source)
		}
	}
	conditional := func(c *guide.Conditional) {
		if c == nil {
			return
		}
		for i := range c.Criteria {
			n.add(&c.Criteria[i])
			follow(c.Criteria[i].QuestionID)
		}
	}
	concepts := g.Blocks[place.Block].Concepts()
	for i := range concepts {
		if conceptID == "" || concepts[i].ID == conceptID {
			conditional(concepts[i].Conditional)
		}
	}
	for len(queue) > 0 {
		it := queue[0]
		queue = queue[1:]
		conditional(it.Conditional)
		follow(it.CarryForwardFrom)
	}
	return n
}

func (n *needs) add(c *guide.Criterion) {
	if c.Type == guide.SearchParam {
		if _, set := n.params[c.Parameter]; !set {
			n.params[c.Parameter] = c.Value
		}
		return
	}
	if n.chosen[c.QuestionID] == nil {
		n.chosen[c.QuestionID], n.cells[c.QuestionID] = map[string]bool{}, map[string]bool{}
	}
	for _, choice := range c.Choices {
		n.chosen[c.QuestionID][choice] = true
	}
	if c.MatrixRow != "" {
		n.cells[c.QuestionID][c.MatrixRow] = true
	}
}

// maxCandidates limits the candidate answers to one question.
const maxCandidates = 16

// candidates returns answers to a question that decides: they differ in what conditions look at.
func (n *needs) candidates(step interview.Step) []interview.Answer {
	var all []interview.Answer
	switch step.Item.Type {
	case guide.MultipleChoice:
		all = n.choices(step)
	case guide.Matrix:
		all = n.ratings(step)
	}
	if all = append(all, anyAnswer(step)); len(all) > maxCandidates {
		all = all[:maxCandidates]
	}
	return all
}

// choices returns answers to a multiple choice: each option that is named, one that is not, and where several may be chosen all that are
// named, two, and as many as possible.
func (n *needs) choices(step interview.Step) (all []interview.Answer) {
	names := n.chosen[step.Item.ID]
	var named, unnamed, free []string
	for _, o := range step.Options {
		if o.Status == guide.Reject {
			continue
		}
		if names[o.ID] || names[o.Text] {
			named = append(named, o.ID)
		} else {
			unnamed = append(unnamed, o.ID)
		}
		if !o.Exclusive {
			free = append(free, o.ID)
		}
	}
	add := func(ids ...string) {
		if len(ids) > 0 {
			all = append(all, interview.Answer{Selected: filled(step, ids, slices.Concat(unnamed, named))})
		}
	}
	for _, id := range named {
		add(id)
	}
	if len(unnamed) > 0 {
		add(unnamed[0])
	}
	if step.Item.MultiSelect {
		exclusive := func(id string) bool { return !slices.Contains(free, id) }
		add(slices.DeleteFunc(slices.Clone(named), exclusive)...)
		add(free[:min(2, len(free))]...)
		add(free...)
	}
	return all
}

// filled returns a selection with as many options as the step asks for: options of others are added, or the last ones left out. An
// exclusive option stays alone.
func filled(step interview.Step, ids, others []string) []string {
	isExclusive := func(id string) bool {
		return slices.ContainsFunc(step.Options, func(o guide.Option) bool { return o.ID == id && o.Exclusive })
	}
	if len(ids) == 1 && isExclusive(ids[0]) {
		return ids
	}
	selected := slices.Clone(ids)
	for _, id := range others {
		if len(selected) >= step.MinSelect {
			break
		}
		if !slices.Contains(selected, id) && !isExclusive(id) {
			selected = append(selected, id)
		}
	}
	if step.MaxSelect > 0 && len(selected) > step.MaxSelect {
		selected = selected[:step.MaxSelect]
	}
	return selected
}

// ratings returns answers to a matrix: each column for all rows, and for each row that is named.
func (n *needs) ratings(step interview.Step) (all []interview.Answer) {
	for _, column := range step.Options {
		all = append(all, rated(step, column.ID, func(guide.Row) bool { return true }))
	}
	for _, named := range step.Item.Rows {
		if n.cells[step.Item.ID][named.Text] {
			for _, column := range step.Options {
				all = append(all, rated(step, column.ID, func(r guide.Row) bool { return r.ID == named.ID }))
			}
		}
	}
	return all
}

// rated gives a column to some rows, and the first one to the others.
func rated(step interview.Step, column string, some func(guide.Row) bool) interview.Answer {
	cells := map[string]string{}
	for _, r := range step.Item.Rows {
		if cells[r.ID] = step.Options[0].ID; some(r) {
			cells[r.ID] = column
		}
	}
	return interview.Answer{Cells: cells}
}

// anyAnswer returns an answer that fits a step and ends no interview that can go on.
func anyAnswer(step interview.Step) interview.Answer {
	if step.Kind == interview.StepFollowUp {
		return interview.Answer{Text: "…"}
	}
	switch step.Item.Type {
	case guide.OpenEnded:
		return interview.Answer{Text: "…"}
	case guide.FileUpload:
		return interview.Answer{Uploads: []string{"preview"}}
	case guide.MultipleChoice:
		var ids []string
		for _, o := range step.Options {
			if o.Status != guide.Reject {
				ids = append(ids, o.ID)
			}
		}
		if len(ids) == 0 {
			if len(step.Options) == 0 {
				return interview.Answer{CustomText: "…"}
			}
			ids = []string{step.Options[0].ID}
		}
		return interview.Answer{Selected: filled(step, ids[:1], ids)}
	case guide.Ranking:
		var ids []string
		for _, o := range step.Options {
			ids = append(ids, o.ID)
		}
		return interview.Answer{Ranking: ids}
	case guide.Matrix:
		return rated(step, "", func(guide.Row) bool { return false })
	case guide.MaxDiff:
		return interview.Answer{Best: step.Options[0].ID, Worst: step.Options[len(step.Options)-1].ID}
	}
	return interview.Answer{}
}
