package reporting

import (
	"maps"
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/tables"
)

// funnel counts how far interviews came, and how long their items took.
type funnel struct {
	stages []*stage
	byID   map[string]*stage
	begun  int // interviews that reached an item
}

// stage is one item of the funnel. Its counts are of people, its times of answers.
type stage struct {
	number                     int // 0 if the published revision no longer has it
	text                       string
	kind                       guide.ItemType
	shown, passed              int
	left, running, screenedOut int      // interviews whose last item it was
	took                       []uint32 // milliseconds
	lastSeen                   int      // readable id of the person counted last
}

func newFunnel(s *schema) *funnel {
	f := &funnel{byID: map[string]*stage{}}
	f.addGuide(s.guide, true)
	for _, revision := range slices.Sorted(maps.Keys(s.revisions)) {
		f.addGuide(s.revisions[revision].Guide, false)
	}
	return f
}

func (f *funnel) addGuide(g *guide.Guide, published bool) {
	for place, item := range g.Items() {
		if f.byID[item.ID] != nil {
			continue
		}
		one := &stage{text: item.Text, kind: item.Type}
		if published {
			one.number = place.Number
		}
		f.byID[item.ID] = one
		f.stages = append(f.stages, one)
	}
}

// add counts one interview. Those that are hidden, were imported or cannot be read are left out.
func (f *funnel) add(a *answered) {
	var last *stage
	for i := range a.passages {
		p := &a.passages[i]
		one := f.byID[p.ItemID]
		if one == nil {
			continue
		}
		if last = one; one.lastSeen != a.ReadableID {
			one.lastSeen = a.ReadableID
			one.shown++
			if p.Done {
				one.passed++
			}
		}
		if p.Done && p.Took > 0 {
			one.took = append(one.took, uint32(min(p.Took, 1000*time.Hour)/time.Millisecond))
		}
	}
	if last == nil {
		return
	}
	f.begun++
	switch {
	case a.Progress == response.ScreenedOut:
		last.screenedOut++
	case a.Progress == response.Complete:
	case a.Abandoned:
		last.left++
	default:
		last.running++
	}
}

// section reports where people left, and how long the items took; nil if there was no interview.
func (f *funnel) section() *tables.Section {
	if f == nil || f.begun == 0 {
		return nil
	}
	s := &tables.Section{Key: "funnel", Heading: "Funnel and time per item"}
	t := tables.New("items", "How far people came", builtInSource, "label", "Item", "number", "Number", "type", "Type", "shown", "Shown to", "passed", "Answered or read by",
		"left", "Left here", "share", "Left here in %", "screenedOut", "Screened out here", "running", "Running, standing here", "median", "Median time in s", "p90", "Time of the slowest tenth in s, from")
	var worst, slowest *stage
	worstRow, slowestRow := 0, 0
	for _, one := range f.stages {
		if one.number == 0 && one.shown == 0 {
			continue
		}
		number, share := tables.None, tables.None
		if one.number > 0 {
			number = tables.Count(one.number)
		}
		if one.shown > 0 {
			share = tables.Percent(float64(one.left) / float64(one.shown))
		}
		slices.Sort(one.took)
		row := len(t.Rows)
		t.Add(tables.Text(one.text), number, tables.Text(string(one.kind)), tables.Count(one.shown), tables.Count(one.passed), tables.Count(one.left), share,
			tables.Count(one.screenedOut), tables.Count(one.running), one.quantile(5), one.quantile(9))
		if one.left > 0 && (worst == nil || one.left > worst.left) {
			worst, worstRow = one, row
		}
		if len(one.took) > 0 && (slowest == nil || one.median() > slowest.median()) {
			slowest, slowestRow = one, row
		}
	}
	s.Tables = append(s.Tables, t)
	if worst != nil {
		s.Say("Most people left at {}: {} of the {} who reached it.", t.At(worstRow, "label"), t.At(worstRow, "left"), t.At(worstRow, "shown"))
	}
	if slowest != nil {
		s.Say("{} took longest: {} seconds in the median.", t.At(slowestRow, "label"), t.At(slowestRow, "median"))
	}
	s.Say("Counted are all interviews that were not hidden or imported, also those that did not end. Times include follow-ups and pauses.")
	return s
}

func (o *stage) median() uint32 { return o.took[(len(o.took)*5-1)/10] }

// quantile returns a cell with a time in seconds that so many tenths of the answers did not exceed; took is sorted.
func (o *stage) quantile(tenths int) tables.Cell {
	if len(o.took) == 0 {
		return tables.None
	}
	return tables.Fixed(float64(o.took[(len(o.took)*tenths-1)/10])/1000, 1)
}

// fileTable adds how many files people handed in.
func (p *slice) fileTable(s *tables.Section) {
	t := tables.New("files"+p.key, "Files"+p.about, builtInSource, "answers", "Answers", "files", "Files")
	t.Add(tables.Count(p.answered), tables.Count(p.files))
	s.Tables = append(s.Tables, t)
	p.say(s, "{} answers have {} files.", t.At(0, "answers"), t.At(0, "files"))
}
