package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"verbatim/internal/domain/study"
)

// ItemFilter selects items of a study. Hidden ones are left out.
type ItemFilter struct {
	OrgID, Study string    // the study is named as for StudyByRef
	From         time.Time // updated at or after; zero: no bound
	AnalysedOnly bool
	Offset       int
	Limit        int
}

// ItemPage is one page of a filter. It is found without reading documents, which NextItems then reads from the start to the
// end.
type ItemPage struct {
	Total   int     // items that match the filter, over all pages
	Count   int     // items of the page
	Bytes   int     // size of their list documents together
	Largest int     // size of the largest of them
	Running int     // items of the page that are not analysed yet and may still grow
	State   []int64 // changes whenever an item of the page does, for an ETag

	filter     ItemFilter
	studyID    string
	next, last int        // readable ids of a page that is not listed
	bytesRead  int        // bytes of the list documents that were read
	left       int        // at most this many items are still to be read
	listed     []pageItem // the items of a page by time that are still to be read
	asOf       int64      // the latest update when a page by time was found

	ranges        int        // ranges opened since the last one that expired; see itemRange
	expiredRanges int        // ranges that expired because their reader was too slow
	open          *itemRange // nil: none
}

// pageItem is an item of a page by time.
type pageItem struct{ readableID, bytes int }

// Three tricks for the planners are used below. The time and the limit of a poll are selected, because PostgreSQL would plan the statement
// again for each value, which takes longer than to run it: it hopes for a better plan than the one it keeps. Limits are cast, because SQLite plans a statement again for each value of a bare
// parameter behind limit, but not behind a cast. And the study is selected as materialized, so that it is looked up once.

