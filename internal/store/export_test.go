package store

import (
	"context"
	"database/sql"
)

// Handles gives tests the pools themselves.
func (s *Store) Handles() (write, read *sql.DB) { return s.write, s.read }

// Rests tells how many pages hold bytes of rows that are not there any more.
func (s *Store) Rests(ctx context.Context) (int, error) {
	dirty, err := dirtyPages(ctx, s.read)
	return len(dirty), err
}

// Plans runs a transaction and returns how the engine finds the rows of its statements: a line for each step.
func (s *Store) Plans(ctx context.Context, fn func(*Tx) error) (plans []string, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		e := &explainer{querier: tx.q, postgres: !s.dialect.singleWriter()}
		if e.postgres {
			if _, err := tx.exec(ctx, `set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off`); err != nil {
				return err
			}
		}
		tx.q = e
		if err := fn(tx); err != nil {
			return err
		}
		plans = e.plans
		return e.err
	})
	return plans, err
}

// explainer asks for the plan of each statement before it runs it.
type explainer struct {
	querier
	postgres bool
	plans    []string
	err      error
}

func (e *explainer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	e.explain(ctx, query, args)
	return e.querier.ExecContext(ctx, query, args...)
}

func (e *explainer) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	e.explain(ctx, query, args)
	return e.querier.QueryContext(ctx, query, args...)
}

func (e *explainer) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	e.explain(ctx, query, args)
	return e.querier.QueryRowContext(ctx, query, args...)
}

func (e *explainer) explain(ctx context.Context, query string, args []any) {
	ask, columns := "explain query plan ", []any{new(int), new(int), new(int), nil}
	if e.postgres {
		ask, columns = "explain (costs off) ", []any{nil}
	}
	rows, err := e.querier.QueryContext(ctx, ask+query, args...)
	if err != nil {
		e.err = err
		return
	}
	defer rows.Close()
	var step string
	columns[len(columns)-1] = &step
	for rows.Next() {
		if e.err = rows.Scan(columns...); e.err != nil {
			return
		}
		e.plans = append(e.plans, step)
	}
}

// Lose ends the whole transaction under the writer's feet, as SQLite does when the disk is full.
func (tx *Tx) Lose(ctx context.Context) error {
	_, err := tx.exec(ctx, `rollback`)
	return err
}

// SkipReadableIDs leaves a gap before the study's next readable id.
func (tx *Tx) SkipReadableIDs(ctx context.Context, studyID string, by int) error {
	_, err := tx.exec(ctx, `update study set last_readable_id = last_readable_id + $1 where id = $2`, by, studyID)
	return err
}

// Miscount makes a study's counts wrong.
func (tx *Tx) Miscount(ctx context.Context, studyID string) error {
	_, err := tx.exec(ctx, `update item_tally set live = live + 1 where study_id = $1`, studyID)
	return err
}

// SpeechRows counts what is stored of the speech of a response.
func (s *Store) SpeechRows(ctx context.Context, responseID string) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `select count(*) from speech_total where scope = 'interview' and id = $1`, responseID).Scan(&n)
	return n, err
}

// OldestReader is what this program says of older ones.
const OldestReader = oldestReader
