package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"verbatim/internal/recording"
	"verbatim/internal/response"
)

// settling is how long the sweep leaves an upload alone after it was completed or ended: requests that were under way then
// take away what they put in vain.
const settling = time.Hour

// unbegun is how long an upload of unknown size may be empty. Where the answer that told its address was lost, its maker has
// made another: nobody will ever send to this one, and the recording waits for it.
const unbegun = time.Hour

const uploadColumns = `id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used,
	created_at, expires_at`

const selectUpload = `select ` + uploadColumns + ` from upload `

func scanUpload(r scanner) (u recording.Upload, err error) {
	var head string
	if err := r.Scan(&u.ID, &u.OrgID, &u.ResponseID, &u.Kind, &u.StepID, &u.Name, &u.MediaType, &head, &u.Metadata, &u.Size, &u.Received,
		&u.Parts, &u.State, &u.Used, moment{&u.CreatedAt}, moment{&u.ExpiresAt}); err != nil {
		return recording.Upload{}, err
	}
	if head != "" {
		u.Head, err = base64.StdEncoding.DecodeString(head)
	}
	return u, err
}

// CreateUpload begins an upload of a running interview, as long as all of the interview's stay within the limits; the store
// sets its id and times. recording.ErrQuota when they would not, recording.ErrEnded once the interview has ended,
// response.ErrGone when its response was deleted.
func (tx *Tx) CreateUpload(ctx context.Context, u recording.Upload, limits recording.Limits) (recording.Upload, error) {
	if err := tx.enterResponse(ctx, u.ResponseID); err != nil {
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
	count, bytes, err := tx.UploadUsage(ctx, u.ResponseID)
	if err != nil {
		return recording.Upload{}, err
	}
	if count >= limits.Uploads || bytes+max(u.Size, 0) > limits.Bytes {
		return recording.Upload{}, recording.ErrQuota
	}
	life := limits.Lifetime
	if u.Size == recording.Unknown {
		life = min(life, unbegun)
	}
	u.ID, u.OrgID, u.State, u.CreatedAt, u.ExpiresAt = NewID(), r.OrgID, recording.Open, tx.at, tx.at.Add(life)
	_, err = tx.exec(ctx, `insert into upload (id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, state, created_at, expires_at, due_at)
		values ($1, $2, $3, $4, $5, $6, '', '', $7, $8, $9, $10, $11, $11)`,
		u.ID, u.OrgID, u.ResponseID, u.Kind, u.StepID, u.Name, u.Metadata, u.Size, u.State, micros(u.CreatedAt), micros(u.ExpiresAt))
	return u, err
}

// Upload finds an upload of a response, also one that ended; recording.ErrNotFound.
func (v *View) Upload(ctx context.Context, responseID, id string) (recording.Upload, error) {
	u, err := scanUpload(v.q.QueryRowContext(ctx, selectUpload+`where id = $1 and response_id = $2`, id, responseID))
	return u, orElse(err, recording.ErrNotFound)
}

// Uploads lists the uploads of a response that have not ended, in the order they were begun.
func (v *View) Uploads(ctx context.Context, responseID string) ([]recording.Upload, error) {
	return collect(ctx, v, scanUpload, selectUpload+`where response_id = $1 and state <> 'ended' order by created_at, id`, responseID)
}

// UploadUsage counts the uploads of a response that have not ended, and the bytes that they have or are to have.
func (v *View) UploadUsage(ctx context.Context, responseID string) (count int, bytes int64, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*), cast(coalesce(sum(case when size > received then size else received end), 0) as bigint)
		from upload where response_id = $1 and state <> 'ended'`, responseID).Scan(&count, &bytes)
	return count, bytes, err
}

// UploadParts lists the parts of an upload in order.
func (v *View) UploadParts(ctx context.Context, id string) ([]recording.Part, error) {
	return collect(ctx, v, func(r scanner) (p recording.Part, err error) { return p, r.Scan(&p.Name, &p.Size) },
		`select name, size from upload_part where upload_id = $1 order by seq`, id)
}

// AppendUpload moves an upload from where it was read to where it is to stand, with the part that came; one without a name
// brought no bytes. recording.ErrMoved when the upload is no longer as it was read; recording.ErrQuota when bytes that nobody
// had announced would be more than the most that all of the interview's uploads may have.
func (tx *Tx) AppendUpload(ctx context.Context, was, is recording.Upload, part recording.Part, most int64) error {
	// An answer that names a complete one may be on its way: one of the two queues the recording. And of several pieces that
	// fit into what is left, one at a time is counted.
	unannounced := was.Size == recording.Unknown
	if is.State == recording.Complete || unannounced {
		if err := tx.enterResponse(ctx, was.ResponseID); err != nil {
			return err
		}
	}
	due := is.ExpiresAt
	if is.State == recording.Complete {
		due = tx.at.Add(settling)
	}
	n, err := tx.exec(ctx, `update upload set media_type = $1, head = $2, size = $3, received = $4, parts = $5, state = $6, expires_at = $7,
		due_at = case when used then cast($8 as bigint) else cast($7 as bigint) end
		where id = $9 and state = 'open' and size = $10 and received = $11 and parts = $12`,
		is.MediaType, base64.StdEncoding.EncodeToString(is.Head), is.Size, is.Received, is.Parts, is.State, micros(is.ExpiresAt),
		micros(due), was.ID, was.Size, was.Received, was.Parts)
	if err != nil {
		return err
	}
	if n == 0 {
		return recording.ErrMoved
	}
	if unannounced {
		_, used, err := tx.UploadUsage(ctx, was.ResponseID)
		if err != nil {
			return err
		}
		if used > most {
			return recording.ErrQuota
		}
	}
	if part.Name != "" {
		_, err = tx.exec(ctx, `insert into upload_part (upload_id, seq, name, size) values ($1, $2, $3, $4)`, was.ID, was.Parts, part.Name, part.Size)
	}
	if err == nil && is.State == recording.Complete {
		err = tx.QueueRecordings(ctx, was.ResponseID)
	}
	return err
}

// UseUpload marks an upload as named by the answer to a step, and with one of a recorder all of its kind and step: the
// recorder's other sessions. recording.ErrNotFound unless it is of the response, the step and the kind and has not ended.
func (tx *Tx) UseUpload(ctx context.Context, responseID, stepID string, kind recording.Kind, id string) error {
	const use = `update upload set used = true, due_at = case when state = 'complete' and not used then cast($1 as bigint) else due_at end
		where response_id = $2 and step_id = $3 and kind = $4 and state <> 'ended'`
	due := micros(tx.at.Add(settling))
	n, err := tx.exec(ctx, use+` and id = $5`, due, responseID, stepID, kind, id)
	if err == nil && n == 0 {
		err = recording.ErrNotFound
	}
	if err == nil && kind != recording.File {
		_, err = tx.exec(ctx, use+` and not used`, due, responseID, stepID, kind)
	}
	return err
}

// EndUpload ends an upload, so that its objects may go: recording.ErrUsed when an answer names it, recording.ErrGone when it
// has ended, recording.ErrNotFound.
func (tx *Tx) EndUpload(ctx context.Context, responseID, id string) error {
	n, err := tx.exec(ctx, `update upload set state = 'ended', due_at = $1 where id = $2 and response_id = $3 and state <> 'ended' and not used`,
		micros(tx.at.Add(settling)), id, responseID)
	if err == nil && n > 0 {
		_, err = tx.exec(ctx, `delete from transcript where upload_id = $1`, id) // who speaks anew takes back what was heard
	}
	if err != nil || n > 0 {
		return err
	}
	u, err := tx.Upload(ctx, responseID, id)
	switch {
	case err != nil:
		return err
	case u.State == recording.Ended:
		return recording.ErrGone
	}
	return recording.ErrUsed
}

// DueUploads lists the uploads that the sweep has to look at, longest due first.
func (v *View) DueUploads(ctx context.Context, limit int) ([]recording.Upload, error) {
	return collect(ctx, v, scanUpload, selectUpload+`where due_at <= $1 order by due_at, id limit $2`, micros(v.now()), limit)
}

// ExpireUpload closes an upload that is due: one that an answer names is complete with what has arrived, if that is of some
// use, and all others have ended. done is false where it is not due any more, or has nothing to expire.
func (tx *Tx) ExpireUpload(ctx context.Context, id string) (u recording.Upload, done bool, err error) {
	const worth = `used and received > 0 and media_type <> ''`
	var responseID string
	err = tx.q.QueryRowContext(ctx, `select response_id from upload where id = $1`, id).Scan(&responseID)
	if errors.Is(err, sql.ErrNoRows) {
		return recording.Upload{}, false, nil
	}
	if err == nil {
		err = tx.enterResponse(ctx, responseID)
	}
	if err != nil {
		return recording.Upload{}, false, err
	}
	u, err = scanUpload(tx.q.QueryRowContext(ctx, `update upload set due_at = $1, size = case when `+worth+` then received else size end,
		state = case when `+worth+` then 'complete' else 'ended' end
		where id = $2 and due_at <= $3 and (state = 'open' or state = 'complete' and not used) returning `+uploadColumns,
		micros(tx.at.Add(settling)), id, micros(tx.at)))
	if errors.Is(err, sql.ErrNoRows) {
		return recording.Upload{}, false, nil
	}
	if err == nil && u.Used {
		err = tx.QueueRecordings(ctx, responseID)
	}
	return u, err == nil, err
}

// SettleUpload notes that nothing is left to sweep of a complete upload that an answer names.
func (tx *Tx) SettleUpload(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `update upload set due_at = null where id = $1 and state = 'complete' and used`, id)
	return err
}

// DropUpload removes an upload that has ended, and its parts.
func (tx *Tx) DropUpload(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from upload where id = $1 and state = 'ended'`, id)
	return err
}
