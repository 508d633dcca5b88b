package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// BeginKeyLife is how long requests to begin with the same key lead to the same response.
const BeginKeyLife = 24 * time.Hour

// Begin is an interview that was begun with a key.
type Begin struct {
	StudyID    string
	KeyHash    string
	Salt       string // makes the interview's token, together with the key
	ResponseID string
}

// FindBegin returns what was begun in a study with a key, and reports whether that was within BeginKeyLife.
func (v *View) FindBegin(ctx context.Context, studyID, keyHash string) (b Begin, found bool, err error) {
	b = Begin{StudyID: studyID, KeyHash: keyHash}
	err = v.q.QueryRowContext(ctx, `select salt, response_id from begin_key where study_id = $1 and key_hash = $2 and created_at >= $3`,
		studyID, keyHash, micros(v.now().Add(-BeginKeyLife))).Scan(&b.Salt, &b.ResponseID)
	if errors.Is(err, sql.ErrNoRows) {
		return Begin{}, false, nil
	}
	return b, err == nil, err
}

// KeepBegin stores a begin in the transaction of its response, and reports whether it is the first with its key. It waits for
// another transaction that is about to store the same key.
func (tx *Tx) KeepBegin(ctx context.Context, b Begin) (first bool, err error) {
	n, err := tx.exec(ctx, `insert into begin_key (study_id, key_hash, salt, response_id, created_at)
		values ($1, $2, $3, $4, $5)
		on conflict (study_id, key_hash) do update
		set salt = excluded.salt, response_id = excluded.response_id, created_at = excluded.created_at
		where begin_key.created_at < $6`,
		b.StudyID, b.KeyHash, b.Salt, b.ResponseID, micros(tx.at), micros(tx.at.Add(-BeginKeyLife)))
	return n > 0, err
}

// PruneBegins removes the keys of begins before a time.
func (tx *Tx) PruneBegins(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `delete from begin_key where created_at < $1`, micros(before))
	return err
}
