package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// preparer is a pool, or one of its connections.
type preparer interface {
	querier
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// maxStatements bounds how many statements are kept. The program has fewer.
const maxStatements = 500

// statements keeps SQLite's prepared statements: preparing one takes longer than running most of them. A statement that has
// begun is not interrupted: it is short, watching for the end of a context costs more than a small statement does, and
// interrupting one would roll back the complete transaction, which other writers share.
type statements struct {
	on preparer

	mu   sync.RWMutex
	kept map[string]*sql.Stmt
}

func newStatements(on preparer) *statements {
	return &statements{on: on, kept: map[string]*sql.Stmt{}}
}

// prepared returns the prepared statement of a query; nil when it cannot be prepared or the context has ended.
func (s *statements) prepared(ctx context.Context, query string) *sql.Stmt {
	if ctx.Err() != nil {
		return nil
	}
	s.mu.RLock()
	statement, full := s.kept[query], len(s.kept) >= maxStatements
	s.mu.RUnlock()
	if statement != nil || full {
		return statement
	}
	fresh, err := s.on.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.kept[query]; first != nil {
		_ = fresh.Close() // prepared twice at once; this one was not used
		return first
	}
	s.kept[query] = fresh
	return fresh
}

// close closes the statements; otherwise SQLite keeps a connection half open.
func (s *statements) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, statement := range s.kept {
		err = errors.Join(err, statement.Close())
	}
	clear(s.kept)
	return err
}

// ExecContext implements querier.
func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if statement := s.prepared(ctx, query); statement != nil {
		return statement.ExecContext(context.WithoutCancel(ctx), args...)
	}
	return s.on.ExecContext(ctx, query, args...)
}

// QueryContext implements querier.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if statement := s.prepared(ctx, query); statement != nil {
		return statement.QueryContext(context.WithoutCancel(ctx), args...)
	}
	return s.on.QueryContext(ctx, query, args...)
}

// QueryRowContext implements querier.
func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if statement := s.prepared(ctx, query); statement != nil {
		return statement.QueryRowContext(context.WithoutCancel(ctx), args...)
	}
	return s.on.QueryRowContext(ctx, query, args...)
}
