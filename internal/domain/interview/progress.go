package interview

// progress counts the visited items and looks ahead: an item counts as long as no answer so far rules it out, so the total
// only ever shrinks and the completed share only ever grows.
func (s *State) progress() Progress {
	if s.ended != "" {
		return Progress{Done: s.asked, Total: s.asked}
	}
	o := outlook{State: s, ahead: make([]bool, len(s.plan.items))}
	o.ahead[s.at.item] = true
	total := s.asked + o.countPasses(s.at.block, s.at.pass, s.at.item+1, len(s.drawn))
	for block := s.at.block + 1; block < len(s.plan.blocks); block++ {
		total += o.countPasses(block, 0, s.plan.blocks[block].first, o.passesOf(block))
	}
	return Progress{Done: s.asked - 1, Total: total, Within: s.open().within()}
}

// passesOf returns how often a block ahead may be passed.
func (o outlook) passesOf(block int) int {
	b := &o.plan.blocks[block]
	if b.Sampling == nil {
		return 1
	}
	eligible := 0
	for i := range b.concepts {
		if o.holds(&b.concepts[i], place{block: block, item: b.first}) != no {
			eligible++
		}
	}
	return b.sample(eligible)
}

// countPasses counts the items from a given place in a block that may still be visited. A later pass knows no more than an
// earlier one, so what one pass rules out is ruled out for the rest of the block.
func (o outlook) countPasses(block, pass, item, passes int) int {
	count := 0
	for b := &o.plan.blocks[block]; pass < passes; pass++ {
		for ; item < b.end; item++ {
			judged, _ := o.outcome(place{block, pass, item})
			o.ahead[item] = judged == visited
			if judged == visited {
				count++
			}
		}
		item = b.first
	}
	return count
}
