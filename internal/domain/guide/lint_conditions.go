package guide

import "maps"

// lintConditions finds conditionals that no participant can satisfy.
func lintConditions(ix *Index, advise adviser) {
	r := rules{Index: ix}
	for _, c := range r.conditions() {
		if why := r.neverHolds(&c); why != "" {
			advise(c.path, "This condition can never hold: %s.", why)
		}
	}
}

// neverHolds returns why a conditional cannot hold, or "" if it may.
func (r *rules) neverHolds(c *condition) string {
	possible := 0
	for i := range c.Criteria {
		why := r.screensOut(c, &c.Criteria[i])
		if why == "" {
			possible++
		} else if c.Operator == And {
			return why
		}
	}
	if possible == 0 {
		return "whoever chooses these options is screened out"
	}
	if c.Operator == And {
		return r.contradiction(c)
	}
	return ""
}

// screensOut returns why a criterion cannot hold because all options that it requires end the interview, or "".
func (r *rules) screensOut(c *condition, criterion *Criterion) string {
	source := r.source(c, criterion)
	if source == nil || criterion.Matching != MustSelect || source.block.Type != BlockScreening {
		return ""
	}
	for id := range r.chosen(source, criterion) {
		// The statuses are at the end of the chain; a custom option has none.
		i, written := r.namesOf(source.root).byID[id]
		if !written || source.root.Options[i].Status != Reject {
			return ""
		}
	}
	return "whoever chooses " + quote(criterion.Choices[0]) + " is screened out"
}

// contradiction looks for two criteria, joined by and, that exclude each other, and returns a description of them or "".
func (r *rules) contradiction(c *condition) string {
	for i := range c.Criteria {
		for j := range c.Criteria[:i] {
			a, b := &c.Criteria[j], &c.Criteria[i]
			switch {
			case a.Type != b.Type:
			case a.Type == SearchParam:
				if a.Parameter == b.Parameter && a.Value != b.Value {
					return "the parameter " + quote(a.Parameter) + " would need two values"
				}
			case a.QuestionID != b.QuestionID || a.MatrixRow != b.MatrixRow || !r.asksOnce(c, a):
			case r.exclude(r.byID[a.QuestionID], a, b):
				return "its criteria on " + quote(a.QuestionID) + " exclude each other"
			}
		}
	}
	return ""
}

// asksOnce reports whether the source has one answer here: a later block sees its answers about all concepts.
func (r *rules) asksOnce(c *condition, criterion *Criterion) bool {
	source := r.source(c, criterion)
	return source != nil && (source.block.Type != BlockConcept || source.place.Block == c.block)
}

func (r *rules) exclude(source *entry, a, b *Criterion) bool {
	first, second := r.chosen(source, a), r.chosen(source, b)
	shared, onlyFirst, onlySecond := 0, 0, 0
	for id := range first {
		if second[id] {
			shared++
		}
	}
	onlyFirst, onlySecond = len(first)-shared, len(second)-shared
	switch {
	case a.Matching == MustSelect && b.Matching == MustSelect:
		single := source.Type == Matrix || !source.MultiSelect
		return single && shared == 0
	case a.Matching == MustSelect:
		return onlyFirst == 0
	case b.Matching == MustSelect:
		return onlySecond == 0
	}
	return false
}

// chosen returns the ids of the source's options that a criterion refers to, see Guide.ChoiceIDs.
func (r *rules) chosen(source *entry, criterion *Criterion) map[string]bool {
	names, ids := r.namesOf(source.root), map[string]bool{}
	custom := map[string]bool{}
	for owner := range source.customOwners() {
		custom[CustomOptionID(owner.ID)] = true
	}
	for choice := range setOf(criterion.Choices) {
		if _, written := names.byID[choice]; written || custom[choice] {
			ids[choice] = true
			continue
		}
		for _, place := range names.byText[choice] {
			ids[source.root.Options[place].ID] = true
		}
		if choice == CustomOptionText {
			maps.Copy(ids, custom)
		}
	}
	return ids
}

func setOf(all []string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, element := range all {
		set[element] = true
	}
	return set
}
