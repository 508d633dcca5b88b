package store

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
)

const selectPasskey = `select id, user_id, credential_id, name, data, created_at, used_at from passkey `

func scanPasskey(r scanner) (p org.Passkey, err error) {
	return p, r.Scan(&p.ID, &p.UserID, &p.CredentialID, &p.Name, &p.Data, nullTime{&p.CreatedAt}, nullTime{&p.UsedAt})
}

// Passkeys lists a user's passkeys, oldest first.
func (v *View) Passkeys(ctx context.Context, userID string) ([]org.Passkey, error) {
	return collect(ctx, v, scanPasskey, selectPasskey+`where user_id = $1 order by created_at, id`, userID)
}

// PasskeyByCredential finds a passkey by how its authenticator names it; org.ErrNoPasskey.
func (v *View) PasskeyByCredential(ctx context.Context, credentialID string) (org.Passkey, error) {
	p, err := scanPasskey(v.q.QueryRowContext(ctx, selectPasskey+`where credential_id = $1`, credentialID))
	return p, noRowsAs(err, org.ErrNoPasskey)
}

// AddPasskey stores a passkey; org.ErrPasskeyKnown.
func (tx *Tx) AddPasskey(ctx context.Context, p org.Passkey) (org.Passkey, error) {
	p.ID, p.CreatedAt = NewID(), tx.at
	n, err := tx.exec(ctx, `insert into passkey (id, user_id, credential_id, name, data, created_at)
		values ($1, $2, $3, $4, $5, $6)
		on conflict (credential_id) do nothing`, p.ID, p.UserID, p.CredentialID, p.Name, p.Data, micros(p.CreatedAt))
	if err == nil && n == 0 {
		err = org.ErrPasskeyKnown
	}
	return p, err
}

// UsePasskey notes that a passkey was used now, with what its record is from then on; org.ErrNoPasskey if it was revoked meanwhile.
func (tx *Tx) UsePasskey(ctx context.Context, id, data string) error {
	n, err := tx.exec(ctx, `update passkey set data = $1, used_at = $2 where id = $3`, data, micros(tx.at), id)
	return found(n, err, org.ErrNoPasskey)
}

// RenamePasskey gives a user's passkey another name; org.ErrNoPasskey.
func (tx *Tx) RenamePasskey(ctx context.Context, userID, id, name string) error {
	n, err := tx.exec(ctx, `update passkey set name = $1 where id = $2 and user_id = $3`, name, id, userID)
	return found(n, err, org.ErrNoPasskey)
}

// RemovePasskey revokes a user's passkey and returns it; org.ErrNoPasskey.
func (tx *Tx) RemovePasskey(ctx context.Context, userID, id string) (org.Passkey, error) {
	p, err := scanPasskey(tx.q.QueryRowContext(ctx, `delete from passkey
		where id = $1 and user_id = $2
		returning id, user_id, credential_id, name, data, created_at, used_at`, id, userID))
	return p, noRowsAs(err, org.ErrNoPasskey)
}

// RemovePasskeys revokes all passkeys of a user, and returns how many there were.
func (tx *Tx) RemovePasskeys(ctx context.Context, userID string) (int64, error) {
	return tx.exec(ctx, `delete from passkey where user_id = $1`, userID)
}

// found returns absent if a statement changed nothing.
func found(n int64, err, absent error) error {
	if err == nil && n == 0 {
		err = absent
	}
	return err
}

// UseChallenge notes that a challenge was answered, and reports false if it was before.
func (tx *Tx) UseChallenge(ctx context.Context, hash string, expiresAt time.Time) (bool, error) {
	n, err := tx.exec(ctx, `insert into used_challenge (hash, expires_at) values ($1, $2) on conflict (hash) do nothing`, hash, micros(expiresAt))
	return n > 0, err
}
