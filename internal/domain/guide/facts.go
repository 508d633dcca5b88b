package guide

import (
	"iter"
	"slices"
)

// Place is the position of an item in its guide.
type Place struct {
	Block  int // index of its block
	Item   int // index within the block
	Number int // question number: 1-based over all items of the guide, screening and statements included
}

// Items iterates over all items in the order of the guide.
func (g *Guide) Items() iter.Seq2[Place, *Item] {
	return func(yield func(Place, *Item) bool) {
		number := 0
		for b := range g.Blocks {
			for i := range g.Blocks[b].Items {
				number++
				if !yield(Place{Block: b, Item: i, Number: number}, &g.Blocks[b].Items[i]) {
					return
				}
			}
		}
	}
}

// RejectingOptions returns the ids of the options that screen out, by the ids of their questions.
func (g *Guide) RejectingOptions() map[string][]string {
	rejects := map[string][]string{}
	for _, item := range g.Items() {
		for _, o := range item.Options {
			if o.Status == Reject {
				rejects[item.ID] = append(rejects[item.ID], o.ID)
			}
		}
	}
	return rejects
}

// Item finds an item by its id, with its place.
func (g *Guide) Item(id string) (*Item, Place, bool) {
	for place, item := range g.Items() {
		if item.ID == id {
			return item, place, true
		}
	}
	return nil, Place{}, false
}

// Concept finds a concept by its id, with the index of its block.
func (g *Guide) Concept(id string) (concept *Concept, block int, found bool) {
	for b := range g.Blocks {
		for c := range g.Blocks[b].Concepts() {
			if concept := &g.Blocks[b].Sampling.Concepts[c]; concept.ID == id {
				return concept, b, true
			}
		}
	}
	return nil, 0, false
}

// Concepts returns the concepts of a concept block, and nil for other blocks.
func (b *Block) Concepts() []Concept {
	if b.Sampling == nil {
		return nil
	}
	return b.Sampling.Concepts
}

// ScreeningBlock returns the block that qualifies participants, or nil.
func (g *Guide) ScreeningBlock() *Block {
	i := slices.IndexFunc(g.Blocks, func(b Block) bool { return b.Type == BlockScreening })
	if i < 0 {
		return nil
	}
	return &g.Blocks[i]
}

// IsScreener reports whether the item at a place qualifies participants.
func (g *Guide) IsScreener(p Place) bool { return g.Blocks[p.Block].Type == BlockScreening }
