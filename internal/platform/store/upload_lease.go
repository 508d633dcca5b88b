package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/recording"
)

// LeaseUpload gives one request the right to add to an upload until a time, which RenewUpload extends. It returns
// recording.ErrLocked while another request has that right, and notes that the upload is wanted, so that RenewUpload asks
// that request to stop: a transaction with this error must still be committed.
func (tx *Tx) LeaseUpload(ctx context.Context, id, holder string, lease time.Duration) error {
	n, err := tx.exec(ctx, `insert into upload_lease (upload_id, holder, held_until)
		select id, $2, cast($3 as bigint)
		from upload
		where id = $1
		on conflict (upload_id) do update set holder = excluded.holder, held_until = excluded.held_until, wanted = false
		where upload_lease.held_until < $4`, id, holder, micros(tx.at.Add(lease)), micros(tx.at))
	if err != nil || n > 0 {
		return err
	}
	if _, err := tx.exec(ctx, `update upload_lease set wanted = true where upload_id = $1`, id); err != nil {
		return err
	}
	return recording.ErrLocked
}

// RenewUpload extends a lease of LeaseUpload. It reports whether the holder must stop: another request wants the upload, or
// has it.
func (tx *Tx) RenewUpload(ctx context.Context, id, holder string, lease time.Duration) (stop bool, err error) {
	err = tx.q.QueryRowContext(ctx, `update upload_lease set held_until = $1 where upload_id = $2 and holder = $3 returning wanted`,
		micros(tx.at.Add(lease)), id, holder).Scan(&stop)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return stop, err
}

// ReleaseUploadLease ends a lease of LeaseUpload.
func (tx *Tx) ReleaseUploadLease(ctx context.Context, id, holder string) error {
	_, err := tx.exec(ctx, `delete from upload_lease where upload_id = $1 and holder = $2`, id, holder)
	return err
}
