package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
)

// sweepDelay is how long the sweep leaves an upload alone after it was completed or ended: requests that were under way then
// remove the objects that they stored in vain.
const sweepDelay = time.Hour

// emptyUploadTTL is how long an upload of unknown size may stay empty before it is removed. A client that never received an
// upload's address has made another one. Nobody will send to the first, and the recording would wait for it forever.
const emptyUploadTTL = time.Hour

const uploadColumns = `id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used,
	created_at, expires_at, allotted`

const selectUpload = `select ` + uploadColumns + ` from upload `

func scanUpload(r scanner) (u recording.Upload, err error) {
	var head string
	if err := r.Scan(&u.ID, &u.OrgID, &u.ResponseID, &u.Kind, &u.StepID, &u.Name, &u.MediaType, &head, &u.Metadata, &u.Size, &u.Received,
		&u.Parts, &u.State, &u.Used, nullTime{&u.CreatedAt}, nullTime{&u.ExpiresAt}, &u.Allotted); err != nil {
		return recording.Upload{}, err
	}
	if head != "" {
		u.Head, err = base64.StdEncoding.DecodeString(head)
	}
	return u, err
}

// CreateUpload begins an upload of a running interview if there is room for the size that it declares; the room is not
// reserved, but allotted as bytes arrive. The store sets its id and times. recording.ErrQuota when it would exceed the
// interview's quota, recording.ErrTooMany when too many of the interview's uploads are not complete, recording.ErrStorage
// when it would exceed the quota of the study or of the installation, recording.ErrEnded once the interview has ended,
// response.ErrGone when its response was deleted.
func (tx *Tx) CreateUpload(ctx context.Context, u recording.Upload, limits recording.Limits) (recording.Upload, error) {
	if err := tx.lockStudyOfID(ctx, u.ResponseID); err != nil {
		return recording.Upload{}, err
	}
	r, err := tx.AnyResponse(ctx, u.ResponseID)
	switch {
	case errors.Is(err, response.ErrNotFound):
		return recording.Upload{}, response.ErrGone
	case err != nil:
		return recording.Upload{}, err
	case !r.EndedAt.IsZero():
		return recording.Upload{}, recording.ErrEnded
	}
	count, _, err := tx.UploadUsage(ctx, u.ResponseID)
	if err != nil {
		return recording.Upload{}, err
	}
	if count >= limits.Uploads {
		return recording.Upload{}, recording.ErrQuota
	}
	if limits.Open > 0 {
		var open int
		if err := tx.q.QueryRowContext(ctx, `select count(*) from upload where response_id = $1 and state = 'open'`, u.ResponseID).Scan(&open); err != nil {
			return recording.Upload{}, err
		}
		if open >= limits.Open {
			return recording.Upload{}, recording.ErrTooMany
		}
	}
	life := limits.Lifetime
	if u.Size == recording.Unknown {
		life = min(life, emptyUploadTTL)
	}
	u.ID, u.OrgID, u.State, u.CreatedAt, u.ExpiresAt = NewID(), r.OrgID, recording.Open, tx.at, tx.at.Add(life)
	if u.Size > 0 { // it does not count yet, but what cannot be stored is not begun
		left, quotaErr, err := tx.uploadRoom(ctx, u.ResponseID, limits)
		if err != nil {
			return recording.Upload{}, err
		}
		if left < u.Size {
			return recording.Upload{}, quotaErr
		}
	}
	u.Allotted = u.Charge()
	if _, err = tx.exec(ctx, `insert into upload (id, org_id, response_id, kind, step_id, name, media_type, head, metadata,
			size, state, created_at, expires_at, due_at, allotted)
		values ($1, $2, $3, $4, $5, $6, '', '', $7, $8, $9, $10, $11, $11, $12)`,
		u.ID, u.OrgID, u.ResponseID, u.Kind, u.StepID, u.Name, u.Metadata, u.Size, u.State, micros(u.CreatedAt), micros(u.ExpiresAt), u.Allotted); err != nil {
		return recording.Upload{}, err
	}
	return u, nil
}

