package workingcopy

import (
	"slices"
	"strconv"

	"verbatim/internal/domain/strictjson"
)

// Part names what of a guide differs.
type Part string

// The parts.
const (
	PartSettings Part = "settings"
	PartBlock    Part = "block"
	PartItem     Part = "item"
	PartConcept  Part = "concept"
	PartOption   Part = "option"
	PartRow      Part = "row"
)

// ChangeKind names how a part differs.
type ChangeKind string

// The kinds of changes. A part that was moved and changed has two changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Moved   ChangeKind = "moved"
	Changed ChangeKind = "changed"
)

// Change is one difference between two copies.
type Change struct {
	Kind   ChangeKind
	Part   Part
	ID     string // empty for settings; of a row r1, r2, ...
	ItemID string // the item that it is, or belongs to; empty outside items
	Label  string // its text, cut
	Fields []Field
}

// Field is a key that differs. A string is given as it is, another value as JSON; nil where there is none.
type Field struct {
	Name          string
	Before, After *string
}

// maxLabel and maxField are the longest label and the longest value of a field, in characters.
const (
	maxLabel = 200
	maxField = 2000
)

// Compare returns the differences between two copies: in the order of the newer one, then what was removed from the older one. Of a
// part that was added or removed, what is in it is not listed, but for the items of a block.
func Compare(older, newer []byte) []Change {
	before, after := partsOf(older), partsOf(newer)
	was, is := index(before), index(after)
	moved := movedParts(before, after, was)
	var changes []Change
	for i := range after {
		now := &after[i]
		if is[now.key()] != i { // an id that is there twice: the first counts
			continue
		}
		place, existed := was[now.key()]
		if !existed {
			if !now.isInside(after, is, was) {
				changes = append(changes, now.change(Added))
			}
			continue
		}
		if moved[i] {
			changes = append(changes, now.change(Moved))
		}
		if fields := differing(before[place].fields, now.fields); len(fields) > 0 {
			change := now.change(Changed)
			change.Fields = fields
			changes = append(changes, change)
		}
	}
	for i := range before {
		then := &before[i]
		if _, exists := is[then.key()]; !exists && !then.isInside(before, was, is) {
			changes = append(changes, then.change(Removed))
		}
	}
	return changes
}

// part is a part of a copy.
type part struct {
	kind   Part
	id     string
	parent string // id of the item or block that it is in
	itemID string
	label  string
	fields []field
}

type field struct{ name, shown, canonical string }

type partKey struct {
	kind       Part
	parent, id string
}

// key identifies a part. Ids of blocks, items and concepts are unique in a guide, so those that move to another block keep their key.
func (p *part) key() partKey {
	k := partKey{p.kind, "", p.id}
	if p.kind == PartOption || p.kind == PartRow {
		k.parent = p.parent
	}
	return k
}

func (p *part) change(kind ChangeKind) Change {
	return Change{Kind: kind, Part: p.kind, ID: p.id, ItemID: p.itemID, Label: cut(p.label, maxLabel)}
}

// isInside reports whether a part is in an item, or as a concept in a block, that is among all and not in others.
func (p *part) isInside(all []part, places, others map[partKey]int) bool {
	var owner partKey
	switch p.kind {
	case PartOption, PartRow:
		owner = partKey{PartItem, "", p.parent}
	case PartConcept:
		owner = partKey{PartBlock, "", p.parent}
	default:
		return false
	}
	_, here := places[owner]
	_, there := others[owner]
	return here && !there && len(all) > 0
}

// index returns the places of parts. Of parts with the same key the first counts.
func index(parts []part) map[partKey]int {
	places := make(map[partKey]int, len(parts))
	for i := range parts {
		if _, twice := places[parts[i].key()]; !twice {
			places[parts[i].key()] = i
		}
	}
	return places
}

// movedParts returns which parts of the newer copy stand elsewhere: in another parent, or before or after another of its siblings.
func movedParts(before, after []part, was map[partKey]int) map[int]bool {
	moved := map[int]bool{}
	type group struct {
		kind   Part
		parent string
	}
	siblings := map[group][]int{}
	for i := range after {
		place, existed := was[after[i].key()]
		switch {
		case !existed || after[i].kind == PartRow:
		case before[place].parent != after[i].parent:
			moved[i] = true
		default:
			g := group{after[i].kind, after[i].parent}
			siblings[g] = append(siblings[g], i)
		}
	}
	for _, group := range siblings {
		places := make([]int, len(group))
		for n, i := range group {
			places[n] = was[after[i].key()]
		}
		for n, stays := range longestIncreasing(places) {
			if !stays {
				moved[group[n]] = true
			}
		}
	}
	return moved
}

