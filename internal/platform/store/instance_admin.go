package store

import "context"

// IsInstanceAdmin reports whether a person may see and try the parts of the installation: an admin of its oldest organization, or somebody
// to whom the operator granted it.
func (v *View) IsInstanceAdmin(ctx context.Context, userID string) (is bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from instance_admin where user_id = $1)
		or exists (select 1
			from member
			where user_id = $1 and role = 'admin' and org_id = (select id from org order by created_at, id limit 1))`, userID).Scan(&is)
	return is, err
}

// GrantInstance makes a person an instance administrator; the second time it changes nothing.
func (tx *Tx) GrantInstance(ctx context.Context, userID string) (changed bool, err error) {
	n, err := tx.exec(ctx, `insert into instance_admin (user_id, granted_at) values ($1, $2) on conflict do nothing`, userID, micros(tx.at))
	return n > 0, err
}

// RevokeInstance takes that back. Admins of the oldest organization stay instance administrators.
func (tx *Tx) RevokeInstance(ctx context.Context, userID string) (changed bool, err error) {
	n, err := tx.exec(ctx, `delete from instance_admin where user_id = $1`, userID)
	return n > 0, err
}
