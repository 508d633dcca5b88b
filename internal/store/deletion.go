package store

import (
	"context"
	"database/sql"
	"errors"

	"verbatim/internal/response"
	"verbatim/internal/wallet"
)

const selectDeletion = `select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion `

func scanDeletion(r scanner) (d response.Deletion, err error) {
	return d, r.Scan(&d.ID, &d.OrgID, &d.StudyID, &d.ResponseID, &d.Status, moment{&d.RequestedAt}, moment{&d.CompletedAt})
}

// Deletion finds a receipt of the organization; response.ErrNoDeletion.
func (v *View) Deletion(ctx context.Context, orgID, id string) (response.Deletion, error) {
	d, err := scanDeletion(v.q.QueryRowContext(ctx, selectDeletion+`where id = $1 and org_id = $2`, id, orgID))
	return d, orElse(err, response.ErrNoDeletion)
}

// DeletionOf finds the receipt of a response's deletion; response.ErrNoDeletion.
func (v *View) DeletionOf(ctx context.Context, orgID, responseID string) (response.Deletion, error) {
	d, err := scanDeletion(v.q.QueryRowContext(ctx, selectDeletion+`where response_id = $1 and org_id = $2`, responseID, orgID))
	return d, orElse(err, response.ErrNoDeletion)
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
	return d, orElse(err, response.ErrNoDeletion)
}

// CreateDeletion writes the receipt and takes the response out of every read at once: its documents, its search
// entries, its jobs and the rows of its uploads, recordings, transcripts and translations go, and the interview can no longer be continued. The rest is
// Purge's. response.ErrGone when it was deleted already.
func (tx *Tx) CreateDeletion(ctx context.Context, r response.Response) (response.Deletion, error) {
	d := response.Deletion{
		ID: NewID(), OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, Status: response.DeletionQueued, RequestedAt: tx.at,
	}
	if err := tx.enterResponse(ctx, r.ID); err != nil {
		return response.Deletion{}, err
	}
	// What r says of these may be old: it was read before this transaction had its place in line.
	err := tx.q.QueryRowContext(ctx, `update response set deleted_at = $1 where id = $2 and deleted_at is null returning progress, hidden`,
		micros(tx.at), r.ID).Scan(&r.Progress, &r.Hidden)
	if errors.Is(err, sql.ErrNoRows) {
		return response.Deletion{}, tx.raced(response.ErrGone)
	}
	if err != nil {
		return response.Deletion{}, err
	}
	if _, err := tx.exec(ctx, `insert into deletion (id, org_id, study_id, response_id, status, requested_at) values ($1, $2, $3, $4, $5, $6)`,
		d.ID, d.OrgID, d.StudyID, d.ResponseID, d.Status, micros(d.RequestedAt)); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.dropItem(ctx, r.ID); err != nil {
		return response.Deletion{}, err
	}
	for _, statement := range []string{
		`delete from url_param where response_id = $1`,
		`delete from job where response_id = $1`,
		`delete from recording where response_id = $1`,
		`delete from transcript where response_id = $1`,
		`delete from answer_translation where response_id = $1`,
		`delete from answer_print where response_id = $1`,
		forgetUploads,
		`delete from upload where response_id = $1`,
	} {
		if _, err := tx.exec(ctx, statement, r.ID); err != nil {
			return response.Deletion{}, err
		}
	}
	if r.Progress == response.Complete && !r.Hidden {
		return d, tx.CountCompleted(ctx, r.StudyID, -1)
	}
	return d, nil
}

// SetDeletion moves a receipt to a status; completed sets its time.
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
	for _, statement := range []string{
		`delete from turn where response_id = $1`,
		`delete from decision where response_id = $1`,
		`delete from analysis where response_id = $1`,
		`delete from imported_item where response_id = $1`,
		`delete from url_param where response_id = $1`,
		`delete from job where response_id = $1`,
		`delete from recording where response_id = $1`,
		`delete from transcript where response_id = $1`,
		`delete from answer_translation where response_id = $1`,
		`delete from answer_print where response_id = $1`,
		forgetUploads,
		`delete from upload where response_id = $1`,
		`update hold set response_id = null where response_id = $1`,
		`delete from response where id = $1`,
	} {
		if _, err := tx.exec(ctx, statement, responseID); err != nil {
			return err
		}
	}
	if err := tx.purgeSpeech(ctx, responseID); err != nil {
		return err
	}
	return tx.purgeUsage(ctx, responseID)
}

// forgetUploads takes the uploads of a response out of the sum of its study.
const forgetUploads = `update upload_total set bytes = bytes - (select cast(coalesce(sum(allotted), 0) as bigint) from upload where response_id = $1)
	where study_id = (select study_id from response where id = $1)`
