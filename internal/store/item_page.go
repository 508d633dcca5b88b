package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// ItemFilter selects items of a study that the caller has found to be its organization's. Hidden ones are left out.
type ItemFilter struct {
	StudyID      string
	From         time.Time // updated at or after; zero: no bound
	AnalysedOnly bool
	Offset       int
	Limit        int
}

// ItemPage is one page of a filter, found without its documents, which NextItems then reads from the start to the end.
type ItemPage struct {
	Total   int     // items that the filter leaves, over all pages
	Count   int     // items of the page
	Bytes   int     // of their list documents together
	Running int     // items of the page that are not analysed yet, so that they may still grow
	State   []int64 // differs whenever an item of the page does, for an ETag

	filter     ItemFilter
	next, last int        // readable ids; of a page that is not listed
	left       int        // at most so many items are still to be read
	listed     []pageItem // the items still to be read, of a page by time

	ranges int        // how many were opened; see itemRange
	slow   bool       // its reader was too slow for an open range
	open   *itemRange // nil: none
}

// pageItem is an item of a page by time.
type pageItem struct{ readableID, bytes int }

// A bare parameter behind limit has SQLite plan the statement anew for each value. Behind a cast it does not.

// ItemPage finds a page. It costs the same however deep the page lies; with a bound on the time it costs what the items
// updated since then do, an index entry for each.
func (v *View) ItemPage(ctx context.Context, f ItemFilter) (*ItemPage, error) {
	if f.From.IsZero() {
		return v.pageByNumber(ctx, f)
	}
	return v.pageByTime(ctx, f)
}

// Done tells that nothing of the page is left to be read.
func (p *ItemPage) Done() bool { return p.left == 0 }

// pageByNumber finds the first item by the counts of the runs, and reads nothing but index entries of the page from there.
func (v *View) pageByNumber(ctx context.Context, f ItemFilter) (*ItemPage, error) {
	at, err := v.find(ctx, f.StudyID, f.AnalysedOnly, f.Offset)
	p := &ItemPage{Total: at.total, filter: f}
	if err != nil || f.Offset >= at.total {
		return p, err
	}
	var updated, mixed, versions int64
	// Each update of an item takes a time that is new to the study, so it moves the latest of the page. Who enters or leaves
	// the page without one moves the count, the ends or the sum in which readable ids and times are mixed.
	err = v.q.QueryRowContext(ctx, `select count(*), coalesce(min(readable_id), 0), coalesce(max(readable_id), 0), coalesce(max(updated_at), 0),
			cast(coalesce(sum((updated_at * 31 + readable_id * 7919) % 2147483647), 0) as bigint), cast(coalesce(sum(version), 0) as bigint),
			cast(coalesce(sum(list_bytes), 0) as bigint), count(*) filter (where not analysed)
		from (select readable_id, updated_at, version, list_bytes, analysed from response_item
			where study_id = $1 and readable_id >= $2 and not hidden and (analysed or $3) order by readable_id limit cast($4 as bigint) offset cast($5 as bigint)) page`,
		f.StudyID, at.from, !f.AnalysedOnly, f.Limit, at.skip).
		Scan(&p.Count, &p.next, &p.last, &updated, &mixed, &versions, &p.Bytes, &p.Running)
	p.left = p.Count
	p.State = []int64{int64(p.next), int64(p.last), int64(p.Count), updated, mixed, versions, int64(p.Bytes)}
	return p, err
}

// itemMark is one state of an item.
type itemMark struct {
	readableID         int
	updatedAt, version int64
	bytes              int
	analysed           bool
}

func scanMark(r scanner) (m itemMark, err error) {
	return m, r.Scan(&m.readableID, &m.updatedAt, &m.version, &m.bytes, &m.analysed)
}

const selectMarks = `select readable_id, updated_at, version, list_bytes, analysed from response_item
	where study_id = $1 and not hidden and (analysed or $2) and `

// fewUpdates is how many items a poll may find that are sorted here.
const fewUpdates = 1000

// pageByTime finds what was updated since a time. A poll mostly finds little, and takes it all from the index of times.
// Where there is more, the page is sorted out of that index, or, where it is most of the study, read in order from the
// other index: then nothing is sorted at all.
func (v *View) pageByTime(ctx context.Context, f ItemFilter) (*ItemPage, error) {
	args := []any{f.StudyID, !f.AnalysedOnly, f.From.UnixMicro()}
	marks, err := collect(ctx, v, scanMark, selectMarks+`updated_at >= $3 order by updated_at limit cast($4 as bigint)`, append(args, fewUpdates+1)...)
	if err != nil {
		return nil, err
	}
	p := &ItemPage{Total: len(marks), filter: f}
	if len(marks) <= fewUpdates {
		slices.SortFunc(marks, func(a, b itemMark) int { return cmp.Compare(a.readableID, b.readableID) })
		marks = marks[min(f.Offset, len(marks)):min(f.Offset+f.Limit, len(marks))]
		p.list(marks)
		return p, nil
	}
	if err := v.q.QueryRowContext(ctx, `select count(*) from response_item where study_id = $1 and not hidden and (analysed or $2)
		and updated_at >= $3`, args...).Scan(&p.Total); err != nil || f.Offset >= p.Total {
		return p, err
	}
	all, err := v.find(ctx, f.StudyID, f.AnalysedOnly, 0)
	if err != nil {
		return nil, err
	}
	since := `updated_at >= $3`
	if p.Total > all.total/8 {
		since = `updated_at + 0 >= $3` // no index knows this sum, so the one in order of readable ids is taken
	}
	if marks, err = collect(ctx, v, scanMark, selectMarks+since+` order by readable_id limit cast($4 as bigint) offset cast($5 as bigint)`, append(args, f.Limit, f.Offset)...); err != nil {
		return nil, err
	}
	p.list(marks)
	return p, nil
}

// list makes the page of these items.
func (p *ItemPage) list(marks []itemMark) {
	p.Count, p.left = len(marks), len(marks)
	p.listed, p.State = make([]pageItem, 0, len(marks)), make([]int64, 0, 3*len(marks))
	for _, m := range marks {
		p.listed = append(p.listed, pageItem{m.readableID, m.bytes})
		p.State = append(p.State, int64(m.readableID), m.updatedAt, m.version)
		p.Bytes += m.bytes
		if !m.analysed {
			p.Running++
		}
	}
}
