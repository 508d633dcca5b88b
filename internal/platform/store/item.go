package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// Item holds the documents of a response as finished bytes, and the columns that lists and look-ups use.
type Item struct {
	StudyID    string
	ReadableID int
	ResponseID string
	UpdatedAt  time.Time
	Analysed   bool
	Hidden     bool
	Version    int // of the projection that made the documents
	List       []byte
	Single     []byte
	HasMedia   bool // a recording can be played; the store sets it
}

// PutItem stores the documents of a response in place of earlier ones; response.ErrGone once it is deleted, so that work
// under way cannot bring it back.
func (tx *Tx) PutItem(ctx context.Context, it Item) error {
	if err := tx.lockStudy(ctx, it.StudyID); err != nil {
		return err
	}
	// Usually an item is counted as before. Otherwise its row is removed and added again: removing it returns what it counted
	// for.
	n, err := tx.exec(ctx, `update response_item
		set updated_at = $1, version = $2, list_item = $3, single_item = $4, list_bytes = $5
		where study_id = $6 and readable_id = $7 and hidden = $8 and analysed = $9`,
		micros(it.UpdatedAt), it.Version, string(it.List), string(it.Single), len(it.List), it.StudyID, it.ReadableID, it.Hidden, it.Analysed)
	if err != nil || n == 1 {
		return err
	}
	if err := tx.dropItem(ctx, it.ResponseID); err != nil {
		return err
	}
	return tx.addItem(ctx, it)
}

// addItem stores the documents of a response that has none; response.ErrGone once it is deleted.
func (tx *Tx) addItem(ctx context.Context, it Item) error {
	added, err := tx.expect(ctx, `insert into response_item (study_id, readable_id, response_id, updated_at, analysed,
			hidden, version, list_item, single_item, list_bytes, has_media)
		select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, exists (select 1 from recording where response_id = $3 and stage = 'ready')
		where not exists (select 1 from deletion where response_id = $3)`,
		it.StudyID, it.ReadableID, it.ResponseID, micros(it.UpdatedAt), it.Analysed, it.Hidden, it.Version, string(it.List), string(it.Single), len(it.List))
	if err != nil {
		return err
	}
	if !added {
		return response.ErrGone
	}
	return tx.addItemCounts(ctx, it.StudyID, it.ReadableID, countsOf(it.Hidden, it.Analysed))
}

// startItem stores the first documents of a response that StartInterview has started. The database puts its number and its
// time between the parts of the list item.
func (tx *Tx) startItem(ctx context.Context, it Item, before, after []byte) error {
	head, tail := document.AroundNumber(before, it.ResponseID)
	if _, err := tx.expect(ctx, `insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden,
			version, list_item, single_item, list_bytes)
		select id, last_readable_id, $1, item_clock, $2, $3, $4,
			$5 || cast(last_readable_id as text) || $6 || `+tx.d.timeText("item_clock")+` || $7,
			$8, $9 + octet_length(cast(last_readable_id as text))
		from study
		where id = $10`,
		it.ResponseID, it.Analysed, it.Hidden, it.Version, string(head), string(tail), string(after), string(it.Single), len(it.List)-1, it.StudyID); err != nil {
		return err
	}
	t := countsOf(it.Hidden, it.Analysed)
	return tx.run(ctx, `insert into item_tally (study_id, size, bucket, live, analysed)
		select id, size, last_readable_id / size, $1, $2
		from study, (select 1048576 as size union all select 32768 union all select 1024) sizes
		where id = $3
		on conflict (study_id, size, bucket) do update set live = item_tally.live + excluded.live,
			analysed = item_tally.analysed + excluded.analysed`,
		t.live, t.analysed, it.StudyID)
}

const selectItem = `select study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, has_media
	from response_item `

func scanItem(r scanner) (it Item, err error) {
	return it, r.Scan(&it.StudyID, &it.ReadableID, &it.ResponseID, nullTime{&it.UpdatedAt}, &it.Analysed, &it.Hidden, &it.Version, &it.List, &it.Single, &it.HasMedia)
}

// ItemByReadableID finds the documents of a response, hidden or not; response.ErrNotFound.
func (v *View) ItemByReadableID(ctx context.Context, studyID string, readableID int) (Item, error) {
	it, err := scanItem(v.q.QueryRowContext(ctx, selectItem+`where study_id = $1 and readable_id = $2`, studyID, readableID))
	return it, noRowsAs(err, response.ErrNotFound)
}

// ItemByResponse finds the documents of a response, hidden or not; response.ErrNotFound.
func (v *View) ItemByResponse(ctx context.Context, studyID, responseID string) (Item, error) {
	it, err := scanItem(v.q.QueryRowContext(ctx, selectItem+`where response_id = $2 and study_id = $1`, studyID, responseID))
	return it, noRowsAs(err, response.ErrNotFound)
}

// SingleOf returns the documents of a response without its list document, and the link id of its study. The study is named as
// for StudyByRef, the response by its id or, if that is empty, its readable id; study.ErrNotFound, response.ErrNotFound,
// org.ErrUnverified.
func (v *View) SingleOf(ctx context.Context, orgID, studyRef, responseID string, readableID int) (linkID string, it Item, err error) {
	named, studyRef, err := namedStudy(studyRef)
	if err != nil {
		return "", Item{}, v.orUnproven(err)
	}
	by, key := `i.readable_id = $5`, any(readableID)
	if responseID != "" {
		by, key = `i.response_id = $5`, responseID
	}
	err = v.queryRow(ctx, []any{
		&linkID, &it.StudyID, &it.ReadableID, nullText{&it.ResponseID}, nullTime{&it.UpdatedAt}, &it.Analysed, &it.Hidden, &it.Version, &it.Single, &it.HasMedia,
	}, `select n.link_id, n.id, coalesce(i.readable_id, 0), i.response_id, i.updated_at,
			coalesce(i.analysed, false), coalesce(i.hidden, false), coalesce(i.version, 0), `+v.d.document("i.single_item")+`, coalesce(i.has_media, false)
		from (`+named+` and `+keyValid+`) n left join response_item i on i.study_id = n.id and `+by,
		studyRef, orgID, v.unproven, micros(v.now()), key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", Item{}, v.orUnproven(study.ErrNotFound)
	}
	if err == nil && it.ResponseID == "" {
		err = response.ErrNotFound
	}
	return linkID, it, err
}

// PutDocument encodes a response and stores its documents, in the transaction that changed it.
func (tx *Tx) PutDocument(ctx context.Context, src document.Source) error {
	return tx.PutItem(ctx, documentItem(src))
}

func documentItem(src document.Source) Item {
	r := &src.Response
	return Item{
		StudyID: r.StudyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: r.UpdatedAt,
		Analysed: src.Analysis != nil, Hidden: r.Hidden, Version: document.Version,
		List: document.ListItem(src), Single: document.Single(src),
	}
}
