package store

import (
	"context"
	"maps"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// ResponsesAfter returns responses of all organizations in the order of their ids, after one of them or from the start ("").
// Those that are being deleted are left out.
func (v *View) ResponsesAfter(ctx context.Context, id string, limit int) ([]response.Response, error) {
	return collect(ctx, v, func(r scanner) (response.Response, error) { return scanResponse(r) },
		selectResponse+` from response r where r.id > $1 and r.deleted_at is null order by r.id limit $2`, id, limit)
}

// CountResponses counts the responses of all organizations, without those that are being deleted.
func (v *View) CountResponses(ctx context.Context) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from response where deleted_at is null`).Scan(&n)
	return n, err
}

// LockResponse returns a response of any organization and locks its study, so that the response does not change until the
// transaction ends; response.ErrNotFound, also for one that is being deleted.
func (tx *Tx) LockResponse(ctx context.Context, id string) (response.Response, error) {
	if err := tx.lockStudyOfID(ctx, id); err != nil {
		return response.Response{}, err
	}
	return tx.AnyResponse(ctx, id)
}

// SearchEntries returns the parameters under which a response is found.
func (v *View) SearchEntries(ctx context.Context, responseID string) (map[string]string, error) {
	found := map[string]string{}
	_, err := collect(ctx, v, func(r scanner) (none struct{}, err error) {
		var name, value string
		if err = r.Scan(&name, &value); err == nil {
			found[name] = value
		}
		return none, err
	}, `select name, value from url_param where response_id = $1`, responseID)
	return found, err
}

// RepairSearch replaces the search entries of a response if they are wrong, and reports whether it did.
func (tx *Tx) RepairSearch(ctx context.Context, r response.Response) (mended bool, err error) {
	found, err := tx.SearchEntries(ctx, r.ID)
	if err != nil {
		return false, err
	}
	var wrong int
	if err := tx.q.QueryRowContext(ctx, `select count(*)
		from url_param
		where response_id = $1
			and (hidden <> $2 or study_id <> $3 or org_id <> $4 or readable_id <> $5 or created_at <> $6)`,
		r.ID, r.Hidden, r.StudyID, r.OrgID, r.ReadableID, micros(r.CreatedAt)).Scan(&wrong); err != nil {
		return false, err
	}
	if wrong == 0 && maps.Equal(found, r.VisibleParams()) {
		return false, nil
	}
	if _, err := tx.exec(ctx, `delete from url_param where response_id = $1`, r.ID); err != nil {
		return false, err
	}
	return true, tx.insert(ctx, urlParamColumns, searchEntries(&r))
}

// OrphanedItems lists deleted responses of which documents or search entries are left.
func (v *View) OrphanedItems(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx, `select x.response_id
		from (select response_id from response_item union select response_id from url_param) x
		left join response r on r.id = x.response_id
		where r.id is null or r.deleted_at is not null`)
}

// DropOrphan removes the documents and search entries of a deleted response.
func (tx *Tx) DropOrphan(ctx context.Context, responseID string) error {
	if err := tx.dropItem(ctx, responseID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from url_param where response_id = $1`, responseID)
	return err
}

// AllStudyIDs lists the studies of all organizations.
func (v *View) AllStudyIDs(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx, `select id from study order by id`)
}

// Recount counts a study's completed responses and its items again, from the rows; study.ErrNotFound.
func (tx *Tx) Recount(ctx context.Context, studyID string) error {
	if err := tx.lockStudy(ctx, studyID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update study
		set completed_count = (
			select count(*) from response where study_id = $1 and progress = 'complete' and not hidden and deleted_at is null
		)
		where id = $1`, studyID)
	if err != nil {
		return err
	}
	if n == 0 {
		return study.ErrNotFound
	}
	return tx.RecountItems(ctx, studyID)
}
