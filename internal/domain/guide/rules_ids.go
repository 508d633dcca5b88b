package guide

// idsUnique checks that no externalId occurs twice among blocks, items and concepts.
func idsUnique(r *rules) {
	seen := map[string]string{}
	claim := func(id, place string) {
		if first, taken := seen[id]; taken {
			r.report(place+".externalId", "externalId %s is already used by %s", quote(id), first)
			return
		}
		seen[id] = place
	}
	for b := range r.guide.Blocks {
		block := &r.guide.Blocks[b]
		claim(block.ID, blockPath(b))
		for i := range block.Items {
			claim(block.Items[i].ID, itemPath(Place{Block: b, Item: i}))
		}
		for c, concept := range block.Concepts() {
			claim(concept.ID, conceptPath(b, c))
		}
	}
}

// optionIDsUnique checks that no externalId occurs twice among the options of an item, its custom option included.
func optionIDsUnique(r *rules) {
	for i := range r.items {
		e := &r.items[i]
		seen := make(map[string]bool, len(e.Options)+1)
		if e.AllowCustomOption {
			seen[CustomOptionID(e.ID)] = true
		}
		for o := range e.Options {
			id := e.Options[o].ID
			if seen[id] {
				r.report(e.optionPath(o)+".externalId", "externalId %s is used by another option of this item", quote(id))
			}
			seen[id] = true
		}
	}
}
