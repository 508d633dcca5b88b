package store

import (
	"context"
	"database/sql"

	"verbatim/internal/domain/strictjson"
)

// cleaning hands on queries with every text made one that each engine keeps, so that no engine refuses what another takes, and
// both find the same. The doors clean what arrives; this is for what slips past them.
type cleaning struct{ on querier }

func cleaned(args []any) []any {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			if clean := strictjson.CleanText(s); clean != s {
				args[i] = clean
			}
		}
	}
	return args
}

// ExecContext implements querier.
func (c cleaning) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.on.ExecContext(ctx, query, cleaned(args)...)
}

// QueryContext implements querier.
func (c cleaning) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.on.QueryContext(ctx, query, cleaned(args)...)
}

// QueryRowContext implements querier.
func (c cleaning) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.on.QueryRowContext(ctx, query, cleaned(args)...)
}
