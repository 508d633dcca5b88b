package interview

import "verbatim/internal/domain/guide"

// Plan is a compiled guide: every reference is resolved and every item is numbered. It is immutable and serves any number of
// interviews at once, so compile one per revision and keep it.
type Plan struct {
	blocks []planBlock
	items  []planItem     // of all blocks, in display order
	custom map[string]int // the items that allow a custom option, by that option's id
	quotas []planQuota
	target bool // the study has a target
}

type planBlock struct {
	*guide.Block
	first, end int         // its items are items[first:end]
	concepts   []condition // conditions of its concepts, in their order
}

type planItem struct {
	*guide.Item
	block       int
	shown       condition
	carry       int            // the item that its options come from; none if they are its own
	root        int            // the item at the end of its chain of sources, where its options are written; itself if they are its own
	customOwner int            // the nearest item in that chain, itself included, that allows a custom option; or none
	custom      int            // number of items in that chain, itself included, that allow a custom option
	final       string         // id of the last option written at root
	rank        map[string]int // positions of its own options by id; nil if they are not needed
}

// none is the index of an item that does not exist.
const none = -1

// condition is a compiled guide.Conditional; the zero value always holds.
type condition struct {
	any   bool // one passing test is enough
	tests []test
}

// test is a compiled guide.Criterion.
type test struct {
	parameter, value string // of a link parameter; empty for a test of a selection

	source   int      // the item asked about, or none
	row      string   // id of the matrix row that is tested
	ids      []string // ids of the choices
	texts    []string // texts of choices that are named by text: all options with that text match
	selected bool     // one choice must be selected; otherwise none may be
}

// NewPlan compiles g, which must keep the guide's rules: references go to earlier items of the right type. A reference to an
// item that does not exist selects nothing. The work grows linearly with the size of the guide: what several items share,
// such as the options that they carry forward, is compiled once.
func NewPlan(g *guide.Guide) *Plan {
	count := 0
	for b := range g.Blocks {
		count += len(g.Blocks[b].Items)
	}
	c := compiler{
		plan:   &Plan{items: make([]planItem, 0, count), custom: map[string]int{}},
		places: make(map[string]int, count), rows: map[int]map[string]string{},
	}
	for b := range g.Blocks {
		c.block(&g.Blocks[b])
	}
	c.quotas(g)
	return c.plan
}

type compiler struct {
	plan   *Plan
	places map[string]int            // indexes in plan.items of the items compiled so far
	rows   map[int]map[string]string // row ids by text, of the matrices that conditions have tested so far
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
	place := len(c.plan.items)
	it := planItem{Item: item, block: len(c.plan.blocks), shown: c.condition(item.Conditional), carry: none, root: place, customOwner: none}
	if count := len(item.Options); count > 0 {
		it.final = item.Options[count-1].ID
	}
	if item.CarryForwardFrom != "" {
		it.carry = c.find(item.CarryForwardFrom)
	}
	if it.carry != none {
		source := &c.plan.items[it.carry]
		it.final, it.root, it.customOwner, it.custom = source.final, source.root, source.customOwner, source.custom
		c.rank(it.root)
	}
	if item.AllowCustomOption {
		it.customOwner = place
		it.custom++
		c.plan.custom[guide.CustomOptionID(item.ID)] = place
	}
	c.places[item.ID] = place
	c.plan.items = append(c.plan.items, it)
}

func (c *compiler) condition(conditional *guide.Conditional) condition {
	if conditional == nil {
		return condition{}
	}
	compiled := condition{any: conditional.Operator == guide.Or, tests: make([]test, len(conditional.Criteria))}
	for i := range conditional.Criteria {
		criterion, t := &conditional.Criteria[i], &compiled.tests[i]
		t.source = none
		if criterion.Type == guide.SearchParam {
			t.parameter, t.value = criterion.Parameter, criterion.Value
			continue
		}
		t.selected = criterion.Matching == guide.MustSelect
		if t.source = c.find(criterion.QuestionID); t.source == none {
			continue
		}
		t.row = c.row(t.source, criterion.MatrixRow)
		c.rank(c.plan.items[t.source].root)
		for _, choice := range criterion.Choices {
			if _, listed := c.plan.listed(&c.plan.items[t.source], choice); listed {
				t.ids = append(t.ids, choice)
			} else {
				t.texts = append(t.texts, choice)
			}
		}
	}
	return compiled
}

// rank numbers the options of an item, unless that is already done.
func (c *compiler) rank(item int) {
	it := &c.plan.items[item]
	if it.rank != nil {
		return
	}
	it.rank = make(map[string]int, len(it.Options))
	for i := range it.Options {
		it.rank[it.Options[i].ID] = i
	}
}

// row returns the id of the first matrix row with exactly this text, or "" if there is none.
func (c *compiler) row(item int, text string) string {
	rows := c.rows[item]
	if rows == nil {
		all := c.plan.items[item].Rows
		rows = make(map[string]string, len(all))
		for i := range all {
			if _, twice := rows[all[i].Text]; !twice {
				rows[all[i].Text] = all[i].ID
			}
		}
		c.rows[item] = rows
	}
	return rows[text]
}

// find returns the index of an earlier item, or none.
func (c *compiler) find(id string) int {
	if place, ok := c.places[id]; ok {
		return place
	}
	return none
}

// listed returns the position of an option among all that an item may ever show, in the guide's order: the item's own
// options or those written at the root of its chain of sources, then the custom options of the chain, from the root towards the
// item. Ids of custom options that were extended by a concept's id (see outlook.carried) are not listed. The item must carry options forward or
// be tested by a condition.
func (p *Plan) listed(it *planItem, id string) (rank int, listed bool) {
	root := &p.items[it.root]
	if rank, listed = root.rank[id]; listed {
		return rank, true
	}
	owner, custom := p.custom[id]
	if !custom {
		return 0, false
	}
	nearest := it.customOwner
	for nearest > owner { // sources come before the items that carry them
		carry := p.items[nearest].carry
		if carry == none {
			return 0, false
		}
		nearest = p.items[carry].customOwner
	}
	return len(root.Options) + p.items[owner].custom - 1, nearest == owner
}
