package store

import (
	"context"
	"database/sql"

	"verbatim/internal/domain/strictjson"
)

// textCleaner replaces every text among the arguments by one that both engines can store, so that neither refuses what the
// other accepts, and both find the same. The api cleans what arrives; this is for what slips past it.
type textCleaner struct{ on querier }

func cleanTexts(args []any) []any {
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
func (c textCleaner) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.on.ExecContext(ctx, query, cleanTexts(args)...)
}

// QueryContext implements querier.
func (c textCleaner) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.on.QueryContext(ctx, query, cleanTexts(args)...)
}

// QueryRowContext implements querier.
func (c textCleaner) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.on.QueryRowContext(ctx, query, cleanTexts(args)...)
}
