package guide

// selectBounds checks that minSelect and maxSelect come together, only with multiSelect, the smaller first.
func selectBounds(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		if e.MinSelect == 0 && e.MaxSelect == 0 {
			continue
		}
		if e.MinSelect == 0 {
			r.report(e.path()+".minSelect", "minSelect and maxSelect are set together or omitted together")
		}
		if e.MaxSelect == 0 {
			r.report(e.path()+".maxSelect", "minSelect and maxSelect are set together or omitted together")
		}
		if !e.MultiSelect {
			r.report(e.path()+".multiSelect", "minSelect and maxSelect need multiSelect true")
		}
		if e.MaxSelect != 0 && e.MinSelect > e.MaxSelect {
			r.report(e.path()+".minSelect", "minSelect %d is larger than maxSelect %d", e.MinSelect, e.MaxSelect)
		}
	}
}

// minSelectWithinOptions checks that nobody is asked to select more options than there are. Carried options count, and
// custom ones.
func minSelectWithinOptions(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		if count := len(e.root.Options) + e.custom; e.resolved() && count > 0 && e.MinSelect > count {
			r.report(e.path()+".minSelect", "minSelect is %d, but there are only %d options", e.MinSelect, count)
		}
	}
}

// exclusiveIsFinal checks that exclusiveOption is set only on the final option of a multi-select multiple_choice item.
func exclusiveIsFinal(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		for o := range e.Options {
			switch {
			case !e.Options[o].Exclusive:
			case e.Type != MultipleChoice || !e.MultiSelect:
				r.report(e.optionPath(o)+".exclusiveOption", "exclusiveOption is only for multiple_choice items with multiSelect true")
			case o != len(e.Options)-1:
				r.report(e.optionPath(o)+".exclusiveOption", "exclusiveOption is only for the final option")
			}
		}
	}
}