// Upload finds an upload of a response, also one that ended; recording.ErrNotFound.
func (v *View) Upload(ctx context.Context, responseID, id string) (recording.Upload, error) {
	u, err := scanUpload(v.q.QueryRowContext(ctx, selectUpload+`where id = $1 and response_id = $2`, id, responseID))
	return u, noRowsAs(err, recording.ErrNotFound)
}

// Uploads lists the uploads of a response that have not ended, in the order they were begun.
func (v *View) Uploads(ctx context.Context, responseID string) ([]recording.Upload, error) {
	return collect(ctx, v, scanUpload, selectUpload+`where response_id = $1 and state <> 'ended' order by created_at, id`, responseID)
}

// UploadParts lists the parts of an upload in order.
func (v *View) UploadParts(ctx context.Context, id string) ([]recording.Part, error) {
	return collect(ctx, v, func(r scanner) (p recording.Part, err error) { return p, r.Scan(&p.Name, &p.Size) },
		`select name, size from upload_part where upload_id = $1 order by seq`, id)
}

// AppendUpload changes an upload from was to is, with the part that arrived; a part without a name brought no bytes. Allotted
// bytes that it can no longer need are returned. recording.ErrOffset when the upload is no longer as it was read;
// recording.ErrQuota or ErrStorage when bytes that were not allotted do not fit.
func (tx *Tx) AppendUpload(ctx context.Context, was, is recording.Upload, part recording.Part, limits recording.Limits) error {
	err := tx.q.QueryRowContext(ctx, `select allotted from upload where id = $1`, was.ID).Scan(&was.Allotted)
	if err != nil {
		return noRowsAs(err, recording.ErrOffset)
	}
	is.Allotted = is.Keeps(was.Allotted)
	// An answer that names a complete upload may be under way: one of the two transactions enqueues the recording. And the
	// total of a study is changed under the study's lock.
	if is.State == recording.Complete || is.Allotted != was.Allotted {
		if err := tx.lockStudyOfID(ctx, was.ResponseID); err != nil {
			return err
		}
	}
	due := is.ExpiresAt
	if is.State == recording.Complete {
		due = tx.at.Add(sweepDelay)
	}
	n, err := tx.exec(ctx, `update upload
		set media_type = $1, head = $2, size = $3, received = $4, parts = $5, state = $6, expires_at = $7,
		due_at = case when used then cast($8 as bigint) else cast($7 as bigint) end, allotted = $13
		where id = $9 and state = 'open' and size = $10 and received = $11 and parts = $12 and allotted = $14`,
		is.MediaType, base64.StdEncoding.EncodeToString(is.Head), is.Size, is.Received, is.Parts, is.State, micros(is.ExpiresAt),
		micros(due), was.ID, was.Size, was.Received, was.Parts, is.Allotted, was.Allotted)
	if err != nil {
		return err
	}
	if n == 0 {
		return recording.ErrOffset
	}
	if err := tx.countUploads(ctx, was.ResponseID, is.Allotted-was.Allotted); err != nil {
		return err
	}
	if is.Allotted > was.Allotted {
		if err := tx.checkQuotas(ctx, was.ResponseID, limits); err != nil {
			return err
		}
	}
	if part.Name != "" {
		_, err = tx.exec(ctx, `insert into upload_part (upload_id, seq, name, size) values ($1, $2, $3, $4)`, was.ID, was.Parts, part.Name, part.Size)
	}
	return err
}

