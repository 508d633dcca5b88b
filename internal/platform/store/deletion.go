package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
)

const selectDeletion = `select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion `

func scanDeletion(r scanner) (d response.Deletion, err error) {
	return d, r.Scan(&d.ID, &d.OrgID, &d.StudyID, &d.ResponseID, &d.Status, nullTime{&d.RequestedAt}, nullTime{&d.CompletedAt})
}

// Deletion finds a receipt of the organization; response.ErrNoDeletion.
func (v *View) Deletion(ctx context.Context, orgID, id string) (response.Deletion, error) {
	d, err := scanDeletion(v.q.QueryRowContext(ctx, selectDeletion+`where id = $1 and org_id = $2`, id, orgID))
	return d, noRowsAs(err, response.ErrNoDeletion)
}

// DeletionOf finds the receipt of a response's deletion; response.ErrNoDeletion.
func (v *View) DeletionOf(ctx context.Context, orgID, responseID string) (response.Deletion, error) {
	d, err := scanDeletion(v.q.QueryRowContext(ctx, selectDeletion+`where response_id = $1 and org_id = $2`, responseID, orgID))
	return d, noRowsAs(err, response.ErrNoDeletion)
}

// Deletions lists every receipt of the installation, newest first, for the operator.
func (v *View) Deletions(ctx context.Context) ([]response.Deletion, error) {
	return collect(ctx, v, scanDeletion, selectDeletion+`order by requested_at desc, id desc`)
}

// WaitingDeletions lists receipts of the installation that are queued or running, oldest first, for the jobs that purge.
func (v *View) WaitingDeletions(ctx context.Context, limit int) ([]response.Deletion, error) {
	return collect(ctx, v, scanDeletion, selectDeletion+`where status in ('queued', 'running') order by requested_at, id limit $1`, limit)
}

// OperatorDeletion finds a receipt in any organization, for the operator; response.ErrNoDeletion.
func (v *View) OperatorDeletion(ctx context.Context, id string) (response.Deletion, error) {
	d, err := scanDeletion(v.q.QueryRowContext(ctx, selectDeletion+`where id = $1`, id))
	return d, noRowsAs(err, response.ErrNoDeletion)
}

// CreateDeletion stores the receipt and removes the response from every read at once: its documents, its search entries, its
// passages, its jobs and the rows of its uploads, recordings, transcripts and translations are deleted, and the interview can no longer be
// continued. Purge removes the rest. response.ErrGone when it was deleted already.
func (tx *Tx) CreateDeletion(ctx context.Context, r response.Response) (response.Deletion, error) {
	d := response.Deletion{ID: NewID(), OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, RequestedAt: tx.at}
	return tx.deleteResponse(ctx, d, r)
}

// RestoreDeletion repeats a deletion that a tombstone records and that this database does not know, because it was restored
// from an earlier backup: as CreateDeletion if the response exists, else the receipt alone. Either way the purge must
// follow, because there may be objects. restored is false if there is a receipt already. ErrForeignTombstone.
func (tx *Tx) RestoreDeletion(ctx context.Context, d response.Deletion) (restored bool, err error) {
	err = tx.q.QueryRowContext(ctx, `select not exists (select 1 from deletion where response_id = $1 or id = $2)`, d.ResponseID, d.ID).Scan(&restored)
	if err != nil || !restored {
		return false, err
	}
	r, err := tx.AnyResponse(ctx, d.ResponseID)
	switch {
	case errors.Is(err, response.ErrNotFound):
		d.Status = response.DeletionQueued
		restored, err = tx.insertDeletion(ctx, d) // false: another node was first
	case err != nil:
		return false, err
	case r.OrgID != d.OrgID || r.StudyID != d.StudyID:
		return false, ErrForeignTombstone
	default:
		if d, err = tx.deleteResponse(ctx, d, r); errors.Is(err, response.ErrGone) {
			return false, nil
		}
		if err == nil {
			err = tx.ReleaseHold(ctx, r.ID)
		}
		if errors.Is(err, wallet.ErrNoHold) {
			err = nil
		}
	}
	if err != nil || !restored {
		return false, err
	}
	return true, tx.NoteTombstone(ctx, d.ID)
}

// ErrForeignTombstone means that a tombstone names another organization or study than its response has.
var ErrForeignTombstone = errors.New("the tombstone is not of this response's organization and study")

// NoteTombstone stores that the tombstone of a deletion is written.
func (tx *Tx) NoteTombstone(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `update deletion set tombstone_at = $1 where id = $2 and tombstone_at is null`, micros(tx.at), id)
	return err
}

// DeletionsWithoutTombstone lists receipts whose tombstone is not written yet, oldest first.
func (v *View) DeletionsWithoutTombstone(ctx context.Context, limit int) ([]response.Deletion, error) {
	return collect(ctx, v, scanDeletion, selectDeletion+`where tombstone_at is null order by requested_at, id limit $1`, limit)
}

// DeletionsAfter lists receipts in the order of their ids, after one.
func (v *View) DeletionsAfter(ctx context.Context, id string, limit int) ([]response.Deletion, error) {
	return collect(ctx, v, scanDeletion, selectDeletion+`where id > $1 order by id limit $2`, id, limit)
}

