package store

import (
	"context"
	"time"
)

// Shared tells whether servers on several machines can work on this database at once.
func (s *Store) Shared() bool { return !s.dialect.singleWriter() }

// File returns the file of a SQLite database, and reports whether it is one.
func (s *Store) File() (path string, ok bool) {
	d, ok := s.dialect.(sqliteDialect)
	return d.path, ok
}

// String names the database for people and logs, without its password.
func (s *Store) String() string { return s.dialect.String() }

// forgotten is how long a node that gives no sign keeps its row. It is far more than the time after which the node no
// longer counts, so that a clock that is wrong does not make two nodes remove each other at every beat.
const forgotten = time.Hour

// BeatNode notes that a node lives.
func (tx *Tx) BeatNode(ctx context.Context, id string) error {
	if _, err := tx.exec(ctx, `insert into node (id, seen_at) values ($1, $2) on conflict (id) do update set seen_at = excluded.seen_at`, id, micros(tx.at)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from node where seen_at < $1`, micros(tx.at.Add(-forgotten)))
	return err
}

// LeaveNode forgets a node that stops.
func (tx *Tx) LeaveNode(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from node where id = $1`, id)
	return err
}

// LiveNodes counts the nodes that gave a sign within the last while.
func (v *View) LiveNodes(ctx context.Context, within time.Duration) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from node where seen_at > $1`, micros(v.now().Add(-within))).Scan(&n)
	return n, err
}
