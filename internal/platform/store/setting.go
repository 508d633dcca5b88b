package store

import (
	"context"
	"database/sql"
	"errors"
)

// SecretMadeSetting is the setting with the id, which is not secret, of the link-signing secret that was made for this
// database. Backup leaves it out because the secret itself is in no backup: a restored database gets a new secret.
const SecretMadeSetting = "signing_secret_made"

// Setting returns a setting of the installation; empty if it is not set.
func (v *View) Setting(ctx context.Context, name string) (value string, err error) {
	err = v.q.QueryRowContext(ctx, `select value from setting where name = $1`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

// ChangeSetting changes a setting of the installation from was to value. An empty was means that it is not set, and an empty
// value removes it. If the setting is not was, because another transaction came first, this one is run again.
func (tx *Tx) ChangeSetting(ctx context.Context, name, was, value string) error {
	var changed int64
	var err error
	switch {
	case was == value:
		return nil
	case was == "":
		changed, err = tx.exec(ctx, `insert into setting (name, value) values ($1, $2) on conflict (name) do nothing`, name, value)
	case value == "":
		changed, err = tx.exec(ctx, `delete from setting where name = $1 and value = $2`, name, was)
	default:
		changed, err = tx.exec(ctx, `update setting set value = $3 where name = $1 and value = $2`, name, was, value)
	}
	if err == nil && changed == 0 {
		err = errConflict
	}
	return err
}
