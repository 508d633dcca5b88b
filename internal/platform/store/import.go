package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// Imported is a response to an interview that was held elsewhere, ready to be stored.
type Imported struct {
	Response response.Response
	Analysed bool
	List     []byte // as document.Item encodes it; also the source from which the documents can be made again
	Single   []byte
}

// Import stores responses of a study with their search entries, documents and counts, and returns how many were new: one
// whose id exists already is left as it is. The caller has made sure that such a response is the same, and that no other
// response has one of the readable ids. response.ErrGone when one of them was deleted.
//
// Each table is written by one statement: SQLite keeps a copy of every page that a statement may have to restore, and the ids
// of an import are spread over the indexes.
func (tx *Tx) Import(ctx context.Context, studyID string, all []Imported) (stored int, err error) {
	if err := tx.lockStudy(ctx, studyID); err != nil || len(all) == 0 {
		return 0, err
	}
	fresh, err := tx.importResponses(ctx, all)
	if err != nil || len(fresh) == 0 {
		return 0, err
	}
	if err := tx.refuseDeleted(ctx, fresh); err != nil {
		return 0, err
	}
	var marks, items, params [][]any
	completed, bucketCounts := 0, map[int]itemCounts{}
	for _, in := range fresh {
		r := &in.Response
		marks = append(marks, []any{r.ID, ""})
		items = append(items, []any{
			r.StudyID, r.ReadableID, r.ID, micros(r.UpdatedAt), in.Analysed, r.Hidden, document.Version, string(in.List), string(in.Single), len(in.List),
		})
		params = append(params, searchEntries(r)...)
		if r.Progress == response.Complete {
			completed++
		}
		bucketStart := r.ReadableID / smallBucket * smallBucket
		counts, sum := countsOf(r.Hidden, in.Analysed), bucketCounts[bucketStart]
		bucketCounts[bucketStart] = itemCounts{sum.live + counts.live, sum.analysed + counts.analysed}
	}
	for _, into := range []struct {
		head string
		rows [][]any
	}{
		{`imported_item (response_id, body)`, marks},
		{`response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, list_bytes)`, items},
		{urlParamColumns, params},
	} {
		if err := tx.insert(ctx, into.head, into.rows); err != nil {
			return 0, err
		}
	}
	for _, bucketStart := range slices.Sorted(maps.Keys(bucketCounts)) {
		if err := tx.addItemCounts(ctx, studyID, bucketStart, bucketCounts[bucketStart]); err != nil {
			return 0, err
		}
	}
	return len(fresh), tx.CountCompleted(ctx, studyID, completed)
}

