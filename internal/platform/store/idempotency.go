package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/org"
)

// idempotencyTTL is how long an answer is kept for its key.
const idempotencyTTL = 24 * time.Hour

// IdempotentResult returns the answer that is stored for a request, and reports whether there is one; org.ErrKeyReused when
// the key belongs to another request.
func (v *View) IdempotentResult(ctx context.Context, o org.IdempotencyKey) (answer []byte, found bool, err error) {
	if o.Key == "" {
		return nil, false, nil
	}
	var hash string
	err = v.q.QueryRowContext(ctx, `select body_hash, answer
		from idempotency
		where org_id = $1 and path = $2 and idem_key = $3 and created_at >= $4`,
		o.OrgID, o.Path, o.Key, micros(v.now().Add(-idempotencyTTL))).Scan(&hash, &answer)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case hash != o.BodyHash:
		return nil, false, org.ErrKeyReused
	}
	return answer, true, nil
}

// SaveIdempotentResult stores the answer in the transaction of its effect; org.ErrKeyReused when another request came first.
func (tx *Tx) SaveIdempotentResult(ctx context.Context, o org.IdempotencyKey, answer []byte) error {
	if o.Key == "" {
		return nil
	}
	n, err := tx.exec(ctx, `insert into idempotency (org_id, path, idem_key, body_hash, answer, created_at)
		values ($1, $2, $3, $4, $5, $6)
		on conflict (org_id, path, idem_key) do update
		set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at
		where idempotency.created_at < $7`,
		o.OrgID, o.Path, o.Key, o.BodyHash, string(answer), micros(tx.at), micros(tx.at.Add(-idempotencyTTL)))
	if err == nil && n == 0 {
		return tx.conflict(org.ErrKeyReused) // at the next try IdempotentResult returns the other's answer
	}
	return err
}

// PruneIdempotency removes answers that were stored before a time.
func (tx *Tx) PruneIdempotency(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `delete from idempotency where created_at < $1`, micros(before))
	return err
}