// ItemPage finds a page; study.ErrNotFound, org.ErrUnverified. It costs the same however deep the page lies. With a bound on
// the time it costs an index entry for each item updated since then.
func (v *View) ItemPage(ctx context.Context, f ItemFilter) (*ItemPage, error) {
	named, ref, err := namedStudy(f.Study)
	if err != nil {
		return nil, v.orUnproven(err)
	}
	p := &ItemPage{filter: f}
	args := []any{ref, f.OrgID, v.unproven, micros(v.now()), !f.AnalysedOnly}
	if f.From.IsZero() {
		err = v.pageByNumber(ctx, p, named, args)
	} else {
		err = v.pageByTime(ctx, p, named, args)
	}
	if err == nil && p.studyID == "" {
		err = v.orUnproven(study.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Done reports whether nothing of the page is left to be read.
func (p *ItemPage) Done() bool { return p.left == 0 }

// pageByNumber finds the first item by the counts of the buckets, and from there reads only the page's index entries. It is
// one statement, because a database may be far away.
func (v *View) pageByNumber(ctx context.Context, p *ItemPage, named string, args []any) error {
	f := p.filter
	counted := `live`
	if f.AnalysedOnly {
		counted = `analysed`
	}
	var updated, mixed, versions int64
	// Each update of an item takes a time that is new to the study, so it changes the latest time of the page. An item that
	// enters or leaves the page without an update changes the count, the ends, or the sum that mixes readable ids and times.
	err := v.queryRow(ctx, []any{
		&p.studyID, &p.Total, &p.Count, &p.next, &p.last, &updated, &mixed, &versions, &p.Bytes, &p.Largest, &p.Running,
	}, `with named as materialized (`+named+` and `+keyValid+`), `+pathTo(counted)+`,
		page as (
			select readable_id, updated_at, version, list_bytes, analysed
			from response_item
			where study_id = (select id from named) and readable_id >= (select bucket * 1024 from small)
				and not hidden and (analysed or $5)
			order by readable_id
			limit cast($7 as bigint) offset coalesce((select skip from small), 0)
		)
		select coalesce((select id from named), ''), (select coalesce(sum(items), 0) from larges),
			count(*), coalesce(min(readable_id), 0), coalesce(max(readable_id), 0), coalesce(max(updated_at), 0),
			cast(coalesce(sum((updated_at * 31 + readable_id * 7919) % 2147483647), 0) as bigint),
			cast(coalesce(sum(version), 0) as bigint), cast(coalesce(sum(list_bytes), 0) as bigint), coalesce(max(list_bytes), 0),
			count(*) filter (where not analysed)
		from page`,
		append(args, f.Offset, f.Limit)...)
	p.left = p.Count
	p.State = []int64{int64(p.next), int64(p.last), int64(p.Count), updated, mixed, versions, int64(p.Bytes)}
	if p.Count == 0 {
		p.State = nil
	}
	return err
}

// pathTo returns common table expressions that descend through the counts to the bucket of the item that has $6 items before
// it. The last expression, named small, selects that bucket and how many of its items to skip; with too few items, the last
// bucket.
func pathTo(counted string) string {
	level := func(name, size, within string) string {
		before, from, where := `cast($6 as bigint)`, ``, ``
		if within != "" {
			before = within + `.skip`
			where = ` and t.bucket between ` + within + `.bucket * 32 and ` + within + `.bucket * 32 + 31`
			from = within + ` cross join `
		}
		return name + `s as (select t.bucket, t.` + counted + ` as items, ` + before + ` as skip,
				sum(cast(t.` + counted + ` as integer)) over (order by t.bucket) - t.` + counted + ` as before
			from ` + from + `item_tally t where t.study_id = (select id from named) and t.size = ` + size + ` and t.` + counted + ` > 0` + where + `),
		` + name + ` as (select bucket, cast(skip - before as bigint) as skip from ` + name + `s where before <= skip order by bucket desc limit 1)`
	}
	return level("large", "1048576", "") + `, ` + level("middle", "32768", "large") + `, ` + level("small", "1024", "middle")
}

// itemState is one state of an item.
type itemState struct {
	readableID         int
	updatedAt, version int64
	bytes              int
	analysed           bool
	studyID            string // set in the row that names the study, which is no item
}

func scanItemState(r scanner) (m itemState, err error) {
	return m, r.Scan(&m.readableID, &m.updatedAt, &m.version, &m.bytes, &m.analysed, &m.studyID)
}

const selectItemStates = `select readable_id, updated_at, version, list_bytes, analysed, ''
	from response_item
	where study_id = $1 and not hidden and (analysed or $2) and `

// maxSortedUpdates is how many items a poll may find that are sorted here.
const maxSortedUpdates = 1000

// pageByTime finds what was updated since a time. A poll usually finds little, and reads it all from the index by time. If
// there is more, the database sorts the page out of that index, or, if it is most of the study, reads it in order from the
// other index: then nothing is sorted at all.
func (v *View) pageByTime(ctx context.Context, p *ItemPage, study string, args []any) error {
	f := p.filter
	states, err := collect(ctx, v, scanItemState, `with named as materialized (`+study+` and `+keyValid+`)
		select readable_id, updated_at, version, list_bytes, analysed, ''
		from (
			select readable_id, updated_at, version, list_bytes, analysed
			from response_item
			where study_id = (select id from named) and not hidden and (analysed or $5) and updated_at >= (select cast($6 as bigint))
			order by updated_at
			limit (select cast($7 as bigint))
		) page
		union all select 0, 0, 0, 0, false, id from named`, append(args, f.From.UnixMicro(), maxSortedUpdates+1)...)
	if err != nil {
		return err
	}
	named := slices.IndexFunc(states, func(m itemState) bool { return m.studyID != "" })
	if named < 0 {
		return nil
	}
	p.studyID = states[named].studyID
	states = slices.Delete(states, named, named+1)
	p.Total = len(states)
	for _, m := range states {
		p.asOf = max(p.asOf, m.updatedAt)
	}
	if len(states) <= maxSortedUpdates {
		slices.SortFunc(states, func(a, b itemState) int { return cmp.Compare(a.readableID, b.readableID) })
		p.list(states[min(f.Offset, len(states)):min(f.Offset+f.Limit, len(states))])
		return nil
	}
	args = []any{p.studyID, !f.AnalysedOnly, f.From.UnixMicro()}
	if err := v.q.QueryRowContext(ctx, `select count(*), coalesce(max(updated_at), 0)
		from response_item
		where study_id = $1 and not hidden and (analysed or $2)
			and updated_at >= $3`, args...).Scan(&p.Total, &p.asOf); err != nil || f.Offset >= p.Total {
		return err
	}
	counted := `live`
	if f.AnalysedOnly {
		counted = `analysed`
	}
	var all int
	if err := v.q.QueryRowContext(ctx, `select coalesce(sum(`+counted+`), 0) from item_tally where study_id = $1 and size = 1048576`, p.studyID).Scan(&all); err != nil {
		return err
	}
	since := `updated_at >= $3`
	if p.Total > all/8 {
		since = `updated_at + 0 >= $3` // no index has this sum, so the one by readable id is used
	}
	if states, err = collect(ctx, v, scanItemState, selectItemStates+since+` order by readable_id limit cast($4 as bigint) offset cast($5 as bigint)`, append(args, f.Limit, f.Offset)...); err != nil {
		return err
	}
	p.list(states)
	return nil
}

// list makes the page consist of these items.
func (p *ItemPage) list(states []itemState) {
	p.Count, p.left = len(states), len(states)
	p.listed, p.State = make([]pageItem, 0, len(states)), make([]int64, 0, 3*len(states))
	for _, m := range states {
		p.listed = append(p.listed, pageItem{m.readableID, m.bytes})
		p.State = append(p.State, int64(m.readableID), m.updatedAt, m.version)
		p.Bytes += m.bytes
		p.Largest = max(p.Largest, m.bytes)
		if !m.analysed {
			p.Running++
		}
	}
}
