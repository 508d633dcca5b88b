package store

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// NextItems passes the page's next items to receive, in the order of readable ids, until receive reports that it has enough;
// the next call continues behind them. Items that were deleted or hidden since the page was found are left out. On a page by
// readable id, items that changed since are passed as they are now. On a page by time they are left out: the client would
// take their new time as its next updatedSince and miss items that changed before them. It gets them with its next poll. A
// change within the last rangeTime may go unnoticed; then the item is passed as it was before.
//
// The bytes are valid only during the call. A database connection is held meanwhile, so receive must not wait for a client.
// NextItems may wait for other readers while a write is active. A caller that stops before the page is Done calls Close.
func (v *View) NextItems(ctx context.Context, p *ItemPage, receive func(list []byte) (enough bool)) error {
	if !v.d.singleWriter() {
		return v.nextFromRange(ctx, p, receive)
	}
	done, err := v.readLimiter.read(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := v.queryRest(ctx, p)
	if err != nil {
		return err
	}
	defer result.rows.close()
	_, err = result.deliver(p, receive)
	return err
}

// itemResult is the result of one statement about a page.
type itemResult struct {
	rows  itemRows
	last  int // the last readable id that was queried; 0: not known
	found bool
}

// deliver passes rows to receive until it has enough. Otherwise it moves the page behind what was queried, whether or not it
// was found.
func (a *itemResult) deliver(p *ItemPage, receive func(list []byte) (enough bool)) (enough bool, err error) {
	err = a.rows.each(func(readableID int, list []byte) (stop bool) {
		a.found = true
		p.advance(readableID)
		p.bytesRead += len(list)
		enough = receive(list)
		return enough
	})
	if enough || err != nil {
		return enough, err
	}
	switch {
	case a.last > 0:
		p.advance(a.last)
	case !a.found:
		p.advance(p.last) // nothing is left
	}
	return false, nil
}

// itemRows runs a statement about a page: in a transaction or on SQLite through database/sql, else through pgx itself.
func (v *View) itemRows(ctx context.Context, query string, args ...any) (itemRows, error) {
	if v.items != nil {
		return v.items(ctx, query, args...)
	}
	rows, err := v.q.QueryContext(ctx, query, args...)
	return sqlItemRows{rows}, err
}

// listedBatch is how many items of a listed page one statement reads if a statement costs little.
const listedBatch = 32

// queryRest queries all that is left of the page: SQLite does not read what is not fetched.
func (v *View) queryRest(ctx context.Context, p *ItemPage) (a *itemResult, err error) {
	if p.listed != nil {
		return v.queryListed(ctx, p, min(listedBatch, len(p.listed)), listedBatch)
	}
	a = &itemResult{last: p.last}
	a.rows, err = v.itemRows(ctx, `select readable_id, `+v.d.document("list_item")+`
		from response_item
		where study_id = $1 and readable_id between $3 and $4 and not hidden and (analysed or $2)
		order by readable_id
		limit cast($5 as bigint)`, p.studyID, !p.filter.AnalysedOnly, p.next, p.last, p.left)
	return a, err
}

// queryListed queries the next n items of a listed page, in a statement with placeholders for places items.
func (v *View) queryListed(ctx context.Context, p *ItemPage, n, places int) (a *itemResult, err error) {
	a = &itemResult{last: p.listed[n-1].readableID}
	args := append(make([]any, 0, 3+places), p.studyID, !p.filter.AnalysedOnly, p.asOf)
	for i := range places {
		args = append(args, p.listed[min(i, n-1)].readableID)
	}
	// The sum makes the planner use the index of keys, not that by time.
	a.rows, err = v.itemRows(ctx, `select readable_id, `+v.d.document("list_item")+`
		from response_item
		where study_id = $1 and not hidden and (analysed or $2)
			and updated_at + 0 <= $3 and readable_id in `+v.d.placeholders(4, places)+`
		order by readable_id`, args...)
	return a, err
}

// Sizes of ranges, in bytes of list documents.
const (
	firstRange = 1 << 20
	laterRange = 4 << 20
	smallRange = 256 << 10 // for one call
)

// maxLate is how many ranges of a page may expire before its reader counts as slow: on a busy machine one may.
const maxLate = 1

// rangeTime is how long a range may stay open between calls of NextItems. Then its connection serves others.
const rangeTime = 250 * time.Millisecond

// itemRange is a result of PostgreSQL that is read in several calls of NextItems. The server sends a complete result, so each
// statement queries a bounded range; and as a statement costs a round trip, a range is longer than what one call takes.
type itemRange struct {
	*itemResult

	mu      sync.Mutex
	reading bool // NextItems is reading it, and closes it
	expired bool // rangeTime has passed
	kept    bool // it stays open between calls
	timer   *time.Timer
	done    func() // no longer counts for rangeLimiter
}

// nextFromRange is NextItems on an engine that sends everything that is queried.
func (v *View) nextFromRange(ctx context.Context, p *ItemPage, receive func(list []byte) (enough bool)) error {
	r := p.open
	if r == nil || !r.resume() {
		if r != nil {
			p.expiredRanges++
			p.ranges = 0
		}
		var err error
		if r, err = v.openRange(ctx, p); err != nil {
			return err
		}
	}
	p.open = nil
	enough, err := r.deliver(p, receive)
	if enough && !p.Done() && r.kept && r.pause() {
		p.open = r
		return nil
	}
	r.close()
	return err
}

// openRange queries the page's next items, as many as a range holds.
func (v *View) openRange(ctx context.Context, p *ItemPage) (r *itemRange, err error) {
	r = &itemRange{reading: true, done: func() {}}
	size := smallRange
	if p.Bytes > smallRange && p.expiredRanges <= maxLate {
		if done, ok := v.rangeLimiter.keep(); ok {
			r.done, r.kept = done, true
			if size = firstRange; p.ranges > 0 {
				size = laterRange
			}
		}
	}
	if !r.kept && p.Bytes > smallRange {
		if r.done, err = v.rangeLimiter.read(ctx); err != nil {
			return nil, err
		}
	}
	p.ranges++
	if r.itemResult, err = v.queryRange(ctx, p, size); err != nil {
		r.done()
		return nil, err
	}
	r.timer = time.AfterFunc(rangeTime, r.expire)
	return r, nil
}

// maxKeys bounds the items of a listed page in a range.
const maxKeys = 1024

// queryRange queries items of about size bytes together: at least one item, and none behind the one that exceeds size.
func (v *View) queryRange(ctx context.Context, p *ItemPage, size int) (a *itemResult, err error) {
	rest := p.Bytes - p.bytesRead
	if rest <= size+size/2 {
		size = max(size, rest) // a little more at once costs less than another statement
	}
	if p.listed != nil {
		n, places := 0, 1
		for bytes := 0; n < min(len(p.listed), maxKeys) && bytes < size; n++ {
			bytes += p.listed[n].bytes
		}
		for places < n { // a power of two makes few statements, which each connection prepares
			places *= 2
		}
		return v.queryListed(ctx, p, n, places)
	}
	if rest <= size {
		return v.queryRest(ctx, p)
	}
	// The inner select adds up sizes from the index alone, for spread times as many items as a range has on average.
	const spread = 8
	limit := min(p.left, 1+spread*size/max(1, p.Bytes/max(1, p.Count)))
	a = &itemResult{}
	a.rows, err = v.itemRows(ctx, `select readable_id, `+v.d.document("list_item")+`
		from response_item
		where study_id = $1 and not hidden and (analysed or $2)
			and readable_id between $3 and (
				select max(readable_id) from (
					select readable_id, sum(cast(list_bytes as integer)) over (order by readable_id) - list_bytes as before
					from response_item
					where study_id = $1 and readable_id between $3 and $4 and not hidden and (analysed or $2)
					order by readable_id
					limit cast($5 as bigint)
				) sizes
				where before < $6
			)
		order by readable_id`, p.studyID, !p.filter.AnalysedOnly, p.next, p.last, limit, size)
	return a, err
}

// resume lets NextItems read on; false if the range is closed.
func (r *itemRange) resume() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = !r.expired
	return r.reading
}

// pause keeps the range open until the next call; false if its time has passed.
func (r *itemRange) pause() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = false
	return !r.expired
}

// expire closes the range, unless NextItems is reading it: then NextItems closes it.
func (r *itemRange) expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expired = true
	if !r.reading {
		r.rows.close()
		r.done()
	}
}

func (r *itemRange) close() {
	r.timer.Stop()
	r.rows.close()
	r.done()
}

// Close closes what is open of a page that was not read to its end.
func (p *ItemPage) Close() {
	if r := p.open; r != nil {
		p.open = nil
		if r.resume() {
			r.close()
		}
	}
}

// advance moves the page behind a readable id.
func (p *ItemPage) advance(readableID int) {
	if p.listed != nil {
		behind, _ := slices.BinarySearchFunc(p.listed, readableID+1, func(l pageItem, id int) int { return cmp.Compare(l.readableID, id) })
		p.listed = p.listed[behind:]
		p.left = len(p.listed)
		return
	}
	p.left--
	if p.next = readableID + 1; p.next > p.last {
		p.left = 0
	}
}
