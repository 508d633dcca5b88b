package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// queryRow reads one row; sql.ErrNoRows. It is for the reads that clients ask for most: outside a transaction it goes to PostgreSQL through
// pgx itself. database/sql would start two goroutines for the row, and copy each of its texts once more.
func (v *View) queryRow(ctx context.Context, dest []any, query string, args ...any) error {
	if v.row != nil {
		return v.row(ctx, dest, query, cleanTexts(args)...)
	}
	return v.q.QueryRowContext(ctx, query, args...).Scan(dest...)
}

// row reads one row on a connection of the read pool, with the waits and retries of other reads.
func (s *Store) row(ctx context.Context, dest []any, query string, args ...any) (err error) {
	if s.fail != nil {
		if err := s.fail(false); err != nil {
			return err
		}
	}
	if s.watch != nil {
		operation, table := describeStatement(query)
		var end func(error)
		ctx, end = s.watch(ctx, operation, table)
		defer func() {
			if errors.Is(err, sql.ErrNoRows) {
				end(nil)
				return
			}
			end(err)
		}()
	}
	r := readRetrier{s.readPool, s.wait / 2, s.dialect}
	until := time.Now().Add(r.wait)
	for n := 0; ; n++ {
		conn, err := r.pool.conn(ctx, until)
		if err == nil {
			err = pgxRow(ctx, conn, dest, query, args...)
			_ = conn.Close() // the connection's own error is that of the read
		}
		if errors.Is(err, sql.ErrNoRows) || err != nil && ctx.Err() != nil {
			return noRowsAs(err, sql.ErrNoRows)
		}
		if err == nil || !r.again(ctx, n, until, err) {
			return r.wrap(ctx, err)
		}
	}
}

// pgxRow reads one row on a connection.
func pgxRow(ctx context.Context, conn *sql.Conn, dest []any, query string, args ...any) error {
	return conn.Raw(func(driverConn any) error {
		native, ok := driverConn.(interface{ Conn() *pgx.Conn })
		if !ok {
			return fmt.Errorf("%w: %T", errNotPgx, driverConn)
		}
		return native.Conn().QueryRow(ctx, query, args...).Scan(dest...)
	})
}