// UnknownDeletions returns those of the deletions, a few hundred at most, whose responses have no receipt.
func (v *View) UnknownDeletions(ctx context.Context, all []response.Deletion) ([]response.Deletion, error) {
	if len(all) == 0 {
		return nil, nil
	}
	ids := make([]string, len(all))
	for i, d := range all {
		ids[i] = d.ResponseID
	}
	known, err := collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`select response_id from deletion where response_id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	return slices.DeleteFunc(slices.Clone(all), func(d response.Deletion) bool { return slices.Contains(known, d.ResponseID) }), err
}

// CompletedAmong returns those of the responses, a few hundred at most, whose deletion is completed.
func (v *View) CompletedAmong(ctx context.Context, responseIDs []string) ([]string, error) {
	if len(responseIDs) == 0 {
		return nil, nil
	}
	return collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`select response_id from deletion where status = 'completed' and response_id in `+v.d.placeholders(1, len(responseIDs)), anySlice(responseIDs)...)
}

// insertDeletion stores a receipt; false if there is one already.
func (tx *Tx) insertDeletion(ctx context.Context, d response.Deletion) (bool, error) {
	n, err := tx.exec(ctx, `insert into deletion (id, org_id, study_id, response_id, status, requested_at)
		values ($1, $2, $3, $4, $5, $6)
		on conflict do nothing`, d.ID, d.OrgID, d.StudyID, d.ResponseID, d.Status, micros(d.RequestedAt))
	return n > 0, err
}

// deleteResponse implements CreateDeletion, with the ids and the time of d.
func (tx *Tx) deleteResponse(ctx context.Context, d response.Deletion, r response.Response) (response.Deletion, error) {
	d.Status = response.DeletionQueued
	if err := tx.lockStudyOfID(ctx, r.ID); err != nil {
		return response.Deletion{}, err
	}
	// What r says of these may be outdated: it was read before this transaction locked the study.
	err := tx.q.QueryRowContext(ctx, `update response
		set deleted_at = $1
		where id = $2 and deleted_at is null
		returning progress, hidden`,
		micros(tx.at), r.ID).Scan(&r.Progress, &r.Hidden)
	if errors.Is(err, sql.ErrNoRows) {
		return response.Deletion{}, tx.conflict(response.ErrGone)
	}
	if err != nil {
		return response.Deletion{}, err
	}
	if fresh, err := tx.insertDeletion(ctx, d); err != nil || !fresh {
		return response.Deletion{}, cmp.Or(err, tx.conflict(response.ErrGone))
	}
	if err := tx.dropItem(ctx, r.ID); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.execEach(ctx, r.ID, deleteAround, forgetPanel, forgetWebhooks); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.forgetMachineFrames(ctx, r.StudyID); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.forgetReports(ctx, r.StudyID); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.forgetExports(ctx, r.StudyID, r.ReadableID); err != nil {
		return response.Deletion{}, err
	}
	if r.Progress == response.Complete && !r.Hidden {
		return d, tx.CountCompleted(ctx, r.StudyID, -1)
	}
	return d, nil
}

// SetDeletion sets the status of a receipt; completed sets its time, too.
func (tx *Tx) SetDeletion(ctx context.Context, id string, status response.DeletionStatus) error {
	var completed any
	if status == response.DeletionCompleted {
		completed = micros(tx.at)
	}
	_, err := tx.exec(ctx, `update deletion set status = $1, completed_at = $2 where id = $3`, status, completed, id)
	return err
}

// Purge removes every row of a response, its jobs included: the job that purges must not name the response as its own.
// Billing keeps amounts and times; a hold that is still active is released. It may be repeated.
func (tx *Tx) Purge(ctx context.Context, responseID string) error {
	if err := tx.ReleaseHold(ctx, responseID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
		return err
	}
	if err := tx.dropItem(ctx, responseID); err != nil {
		return err
	}
	if err := tx.execEach(ctx, responseID, deleteLog, deleteAround, forgetPanel, forgetWebhooks, deleteResponse); err != nil {
		return err
	}
	if err := tx.purgeSpeech(ctx, responseID); err != nil {
		return err
	}
	return tx.purgeUsage(ctx, responseID)
}

// Statements that remove the rows of the response $1: deleteAround what a deletion removes at once, deleteLog and deleteResponse the rest.
var (
	deleteLog = []string{
		`delete from turn where response_id = $1`,
		`delete from decision where response_id = $1`,
		`delete from analysis where response_id = $1`,
		`delete from imported_item where response_id = $1`,
	}
	deleteAround = []string{
		`delete from url_param where response_id = $1`,
		`delete from job where response_id = $1`,
		`delete from recording where response_id = $1`,
		`delete from transcript where response_id = $1`,
		`delete from answer_translation where response_id = $1`,
		`delete from answer_print where response_id = $1`,
		`delete from quality_override where response_id = $1`,
		`delete from annotation_tagged where annotation_id in (select id from annotation where response_id = $1)`,
		`delete from annotation where response_id = $1`,
		`delete from correction where response_id = $1`,
		`delete from quota_place where response_id = $1`,
		`delete from consent_given where response_id = $1`,
		`delete from passage where response_id = $1`,
		`delete from passage_source where response_id = $1`,
		`delete from theme_decision where response_id = $1`,
		forgetUploads,
		`delete from upload where response_id = $1`,
	}
	deleteResponse = []string{
		`update hold set response_id = null where response_id = $1`,
		`delete from response where id = $1`,
	}
)

// execEach executes lists of statements whose only argument is the id of a response.
func (tx *Tx) execEach(ctx context.Context, responseID string, lists ...[]string) error {
	for _, statement := range slices.Concat(lists...) {
		if _, err := tx.exec(ctx, statement, responseID); err != nil {
			return err
		}
	}
	return nil
}

// forgetUploads subtracts the uploads of a response from the total of its study.
const forgetUploads = `update upload_total
	set bytes = bytes - (select cast(coalesce(sum(allotted), 0) as bigint) from upload where response_id = $1)
	where study_id = (select study_id from response where id = $1)`
