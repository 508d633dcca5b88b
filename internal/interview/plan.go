package interview

import "verbatim/internal/guide"

// Plan is a guide made ready to be run: every reference resolved, every item numbered. It is immutable and serves any
// number of interviews at once, so make one for a revision and keep it.
type Plan struct {
	blocks []planBlock
	items  []planItem // of all blocks, in display order
}

type planBlock struct {
	*guide.Block
	first, end int         // its items are items[first:end]
	concepts   []condition // of its concepts, in their order
}

type planItem struct {
	*guide.Item
	block int
	shown condition
	carry int            // the item that its options come from; none for its own
	final string         // id of the last option written in the guide: its own, or that of the first item of the chain
	rank  map[string]int // where options are carried: their order in the guide, by id
}

// none stands where an item's place in the plan is missing.
const none = -1

// condition is a compiled guide.Conditional; the zero value always holds.
type condition struct {
	any   bool // one test is enough
	tests []test
}

// test is a compiled guide.Criterion.
type test struct {
	parameter, value string // of a parameter of the link; empty for a test of a selection

	source   int      // the item asked about, or none
	row      string   // id of the matrix row that it looks at
	choices  []string // option ids
	selected bool     // one choice must be selected; otherwise none may be
}

// NewPlan compiles g, which must keep the guide's rules: references go to earlier items of the right type. A reference
// to an item that is not there selects nothing.
func NewPlan(g *guide.Guide) *Plan {
	c := compiler{guide: g, plan: &Plan{}, places: map[string]int{}}
	for b := range g.Blocks {
		c.block(&g.Blocks[b])
	}
	return c.plan
}

type compiler struct {
	guide  *guide.Guide
	plan   *Plan
	places map[string]int // in plan.items, of the items so far
}

func (c *compiler) block(b *guide.Block) {
	block := planBlock{Block: b, first: len(c.plan.items)}
	for i := range b.Concepts() {
		block.concepts = append(block.concepts, c.condition(b.Sampling.Concepts[i].Conditional))
	}
	for i := range b.Items {
		c.item(&b.Items[i])
	}
	block.end = len(c.plan.items)
	c.plan.blocks = append(c.plan.blocks, block)
}

func (c *compiler) item(item *guide.Item) {
	it := planItem{Item: item, block: len(c.plan.blocks), shown: c.condition(item.Conditional), carry: none}
	if count := len(item.Options); count > 0 {
		it.final = item.Options[count-1].ID
	}
	if item.CarryForwardFrom != "" {
		if it.carry = c.find(item.CarryForwardFrom); it.carry != none {
			it.final = c.plan.items[it.carry].final
		}
		it.rank = map[string]int{}
		for i, option := range c.guide.EffectiveOptions(item) {
			it.rank[option.ID] = i
		}
	}
	c.places[item.ID] = len(c.plan.items)
	c.plan.items = append(c.plan.items, it)
}

func (c *compiler) condition(conditional *guide.Conditional) condition {
	if conditional == nil {
		return condition{}
	}
	compiled := condition{any: conditional.Operator == guide.Or}
	for _, criterion := range conditional.Criteria {
		t := test{source: none}
		if criterion.Type == guide.SearchParam {
			t.parameter, t.value = criterion.Parameter, criterion.Value
		} else {
			t.selected = criterion.Matching == guide.MustSelect
			if t.source = c.find(criterion.QuestionID); t.source != none {
				source := c.plan.items[t.source].Item
				t.row = source.RowID(criterion.MatrixRow)
				t.choices = c.guide.ChoiceIDs(source, criterion.Choices)
			}
		}
		compiled.tests = append(compiled.tests, t)
	}
	return compiled
}

// find is the place of an earlier item, or none.
func (c *compiler) find(id string) int {
	if place, ok := c.places[id]; ok {
		return place
	}
	return none
}