// longestIncreasing marks the elements of a longest increasing subsequence.
func longestIncreasing(numbers []int) []bool {
	ends, previous := []int{}, make([]int, len(numbers)) // ends[k] is the index of the least end of a subsequence of k+1 elements
	for i, n := range numbers {
		k, _ := slices.BinarySearchFunc(ends, n, func(end, n int) int { return numbers[end] - n })
		previous[i] = -1
		if k > 0 {
			previous[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	stays := make([]bool, len(numbers))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = previous[i] {
			stays[i] = true
		}
	}
	return stays
}

// differing returns the fields that differ, in the newer order, then those that are gone.
func differing(before, after []field) (fields []Field) {
	find := func(all []field, name string) *field {
		if i := slices.IndexFunc(all, func(f field) bool { return f.name == name }); i >= 0 {
			return &all[i]
		}
		return nil
	}
	for i := range after {
		then := find(before, after[i].name)
		if then == nil || then.canonical != after[i].canonical {
			fields = append(fields, Field{after[i].name, then.show(), after[i].show()})
		}
	}
	for i := range before {
		if find(after, before[i].name) == nil {
			fields = append(fields, Field{before[i].name, before[i].show(), nil})
		}
	}
	return fields
}

func (f *field) show() *string {
	if f == nil {
		return nil
	}
	shown := cut(f.shown, maxField)
	return &shown
}

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// partsOf lists the parts of a copy, in its order; none of what is not a copy.
func partsOf(body []byte) []part {
	v, err := strictjson.Trusted.Parse(body)
	if err != nil || v.Kind != strictjson.Map {
		return nil
	}
	settings := part{kind: PartSettings}
	settings.read("", v, "studyGuide")
	parts := []part{settings}
	eachObject(member(v, "studyGuide"), func(b *strictjson.Value, _ int) {
		parts = append(parts, blockParts(b)...)
	})
	return parts
}

func blockParts(b *strictjson.Value) []part {
	id := text(b, "externalId")
	self := part{kind: PartBlock, id: id, label: text(b, "title")}
	self.read("", b, "externalId", "items", "concepts")
	parts := []part{self}
	eachObject(member(member(b, "conceptSamplingConfig"), "concepts"), func(c *strictjson.Value, _ int) {
		p := part{kind: PartConcept, id: text(c, "externalId"), parent: id, label: text(c, "nickname")}
		if p.label == "" {
			p.label = text(member(c, "content"), "title")
		}
		p.read("", c, "externalId")
		parts = append(parts, p)
	})
	eachObject(member(b, "items"), func(it *strictjson.Value, _ int) {
		itemID := text(it, "externalId")
		p := part{kind: PartItem, id: itemID, parent: id, itemID: itemID, label: text(it, "text")}
		p.read("", it, "externalId", "options", "rows")
		parts = append(parts, p)
		eachObject(member(it, "options"), func(o *strictjson.Value, _ int) {
			p := part{kind: PartOption, id: text(o, "externalId"), parent: itemID, itemID: itemID, label: text(o, "text")}
			p.read("", o, "externalId")
			parts = append(parts, p)
		})
		eachObject(member(it, "rows"), func(r *strictjson.Value, n int) {
			p := part{kind: PartRow, id: "r" + strconv.Itoa(n+1), parent: itemID, itemID: itemID, label: text(r, "text")}
			p.read("", r)
			parts = append(parts, p)
		})
	})
	return parts
}

func eachObject(v *strictjson.Value, do func(v *strictjson.Value, n int)) {
	if v == nil || v.Kind != strictjson.Array {
		return
	}
	elements := v.Elements()
	for i := range elements {
		if elements[i].Kind == strictjson.Map {
			do(&elements[i], i)
		}
	}
}

// read adds the fields of an object but for some keys. Objects in it are read as fields with dots in their names, but for conditions.
// Null is the same as nothing.
func (p *part) read(prefix string, v *strictjson.Value, but ...string) {
	members := v.Members()
	for i := range members {
		m := &members[i]
		switch {
		case slices.Contains(but, m.Key) || m.Value.Kind == strictjson.Null:
		case m.Value.Kind == strictjson.Map && m.Key != "conditional":
			p.read(prefix+m.Key+".", &m.Value, but...)
		case m.Value.Kind == strictjson.String:
			p.fields = append(p.fields, field{prefix + m.Key, m.Value.Text, m.Value.Text})
		default:
			p.fields = append(p.fields, field{prefix + m.Key, string(encode(&m.Value)), string(strictjson.Canonical(&m.Value))})
		}
	}
}
