package guide

func canBeCarried(e *entry) bool { return e.Type == MultipleChoice && e.MultiSelect }

// optionsOrCarryForward checks that a multiple_choice or ranking item has options of its own, or carries options forward.
func optionsOrCarryForward(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		switch own, carried := len(e.Options) > 0, e.CarryForwardFrom != ""; {
		case e.Type != MultipleChoice && e.Type != Ranking:
		case own && carried:
			r.report(e.path()+".options", "options must be omitted when carryForwardFrom is set: they are inherited")
		case !own && !carried:
			r.report(e.path()+".options", "options are required unless carryForwardFrom is set")
		}
	}
}

// carryForwardSources checks that carryForwardFrom refers to an earlier multi-select multiple_choice item.
func carryForwardSources(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		if e.CarryForwardFrom == "" || e.source != nil {
			continue
		}
		place, id := e.path()+".carryForwardFrom", quote(e.CarryForwardFrom)
		switch source := r.byID[e.CarryForwardFrom]; {
		case source == nil:
			r.report(place, "no item has the externalId %s", id)
		case source.place.Number >= e.place.Number:
			r.report(place, "%s must be an earlier item", id)
		default:
			r.report(place, "%s must be a multiple_choice item with multiSelect true", id)
		}
	}
}
