package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// StartKeyLife is how long starts with the same idempotency key lead to the same response.
const StartKeyLife = 24 * time.Hour

// KeyedStart is an interview that was started with an idempotency key.
type KeyedStart struct {
	StudyID    string
	KeyHash    string
	Salt       string // makes the interview's token, together with the key
	ResponseID string
}

// FindStart finds the interview that was started in a study with a key within StartKeyLife.
func (v *View) FindStart(ctx context.Context, studyID, keyHash string) (start KeyedStart, found bool, err error) {
	start = KeyedStart{StudyID: studyID, KeyHash: keyHash}
	err = v.q.QueryRowContext(ctx, `select salt, response_id from begin_key where study_id = $1 and key_hash = $2 and created_at >= $3`,
		studyID, keyHash, micros(v.now().Add(-StartKeyLife))).Scan(&start.Salt, &start.ResponseID)
	if errors.Is(err, sql.ErrNoRows) {
		return KeyedStart{}, false, nil
	}
	return start, err == nil, err
}

// SaveStart stores a start in the transaction of its response, and reports whether it is the first with its key. It waits for
// another transaction that is about to store the same key.
func (tx *Tx) SaveStart(ctx context.Context, start KeyedStart) (first bool, err error) {
	n, err := tx.exec(ctx, `insert into begin_key (study_id, key_hash, salt, response_id, created_at)
		values ($1, $2, $3, $4, $5)
		on conflict (study_id, key_hash) do update
		set salt = excluded.salt, response_id = excluded.response_id, created_at = excluded.created_at
		where begin_key.created_at < $6`,
		start.StudyID, start.KeyHash, start.Salt, start.ResponseID, micros(tx.at), micros(tx.at.Add(-StartKeyLife)))
	return n > 0, err
}

// PruneStartKeys removes the keys of starts before a time.
func (tx *Tx) PruneStartKeys(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `delete from begin_key where created_at < $1`, micros(before))
	return err
}
