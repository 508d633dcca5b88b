package store

import (
	"context"
	"errors"

	"verbatim/internal/domain/recording"
)

// countUploads adds to the total of the study's uploads; more may be negative.
func (tx *Tx) countUploads(ctx context.Context, responseID string, more int64) error {
	if more == 0 {
		return nil
	}
	_, err := tx.exec(ctx, `insert into upload_total (study_id, bytes)
		select study_id, cast($1 as bigint)
		from response
		where id = $2
		on conflict (study_id) do update set bytes = upload_total.bytes + excluded.bytes`, more, responseID)
	return err
}

// checkQuotas returns an error if the bytes that were allotted in this transaction exceed a quota.
func (tx *Tx) checkQuotas(ctx context.Context, responseID string, limits recording.Limits) error {
	left, quotaErr, err := tx.uploadRoom(ctx, responseID, limits)
	if err == nil && left < 0 {
		err = quotaErr
	}
	return err
}

// uploadRoom returns how many more bytes the uploads of an interview may count for, and the error of the quota that allows
// least. The total of the installation has no row of its own, because all studies would wait for it: transactions that commit
// at the same time may together exceed that quota by what each of them adds.
func (v *View) uploadRoom(ctx context.Context, responseID string, limits recording.Limits) (left int64, quotaErr, err error) {
	_, used, err := v.UploadUsage(ctx, responseID)
	if err != nil {
		return 0, nil, err
	}
	left, quotaErr = limits.Bytes-used, recording.ErrQuota
	for _, quota := range []struct {
		limit int64
		query string
		args  []any
	}{
		{limits.Study, `select coalesce((
			select bytes from upload_total where study_id = (select study_id from response where id = $1)
		), 0)`, []any{responseID}},
		{limits.Installation, `select cast(coalesce(sum(bytes), 0) as bigint) from upload_total`, nil},
	} {
		if quota.limit == 0 {
			continue
		}
		if err := v.q.QueryRowContext(ctx, quota.query, quota.args...).Scan(&used); err != nil {
			return 0, nil, err
		}
		if quota.limit-used < left {
			left, quotaErr = quota.limit-used, recording.ErrStorage
		}
	}
	return left, quotaErr, nil
}

// UploadTotal returns how many bytes the uploads of a study count for, for tests of quotas and the dashboard's page of the installation.
func (v *View) UploadTotal(ctx context.Context, studyID string) (bytes int64, err error) {
	err = v.q.QueryRowContext(ctx, `select coalesce((select bytes from upload_total where study_id = $1), 0)`, studyID).Scan(&bytes)
	return bytes, err
}

// roomFactor restricts what is allotted ahead of need: at least roomFactor times as many bytes must be free.
const roomFactor = 64

// Allotment is the number of bytes to allot to an upload.
type Allotment struct {
	Need    int64 // at least this many
	Want    int64 // up to this many if there is room
	MustFit int64 // fail unless this many would fit; those beyond Want are not allotted
	Urgent  bool  // take the last free bytes for Want; otherwise only if roomFactor times as many are free
}

// AllotUpload allots bytes to an open upload, and returns how many it has then. recording.ErrQuota or ErrStorage when there
// is no room for Need or MustFit, recording.ErrOffset when the upload is not as it was read.
func (tx *Tx) AllotUpload(ctx context.Context, u recording.Upload, a Allotment, limits recording.Limits) (int64, error) {
	need, want := max(a.Need, u.Charge()), max(a.Need, a.Want, u.Charge())
	if max(need, a.MustFit) <= u.Allotted {
		return u.Allotted, nil
	}
	if err := tx.lockStudyOfID(ctx, u.ResponseID); err != nil {
		return 0, err
	}
	left, quotaErr, err := tx.uploadRoom(ctx, u.ResponseID, limits)
	if err != nil {
		return 0, err
	}
	room := u.Allotted + max(left, 0)
	if room < max(need, a.MustFit) {
		return 0, quotaErr
	}
	if need <= u.Allotted {
		return u.Allotted, nil
	}
	want = min(want, room)
	if !a.Urgent && want > need && left < roomFactor*(want-need) {
		want = need
	}
	return want, tx.setAllotted(ctx, u, want)
}

// setAllotted sets the bytes that are allotted to an upload. The transaction has locked the response's study.
func (tx *Tx) setAllotted(ctx context.Context, u recording.Upload, bytes int64) error {
	n, err := tx.exec(ctx, `update upload set allotted = $1 where id = $2 and state = 'open' and allotted = $3`, bytes, u.ID, u.Allotted)
	if err != nil {
		return err
	}
	if n == 0 {
		return recording.ErrOffset
	}
	return tx.countUploads(ctx, u.ResponseID, bytes-u.Allotted)
}

// ReleaseUpload returns what was allotted to an upload for bytes that did not arrive.
func (tx *Tx) ReleaseUpload(ctx context.Context, u recording.Upload) error {
	if u.Charge() == u.Allotted {
		return nil
	}
	if err := tx.lockStudyOfID(ctx, u.ResponseID); err != nil {
		return err
	}
	err := tx.setAllotted(ctx, u, u.Charge())
	if errors.Is(err, recording.ErrOffset) { // it ended, or another request has it
		return nil
	}
	return err
}

// UploadUsage counts the uploads of a response that have not ended, and the bytes that they count for.
func (v *View) UploadUsage(ctx context.Context, responseID string) (count int, bytes int64, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*), cast(coalesce(sum(allotted), 0) as bigint)
		from upload
		where response_id = $1 and state <> 'ended'`, responseID).Scan(&count, &bytes)
	return count, bytes, err
}
