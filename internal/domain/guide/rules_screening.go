package guide

// oneScreeningBlockFirst checks that there is at most one screening block, and that it is the first block.
func oneScreeningBlockFirst(r *rules) {
	first := r.guide.ScreeningBlock()
	for b := range r.guide.Blocks {
		if b == 0 || r.guide.Blocks[b].Type != BlockScreening {
			continue
		}
		if first != &r.guide.Blocks[b] {
			r.report(blockPath(b), "there is more than one screening block; at most one is allowed, and it must be the first block")
		} else {
			r.report(blockPath(b), "a screening block must be the first block")
		}
	}
}

// screeningAsksChoices checks that screening blocks contain only multiple_choice items.
func screeningAsksChoices(r *rules) {
	for i := range r.items {
		if e := &r.items[i]; e.block.Type == BlockScreening && e.Type != MultipleChoice {
			r.report(e.path()+".type", "a screening block contains only multiple_choice items, not %s", e.Type)
		}
	}
}

// statusInScreeningAlone checks that every option of a screening block has a status, and that no other option has one.
func statusInScreeningAlone(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		for o := range e.Options {
			switch has := e.Options[o].Status != ""; {
			case e.block.Type == BlockScreening && !has:
				r.report(e.optionPath(o)+".status", "every option of a screening block needs a status: approve, reject or neutral")
			case e.block.Type != BlockScreening && has:
				r.report(e.optionPath(o)+".status", "outside screening blocks status must be null or omitted")
			}
		}
	}
}
