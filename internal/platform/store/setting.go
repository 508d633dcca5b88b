package store

import (
	"context"
	"database/sql"
	"errors"
)

// SecretMadeSetting is the name of the setting with the id, which is no secret, of the secret that signs links and was made for this
// database. Backup leaves it out, for the secret itself is in no backup: a restored database has its next one made.
const SecretMadeSetting = "signing_secret_made"

// Setting reads a fact of the installation; empty where it is not set.
func (v *View) Setting(ctx context.Context, name string) (value string, err error) {
	err = v.q.QueryRowContext(ctx, `select value from setting where name = $1`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

// ChangeSetting sets a fact of the installation that is was, empty for one that is not set, and removes it where value is
// empty. Where another transaction came first, this one is run again.
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
		err = errRaced
	}
	return err
}
