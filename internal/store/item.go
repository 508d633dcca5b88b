package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"verbatim/internal/document"
	"verbatim/internal/response"
)

// Item is what the API says of a response, as finished bytes, with what lists and look-ups go by.
type Item struct {
	StudyID    string
	ReadableID int
	ResponseID string
	UpdatedAt  time.Time
	Analysed   bool
	Hidden     bool
	Version    int // of the projection
	List       []byte
	Single     []byte
}

// NextUpdate is the transaction's time for a study's items: later than every one handed out before, even where the
// clock was set back, so that whoever polls by time misses nothing.
func (tx *Tx) NextUpdate(ctx context.Context, studyID string) (time.Time, error) {
	var last time.Time
	if err := tx.q.QueryRowContext(ctx, `select max(updated_at) from response_item where study_id = $1`, studyID).Scan(moment{&last}); err != nil {
		return time.Time{}, err
	}
	if tx.at.After(last) {
		return tx.at, nil
	}
	return last.Add(time.Microsecond), nil
}

// PutItem stores the documents of a response in place of earlier ones; response.ErrGone once it is deleted, so that work
// under way cannot bring it back.
func (tx *Tx) PutItem(ctx context.Context, it Item) error {
	n, err := tx.exec(ctx, `insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item)
		select $1, $2, $3, $4, $5, $6, $7, $8, $9 where not exists (select 1 from deletion where response_id = $3)
		on conflict (study_id, readable_id) do update set updated_at = excluded.updated_at, analysed = excluded.analysed, hidden = excluded.hidden,
		version = excluded.version, list_item = excluded.list_item, single_item = excluded.single_item`,
		it.StudyID, it.ReadableID, it.ResponseID, micros(it.UpdatedAt), it.Analysed, it.Hidden, it.Version, string(it.List), string(it.Single))
	if err == nil && n == 0 {
		return response.ErrGone
	}
	return err
}

// ItemFilter selects items of a study that the caller has found to be its organization's. Hidden ones are left out.
type ItemFilter struct {
	StudyID      string
	From         time.Time // updated at or after; zero: no bound
	AnalysedOnly bool
	Offset       int
	Limit        int
}

// matching is what all statements share, with its arguments. Without a bound on the time it must not speak of the time,
// or the planner would sort a whole study that it reads by an index of times.
func (f ItemFilter) matching() (from string, args []any) {
	from, args = ` from response_item where study_id = $1 and not hidden and (analysed or $2)`, []any{f.StudyID, !f.AnalysedOnly}
	if f.From.IsZero() {
		return from, args
	}
	return from + ` and updated_at >= $3`, append(args, f.From.UnixMicro())
}

// page selects the items of the page. The ids are found in an index that holds all the filter looks at, so that no
// document is read but those of the page.
func (f ItemFilter) page(columns string) (query string, args []any) {
	from, args := f.matching()
	n := len(args)
	return fmt.Sprintf(`select %s from response_item where study_id = $1
		and readable_id in (select readable_id%s order by readable_id limit $%d offset $%d)
		order by readable_id`, columns, from, n+1, n+2), append(args, f.Limit, f.Offset)
}

// CountItems counts what a filter leaves, whatever its page.
func (v *View) CountItems(ctx context.Context, f ItemFilter) (n int, err error) {
	from, args := f.matching()
	err = v.q.QueryRowContext(ctx, `select count(*)`+from, args...).Scan(&n)
	return n, err
}

// ItemMark identifies one state of an item.
type ItemMark struct {
	ReadableID int
	UpdatedAt  int64 // microseconds UTC
	Version    int
}

// ItemMarks lists the states of a page's items, from which an ETag is made.
func (v *View) ItemMarks(ctx context.Context, f ItemFilter) ([]ItemMark, error) {
	query, args := f.page(`readable_id, updated_at, version`)
	return collect(ctx, v, func(r scanner) (m ItemMark, err error) {
		return m, r.Scan(&m.ReadableID, &m.UpdatedAt, &m.Version)
	}, query, args...)
}

// EachItem calls fn with the list document of each item of a page, in order of readable id. The bytes are valid only
// during the call.
func (v *View) EachItem(ctx context.Context, f ItemFilter, fn func(list []byte) error) error {
	query, args := f.page(`list_item`)
	rows, err := v.q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var list sql.RawBytes
		if err := rows.Scan(&list); err != nil {
			return err
		}
		if err := fn(list); err != nil {
			return err
		}
	}
	return rows.Err()
}

// ItemsBetween calls fn with the list document of each item of a filter whose readable id is from first to last, in that
// order; the filter's page does not count. The bytes are valid only during the call. A database connection is held
// meanwhile, so fn must not wait for a client.
func (v *View) ItemsBetween(ctx context.Context, f ItemFilter, first, last int, fn func(readableID int, list []byte) error) error {
	from, args := f.matching()
	n := len(args)
	rows, err := v.q.QueryContext(ctx, fmt.Sprintf(`select readable_id, list_item%s and readable_id between $%d and $%d order by readable_id`,
		from, n+1, n+2), append(args, first, last)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var readableID int
		var list sql.RawBytes
		if err := rows.Scan(&readableID, &list); err != nil {
			return err
		}
		if err := fn(readableID, list); err != nil {
			return err
		}
	}
	return rows.Err()
}

const selectItem = `select study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item from response_item `

func scanItem(r scanner) (it Item, err error) {
	return it, r.Scan(&it.StudyID, &it.ReadableID, &it.ResponseID, moment{&it.UpdatedAt}, &it.Analysed, &it.Hidden, &it.Version, &it.List, &it.Single)
}

// ItemByReadableID finds the documents of a response, hidden or not; response.ErrNotFound.
func (v *View) ItemByReadableID(ctx context.Context, studyID string, readableID int) (Item, error) {
	it, err := scanItem(v.q.QueryRowContext(ctx, selectItem+`where study_id = $1 and readable_id = $2`, studyID, readableID))
	return it, orElse(err, response.ErrNotFound)
}

// ItemByResponse finds the documents of a response, hidden or not; response.ErrNotFound.
func (v *View) ItemByResponse(ctx context.Context, studyID, responseID string) (Item, error) {
	it, err := scanItem(v.q.QueryRowContext(ctx, selectItem+`where response_id = $2 and study_id = $1`, studyID, responseID))
	return it, orElse(err, response.ErrNotFound)
}

// PutDocument encodes a response and stores its documents, in the transaction that changed it.
func (tx *Tx) PutDocument(ctx context.Context, src document.Source) error {
	r := src.Response
	return tx.PutItem(ctx, Item{
		StudyID: r.StudyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: r.UpdatedAt,
		Analysed: src.Analysis != nil, Hidden: r.Hidden, Version: document.Version,
		List: document.ListItem(src), Single: document.Single(src),
	})
}
