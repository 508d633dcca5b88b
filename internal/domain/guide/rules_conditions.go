package guide

func canBeAskedAbout(e *entry) bool { return e.Type == MultipleChoice || e.Type == Matrix }

// conditionSources checks that an item's criterion asks about an earlier multiple_choice or matrix item.
func conditionSources(r *rules) {
	for _, c := range r.conditions() {
		if c.item != nil {
			r.checkSources(&c, func(source *entry) string {
				if source.place.Number >= c.item.place.Number {
					return "must be an earlier item"
				}
				return ""
			})
		}
	}
}

// conceptConditionSources checks that a concept's criterion asks about a multiple_choice or matrix item in a block before
// its own.
func conceptConditionSources(r *rules) {
	for _, c := range r.conditions() {
		if c.item == nil {
			r.checkSources(&c, func(source *entry) string {
				if source.place.Block >= c.block {
					return "must be an item in a block before the concept block"
				}
				return ""
			})
		}
	}
}

// checkSources reports the criteria of a conditional that have no source of the right type, or a misplaced one; misplaced
// returns what is wrong with the place, or "".
func (r *rules) checkSources(c *condition, misplaced func(source *entry) string) {
	for i := range c.Criteria {
		if c.Criteria[i].Type != SelectedTemplateOptions {
			continue
		}
		place, id := c.criterionPath(i)+".questionId", quote(c.Criteria[i].QuestionID)
		source := r.byID[c.Criteria[i].QuestionID]
		if source == nil {
			r.report(place, "no item has the externalId %s", id)
			continue
		}
		if how := misplaced(source); how != "" {
			r.report(place, "%s %s", id, how)
		}
		if !canBeAskedAbout(source) {
			r.report(place, "%s must be a multiple_choice or matrix item, not %s", id, source.Type)
		}
	}
}

// matrixRows checks that matrixRow names a row of a matrix source, and is omitted for any other source.
func matrixRows(r *rules) {
	known := map[*entry]map[string]bool{} // texts of a matrix's rows
	isRow := func(source *entry, text string) bool {
		if known[source] == nil {
			known[source] = make(map[string]bool, len(source.Rows))
			for i := range source.Rows {
				known[source][source.Rows[i].Text] = true
			}
		}
		return known[source][text]
	}
	for _, c := range r.conditions() {
		for i := range c.Criteria {
			row, source := c.Criteria[i].MatrixRow, r.source(&c, &c.Criteria[i])
			place := c.criterionPath(i) + ".matrixRow"
			switch {
			case source == nil:
			case source.Type == Matrix && row == "":
				r.report(place, "matrixRow is required, because %s is a matrix", quote(source.ID))
			case source.Type == Matrix && !isRow(source, row):
				r.report(place, "%s is no row of %s", quote(row), quote(source.ID))
			case source.Type != Matrix && row != "":
				r.report(place, "matrixRow must be omitted, because %s is no matrix", quote(source.ID))
			}
		}
	}
}