// importResponses inserts the rows of the responses and returns those that were new. They have no token, so its hash is empty.
// Those in progress are marked as abandoned, so that no sweep looks for a participant.
func (tx *Tx) importResponses(ctx context.Context, all []Imported) (fresh []Imported, err error) {
	rows := make([][]any, len(all))
	for i := range all {
		r := &all[i].Response
		params, err := json.Marshal(r.URLParams)
		if err != nil {
			return nil, err
		}
		created, updated := micros(r.CreatedAt), micros(r.UpdatedAt)
		rows[i] = []any{
			r.ID, r.OrgID, r.StudyID, r.Revision, r.ReadableID, "", 0, "", string(params), r.Progress, r.Progress == response.InProgress,
			r.Duration.Microseconds(), created, updated, updated, micros(r.EndedAt), created, created,
		}
	}
	list, args := tx.values(rows)
	added, err := collect(ctx, &tx.View, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress,
			abandoned, duration_us, created_at, updated_at, active_at, ended_at, disclosed_at, consented_at)
		values `+list+`
		on conflict (id) do nothing returning id`, args...)
	if err != nil {
		return nil, err
	}
	isNew := map[string]bool{}
	for _, id := range added {
		isNew[id] = true
	}
	for _, in := range all {
		if isNew[in.Response.ID] {
			fresh = append(fresh, in)
		}
	}
	return fresh, nil
}

func (tx *Tx) refuseDeleted(ctx context.Context, all []Imported) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].Response.ID
	}
	var gone bool
	err := tx.q.QueryRowContext(ctx, `select exists (select 1 from deletion where response_id in `+tx.d.placeholders(1, len(ids))+`)`, anySlice(ids)...).Scan(&gone)
	if err == nil && gone {
		return response.ErrGone
	}
	return err
}

const urlParamColumns = `url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id)`

// searchEntries returns the rows by which a response is found.
func searchEntries(r *response.Response) (rows [][]any) {
	for name, value := range r.VisibleParams() {
		rows = append(rows, []any{r.OrgID, name, value, micros(r.CreatedAt), r.ID, r.Hidden, r.StudyID, r.ReadableID})
	}
	return rows
}

// insert inserts rows, at most a thousand with one statement, because engines limit its arguments.
func (tx *Tx) insert(ctx context.Context, into string, rows [][]any) error {
	for some := range slices.Chunk(rows, 1000) {
		list, args := tx.values(some)
		if _, err := tx.exec(ctx, `insert into `+into+` values `+list, args...); err != nil {
			return err
		}
	}
	return nil
}

// values returns rows as ($1, $2), ($3, $4), and their arguments.
func (v *View) values(rows [][]any) (list string, args []any) {
	args = make([]any, 0, len(rows)*len(rows[0]))
	tuples := make([]string, len(rows))
	for i, row := range rows {
		tuples[i] = v.d.placeholders(len(args)+1, len(row))
		args = append(args, row...)
	}
	return strings.Join(tuples, ", "), args
}

// importedSource selects what was imported of a response; null if nothing was. It is the response's list document, which
// is not stored twice, until SaveSource stores it separately.
const importedSource = `case when i.response_id is not null then coalesce(nullif(i.body, ''), d.list_item, '') end
	from response r left join imported_item i on i.response_id = r.id left join response_item d on d.response_id = r.id `

// ImportedItem returns what was imported of a response; nil for a response that was not.
func (v *View) ImportedItem(ctx context.Context, responseID string) (body []byte, err error) {
	err = v.q.QueryRowContext(ctx, `select `+importedSource+`where r.id = $1`, responseID).Scan(&body)
	return body, noRowsAs(err, nil)
}

// SaveSource stores separately what was imported of a response, before its documents are written in another form. It does
// nothing to any other response.
func (tx *Tx) SaveSource(ctx context.Context, responseID string) error {
	_, err := tx.exec(ctx, `update imported_item
		set body = (select list_item from response_item where response_id = $1)
		where response_id = $1 and body = '' and exists (select 1 from response_item where response_id = $1)`, responseID)
	return err
}

// Occupant is a response that already has an id or a readable id.
type Occupant struct {
	ResponseID string
	StudyID    string
	ReadableID int
	Gone       bool   // deleted: nothing but the receipt need be left of it
	Body       []byte // what was imported; nil if it was not, and if the response was found by its readable id
}

// Occupants returns the responses, of any study and organization, that have one of the ids, and then those of the study that
// have one of the readable ids.
func (v *View) Occupants(ctx context.Context, studyID string, ids []string, readable []int) ([]Occupant, error) {
	scan := func(r scanner) (o Occupant, err error) {
		return o, r.Scan(&o.ResponseID, &o.StudyID, &o.ReadableID, &o.Gone, &o.Body)
	}
	const head = `select r.id, r.study_id, r.readable_id, r.deleted_at is not null, `
	byID, err := collect(ctx, v, scan, head+importedSource+`where r.id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	if err != nil {
		return nil, err
	}
	byNumber, err := collect(ctx, v, scan, head+`null from response r where r.study_id = $1 and r.readable_id in `+v.d.placeholders(2, len(readable)),
		append([]any{studyID}, anySlice(readable)...)...)
	if err != nil {
		return nil, err
	}
	gone, err := collect(ctx, v, func(r scanner) (Occupant, error) {
		o := Occupant{Gone: true}
		return o, r.Scan(&o.ResponseID, &o.StudyID)
	}, `select response_id, study_id from deletion where response_id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	return append(append(byID, byNumber...), gone...), err
}

func anySlice[T any](list []T) []any {
	all := make([]any, len(list))
	for i, one := range list {
		all[i] = one
	}
	return all
}

// LastReadableID returns the highest readable id that was assigned in a study; study.ErrNotFound.
func (v *View) LastReadableID(ctx context.Context, studyID string) (last int, err error) {
	err = v.q.QueryRowContext(ctx, `select last_readable_id from study where id = $1`, studyID).Scan(&last)
	return last, noRowsAs(err, study.ErrNotFound)
}

// ReserveReadableIDs makes later interviews of a study get readable ids above last; study.ErrConflict when one was assigned
// since seen was read.
func (tx *Tx) ReserveReadableIDs(ctx context.Context, studyID string, seen, last int) error {
	if err := tx.lockStudy(ctx, studyID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update study set last_readable_id = $1 where id = $2 and last_readable_id = $3`, max(seen, last), studyID, seen)
	if err == nil && n == 0 {
		return study.ErrConflict
	}
	return err
}
