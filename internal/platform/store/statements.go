package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// preparer is a pool, or one connection of it.
type preparer interface {
	querier
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// mostStatements bounds how many statements are kept. The program has fewer.
const maxStatements = 500

// statements keeps what SQLite made of each query, which takes it longer than to run most of them. What has begun is not
// interrupted: a statement is short, to listen for the end of a context costs more than a small one itself, and the
// interruption of one would undo the whole transaction, which others share.
type statements struct {
	on preparer

	mu   sync.RWMutex
	kept map[string]*sql.Stmt
}

func newStatements(on preparer) *statements {
	return &statements{on: on, kept: map[string]*sql.Stmt{}}
}

// prepared finds or makes the statement of a query; nil when it cannot be had or the context ended.
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
		_ = fresh.Close() // two came at once; this one was not used
		return first
	}
	s.kept[query] = fresh
	return fresh
}

// close gives the statements up, without which SQLite keeps a connection half open.
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
