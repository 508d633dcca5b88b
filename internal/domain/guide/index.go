package guide

import (
	"iter"
	"slices"
)

// Index finds the items of a guide by their ids and resolves carry-forward, each chain once. Make one if you
// look up more than one thing. It is immutable, as its guide is.
type Index struct {
	guide *Guide
	items []entry
	byID  map[string]*entry // the first item of each id
}

// entry is an item with what the rules need to know about it.
type entry struct {
	*Item
	place       Place
	block       *Block
	source      *entry // the item it validly carries forward from, or nil
	root        *entry // the end of its chain of sources: itself if it has none
	customOwner *entry // the nearest item in its chain, itself included, that allows a custom option; or nil
	depth       int    // number of sources in its chain
	custom      int    // number of custom options it may show, those of its sources included
	own         int    // number of options written by participants that it may carry: custom ones, once for every concept that its sources are shown for
}

// NewIndex indexes a guide in one pass, in its order.
func NewIndex(g *Guide) *Index {
	count := 0
	for b := range g.Blocks {
		count += len(g.Blocks[b].Items)
	}
	ix := &Index{guide: g, items: make([]entry, 0, count), byID: make(map[string]*entry, count)}
	for place, item := range g.Items() {
		ix.items = append(ix.items, entry{Item: item, place: place, block: &g.Blocks[place.Block]})
		e := &ix.items[len(ix.items)-1]
		e.link(ix.byID[e.CarryForwardFrom])
		if ix.byID[e.ID] == nil {
			ix.byID[e.ID] = e
		}
	}
	return ix
}

// link resolves the item that e carries forward from: an earlier item, or nil.
func (e *entry) link(source *entry) {
	const many = 1 << 20 // enough to be refused; a product of more would overflow
	e.root = e
	if source != nil && canBeCarried(source) {
		e.source, e.root, e.customOwner = source, source.root, source.customOwner
		e.depth, e.custom, e.own = source.depth+1, source.custom, source.own
		if source.block != e.block {
			e.own = min(many, e.own*source.block.shownConcepts())
		}
	}
	if e.AllowCustomOption {
		e.customOwner = e
		e.custom++
		e.own++
	}
}

// customOwners iterates over the items of e's chain that allow a custom option, e first if it does.
func (e *entry) customOwners() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for link := e; link != nil && link.customOwner != nil && yield(link.customOwner); {
			link = link.customOwner.source
		}
	}
}

// Item finds an item by its id, with its place.
func (ix *Index) Item(id string) (*Item, Place, bool) {
	if e := ix.byID[id]; e != nil {
		return e.Item, e.place, true
	}
	return nil, Place{}, false
}

// EffectiveOptions returns all options that an item may ever show, in the guide's order: its own, or those of the item that
// it carries forward from, then its custom option if it allows one. Carried options have no screening status.
func (ix *Index) EffectiveOptions(item *Item) []Option {
	e := ix.entry(item)
	options := make([]Option, 0, len(e.root.Options)+e.custom)
	options = append(options, e.root.Options...)
	for i := range options {
		if e.root != e {
			options[i].Status = ""
		}
	}
	for owner := range e.customOwners() {
		options = append(options, Option{ID: CustomOptionID(owner.ID), Text: CustomOptionText})
	}
	slices.Reverse(options[len(e.root.Options):])
	if len(options) == 0 {
		return nil
	}
	return options
}

// OfferedOptions returns the options that the guide's author wrote for an item: its own, or those of the item that it
// carries forward from. The custom option is not included, since its text is written by the participant. The slice is
// shared: do not change it.
func (ix *Index) OfferedOptions(item *Item) []Option { return ix.entry(item).root.Options }

// entry returns the item's entry, or a new one for an item that the guide does not contain.
func (ix *Index) entry(item *Item) *entry {
	if e := ix.byID[item.ID]; e != nil && e.Item == item {
		return e
	}
	e := &entry{Item: item, block: &Block{}}
	e.link(ix.byID[item.CarryForwardFrom])
	return e
}

// optionNames holds the names by which criteria may refer to the options of an item.
type optionNames struct {
	byID   map[string]int   // the option's position
	byText map[string][]int // positions of all options with that text
}

func namesOf(options []Option) *optionNames {
	names := &optionNames{byID: make(map[string]int, len(options)), byText: make(map[string][]int, len(options))}
	for i := range options {
		if _, twice := names.byID[options[i].ID]; !twice {
			names.byID[options[i].ID] = i
		}
		names.byText[options[i].Text] = append(names.byText[options[i].Text], i)
	}
	return names
}
