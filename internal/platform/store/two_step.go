package store

import (
	"context"

	"verbatim/internal/domain/org"
)

// TwoStep returns the second step of a user's sign-in; its zero value where there is none.
func (v *View) TwoStep(ctx context.Context, userID string) (t org.TwoStep, err error) {
	err = v.q.QueryRowContext(ctx, `select coalesce(t.secret, ''), coalesce(t.last_period, 0), t.confirmed_at,
			(select count(*) from recovery_code c where c.user_id = o.id)
		from (select $1 as id) o
		left join two_step t on t.user_id = o.id`, userID).
		Scan(&t.Secret, &t.LastPeriod, nullTime{&t.ConfirmedAt}, &t.RecoveryCodes)
	return t, err
}

// BeginTwoStep stores a secret that is to be confirmed, in place of an earlier one; org.ErrTwoStepOn.
func (tx *Tx) BeginTwoStep(ctx context.Context, userID, secret string) error {
	n, err := tx.exec(ctx, `insert into two_step (user_id, secret)
		values ($1, $2)
		on conflict (user_id) do update set secret = excluded.secret, last_period = 0 where two_step.confirmed_at is null`, userID, secret)
	if err == nil && n == 0 {
		err = org.ErrTwoStepOn
	}
	return err
}

// ConfirmTwoStep turns the second step on.
func (tx *Tx) ConfirmTwoStep(ctx context.Context, userID string) error {
	_, err := tx.exec(ctx, `update two_step set confirmed_at = $1 where user_id = $2`, micros(tx.at), userID)
	return err
}

// UsePeriod notes that the code of a period was used. It reports false if that of the same or a later one was.
func (tx *Tx) UsePeriod(ctx context.Context, userID string, period int64) (bool, error) {
	n, err := tx.exec(ctx, `update two_step set last_period = $1 where user_id = $2 and last_period < $1`, period, userID)
	return n > 0, err
}

// SaveRecoveryCodes stores the hashes of a user's recovery codes in place of those before.
func (tx *Tx) SaveRecoveryCodes(ctx context.Context, userID string, hashes []string) error {
	if _, err := tx.exec(ctx, `delete from recovery_code where user_id = $1`, userID); err != nil {
		return err
	}
	for _, hash := range hashes {
		if _, err := tx.exec(ctx, `insert into recovery_code (user_id, code_hash) values ($1, $2)`, userID, hash); err != nil {
			return err
		}
	}
	return nil
}

// TakeRecoveryCode uses up a recovery code, and reports whether there was one.
func (tx *Tx) TakeRecoveryCode(ctx context.Context, userID, hash string) (bool, error) {
	n, err := tx.exec(ctx, `delete from recovery_code where user_id = $1 and code_hash = $2`, userID, hash)
	return n > 0, err
}

// EndTwoStep turns the second step off and forgets its secret and codes. It reports whether it was on.
func (tx *Tx) EndTwoStep(ctx context.Context, userID string) (bool, error) {
	if err := tx.SaveRecoveryCodes(ctx, userID, nil); err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `delete from two_step where user_id = $1 and confirmed_at is not null`, userID)
	return n > 0, err
}