// UseUpload marks an upload as used by the answer to a step. For one of a recorder it marks all of its kind and step, which
// are the recorder's other sessions. recording.ErrNotFound unless the upload is of the response, the step and the kind, and
// has not ended.
func (tx *Tx) UseUpload(ctx context.Context, responseID, stepID string, kind recording.Kind, id string) error {
	const use = `update upload
		set used = true, due_at = case when state = 'complete' and not used then cast($1 as bigint) else due_at end
		where response_id = $2 and step_id = $3 and kind = $4 and state <> 'ended'`
	due := micros(tx.at.Add(sweepDelay))
	n, err := tx.exec(ctx, use+` and id = $5`, due, responseID, stepID, kind, id)
	if err == nil && n == 0 {
		err = recording.ErrNotFound
	}
	if err == nil && kind != recording.File {
		_, err = tx.exec(ctx, use+` and not used`, due, responseID, stepID, kind)
	}
	return err
}

// EndUpload ends an upload, so that its objects may be removed: recording.ErrUsed when an answer uses it, recording.ErrGone
// when it has ended, recording.ErrNotFound.
func (tx *Tx) EndUpload(ctx context.Context, responseID, id string) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	u, err := tx.Upload(ctx, responseID, id)
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update upload
		set state = 'ended', due_at = $1, allotted = 0
		where id = $2 and response_id = $3 and state <> 'ended' and not used and allotted = $4`, micros(tx.at.Add(sweepDelay)), id, responseID, u.Allotted)
	if err == nil && n > 0 {
		err = tx.countUploads(ctx, responseID, -u.Allotted)
	}
	if err == nil && n > 0 {
		_, err = tx.exec(ctx, `delete from transcript where upload_id = $1`, id) // a participant who records again withdraws what was transcribed
	}
	if err != nil || n > 0 {
		return err
	}
	if u.State == recording.Ended {
		return recording.ErrGone
	}
	return recording.ErrUsed
}

// DueUploads lists the uploads that are due for the sweep, the longest due first.
func (v *View) DueUploads(ctx context.Context, limit int) ([]recording.Upload, error) {
	return collect(ctx, v, scanUpload, selectUpload+`where due_at <= $1 order by due_at, id limit $2`, micros(v.now()), limit)
}

// ExpireUpload closes an upload that is due. One that an answer uses becomes complete with the bytes that have arrived, if
// there are any and their type is known; any other has ended. done is false if it is no longer due, or has nothing to
// expire.
func (tx *Tx) ExpireUpload(ctx context.Context, id string) (u recording.Upload, done bool, err error) {
	const usable = `used and received > 0 and media_type <> ''`
	var responseID string
	err = tx.q.QueryRowContext(ctx, `select response_id from upload where id = $1`, id).Scan(&responseID)
	if errors.Is(err, sql.ErrNoRows) {
		return recording.Upload{}, false, nil
	}
	if err == nil {
		err = tx.lockStudyOfID(ctx, responseID)
	}
	if err != nil {
		return recording.Upload{}, false, err
	}
	u, err = scanUpload(tx.q.QueryRowContext(ctx, `update upload set due_at = $1, size = case when `+usable+` then received else size end,
		state = case when `+usable+` then 'complete' else 'ended' end
		where id = $2 and due_at <= $3 and (state = 'open' or state = 'complete' and not used) returning `+uploadColumns,
		micros(tx.at.Add(sweepDelay)), id, micros(tx.at)))
	if errors.Is(err, sql.ErrNoRows) {
		return recording.Upload{}, false, nil
	}
	if err == nil {
		is := u
		is.Allotted = u.Charge()
		if _, err = tx.exec(ctx, `update upload set allotted = $1 where id = $2`, is.Allotted, id); err == nil {
			err = tx.countUploads(ctx, responseID, is.Allotted-u.Allotted)
		}
		u = is
	}
	return u, err == nil, err
}

// FinishUpload notes that nothing is left to sweep of a complete upload that an answer uses.
func (tx *Tx) FinishUpload(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `update upload set due_at = null where id = $1 and state = 'complete' and used`, id)
	return err
}

// DropUpload removes an upload that has ended, and its parts.
func (tx *Tx) DropUpload(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from upload where id = $1 and state = 'ended'`, id)
	return err
}
