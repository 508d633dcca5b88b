package guide

import (
	"strings"
	"time"
)

// Fieldwork limits when and for how long a study takes participants. It is an extension of the contract by this program: the object
// fieldwork of config.verbatim. The zero value limits nothing.
type Fieldwork struct {
	Target   int       // completed interviews that are wanted; 0: no limit
	StartsAt time.Time // zero: as soon as the study is live
	EndsAt   time.Time // nobody begins an interview from then on; zero: no end
}

// Quota limits how many participants take part in each cell of a grid. It is an extension of the contract by this program: an element
// of config.verbatim.quotas. Its cells are all combinations of one group of each dimension.
type Quota struct {
	ID         string // externalId, generated where omitted
	Title      string // internal label; may be empty
	Dimensions []Dimension
	Limit      *int // of each cell that Limits does not name; nil: such cells have no limit
	Limits     []CellLimit
	FullText   string // shown to participants whose cell is full; may be empty
}

// Dimension sorts participants into groups, by the options that they choose or by a parameter of their link.
type Dimension struct {
	QuestionID string // of a multiple_choice item; empty: by Parameter
	Parameter  string
	Groups     []Group
}

// Group is one range of a dimension, for example an age bracket.
type Group struct {
	ID     string   // externalId; unique within its dimension
	Title  string   // internal label; may be empty
	Values []string // options by id or text (choices), or values of the parameter (values)
}

// CellLimit is the limit of one cell.
type CellLimit struct {
	Groups   []string // ids of a group of each dimension, in their order
	Limit    int
	FullText string // in place of the quota's; may be empty
}

// CellRef names a cell of a quota. The zero value names the cell that every participant belongs to, which the target limits.
type CellRef struct {
	Quota string // id
	Cell  string // ids of its groups, joined by CellSeparator
}

// CellSeparator joins the ids of a cell's groups. No id of a group contains it.
const CellSeparator = "/"

// IsTarget reports whether the reference names the cell that the study's target limits.
func (c CellRef) IsTarget() bool { return c == CellRef{} }

// Cell is one cell of a quota, or the study as a whole.
type Cell struct {
	CellRef

	Limit    int
	FullText string // may be empty
}

// Quota finds a quota by its id, or returns nil.
func (g *Guide) Quota(id string) *Quota {
	for i := range g.Config.Quotas {
		if g.Config.Quotas[i].ID == id {
			return &g.Config.Quotas[i]
		}
	}
	return nil
}

// Cell finds the cell that a reference names. ok is false if the guide has none with a limit.
func (g *Guide) Cell(ref CellRef) (cell Cell, ok bool) {
	if ref.IsTarget() {
		return Cell{Limit: g.Config.Fieldwork.Target}, g.Config.Fieldwork.Target > 0
	}
	q := g.Quota(ref.Quota)
	if q == nil || !q.hasCell(ref.Cell) {
		return Cell{}, false
	}
	return q.cell(ref.Cell, q.limits())
}

// Cells returns every cell of a guide that has a limit: the study's target first, then quota by quota in the order of their groups.
func (g *Guide) Cells() (cells []Cell) {
	if cell, ok := g.Cell(CellRef{}); ok {
		cells = append(cells, cell)
	}
	for i := range g.Config.Quotas {
		q := &g.Config.Quotas[i]
		limits := q.limits()
		for _, id := range combinations(q.Dimensions) {
			if cell, ok := q.cell(id, limits); ok {
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

// limits returns the limits of single cells by the ids of the cells.
func (q *Quota) limits() map[string]*CellLimit {
	limits := make(map[string]*CellLimit, len(q.Limits))
	for i := range q.Limits {
		limits[strings.Join(q.Limits[i].Groups, CellSeparator)] = &q.Limits[i]
	}
	return limits
}

// cell returns the cell with an id. ok is false if it has no limit.
func (q *Quota) cell(id string, limits map[string]*CellLimit) (cell Cell, ok bool) {
	cell = Cell{CellRef: CellRef{Quota: q.ID, Cell: id}, FullText: q.FullText}
	if own := limits[id]; own != nil {
		cell.Limit = own.Limit
		if strings.TrimSpace(own.FullText) != "" {
			cell.FullText = own.FullText
		}
		return cell, true
	}
	if q.Limit == nil {
		return Cell{}, false
	}
	cell.Limit = *q.Limit
	return cell, true
}

func (q *Quota) hasCell(id string) bool {
	groups := strings.Split(id, CellSeparator)
	if len(groups) != len(q.Dimensions) {
		return false
	}
	for i := range groups {
		if q.Dimensions[i].group(groups[i]) == nil {
			return false
		}
	}
	return true
}

// combinations returns the ids of all cells of a grid.
func combinations(dimensions []Dimension) []string {
	ids := []string{""}
	for i := range dimensions {
		longer := make([]string, 0, len(ids)*len(dimensions[i].Groups))
		for _, id := range ids {
			for g := range dimensions[i].Groups {
				longer = append(longer, strings.TrimPrefix(id+CellSeparator+dimensions[i].Groups[g].ID, CellSeparator))
			}
		}
		ids = longer
	}
	return ids
}

// CellTitle returns the words for a cell in a table: the titles of its groups, or their ids where they have none.
func (g *Guide) CellTitle(ref CellRef) string {
	q := g.Quota(ref.Quota)
	if q == nil {
		return ref.Cell
	}
	titles := strings.Split(ref.Cell, CellSeparator)
	for i := range titles {
		if i >= len(q.Dimensions) {
			break
		}
		if group := q.Dimensions[i].group(titles[i]); group != nil && group.Title != "" {
			titles[i] = group.Title
		}
	}
	return strings.Join(titles, " × ")
}

func (d *Dimension) group(id string) *Group {
	for i := range d.Groups {
		if d.Groups[i].ID == id {
			return &d.Groups[i]
		}
	}
	return nil
}
