package store

import (
	"context"
	"database/sql"
)

// failingReads makes reads fail while fail returns an error; see Options.Fail.
type failingReads struct {
	querier
	fail func(write bool) error
}

// ExecContext implements querier.
func (f failingReads) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := f.fail(false); err != nil {
		return nil, err
	}
	return f.querier.ExecContext(ctx, query, args...)
}

// QueryContext implements querier.
func (f failingReads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := f.fail(false); err != nil {
		return nil, err
	}
	return f.querier.QueryContext(ctx, query, args...)
}

// QueryRowContext implements querier.
func (f failingReads) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if err := f.fail(false); err != nil {
		return failedRow(err)
	}
	return f.querier.QueryRowContext(ctx, query, args...)
}
