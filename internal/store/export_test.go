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
		e := &explainer{querier: tx.q}
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
	plans []string
	err   error
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
	rows, err := e.querier.QueryContext(ctx, "explain query plan "+query, args...)
	if err != nil {
		e.err = err
		return
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if e.err = rows.Scan(&id, &parent, &unused, &step); e.err != nil {
			return
		}
		e.plans = append(e.plans, step)
	}
}
