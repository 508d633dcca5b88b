package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// itemRows are rows of a readable id and a list document.
type itemRows interface {
	each(fn func(readableID int, list []byte) (stop bool)) error // continues where it stopped; the bytes are valid only during the call
	close()                                                      // its error is that of each, or the rows are no longer needed
}

// sqlItemRows reads through database/sql, which copies nothing of what SQLite returns.
type sqlItemRows struct{ rows *sql.Rows }

func (r sqlItemRows) each(fn func(int, []byte) bool) error {
	for r.rows.Next() {
		var readableID int
		var list sql.RawBytes
		if err := r.rows.Scan(&readableID, &list); err != nil {
			return err
		}
		if fn(readableID, list) {
			return nil
		}
	}
	return r.rows.Err()
}

func (r sqlItemRows) close() { _ = r.rows.Close() }

// pgxItemRows reads through pgx itself: database/sql would make a string of each document and copy it once more, which takes
// as long as all the rest of a page.
type pgxItemRows struct {
	conn *sql.Conn
	d    dialect
	rows pgx.Rows
}

// items reads documents on a connection of the read pool, with the waits and retries of other reads.
func (s *Store) items(ctx context.Context, query string, args ...any) (rows itemRows, err error) {
	if s.fail != nil {
		if err := s.fail(false); err != nil {
			return nil, err
		}
	}
	if s.watch != nil {
		operation, table := describeStatement(query)
		_, end := s.watch(ctx, operation, table)
		defer func() { end(err) }()
	}
	r := readRetrier{s.readPool, s.wait / 2, s.dialect}
	until := time.Now().Add(r.wait)
	for n := 0; ; n++ {
		conn, err := r.pool.conn(ctx, until)
		if err == nil {
			rows, err = pgxQuery(ctx, conn, s.dialect, query, args...)
		}
		if err == nil || !r.again(ctx, n, until, err) {
			return rows, r.wrap(ctx, err)
		}
	}
}

// errNotPgx means that the pool's connections are not pgx's.
var errNotPgx = errors.New("store: the connection is not one of pgx")

// pgxQuery runs a statement on a connection, which returns to the pool when the rows are closed, or when there are none.
func pgxQuery(ctx context.Context, conn *sql.Conn, d dialect, query string, args ...any) (itemRows, error) {
	r := &pgxItemRows{conn: conn, d: d}
	err := conn.Raw(func(driverConn any) error {
		native, ok := driverConn.(interface{ Conn() *pgx.Conn })
		if !ok {
			return fmt.Errorf("%w: %T", errNotPgx, driverConn)
		}
		var err error
		r.rows, err = native.Conn().Query(ctx, query, args...)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return r, nil
}

func (r *pgxItemRows) each(fn func(int, []byte) bool) error {
	return r.conn.Raw(func(any) error {
		for r.rows.Next() {
			var readableID int
			if err := r.rows.Scan(&readableID, nil); err != nil {
				return err
			}
			if fn(readableID, r.rows.RawValues()[1]) { // a text is the same in both of the protocol's formats
				return nil
			}
		}
		return unreachable(r.d, r.rows.Err())
	})
}

func (r *pgxItemRows) close() {
	_ = r.conn.Raw(func(any) error {
		r.rows.Close()
		return nil
	})
	_ = r.conn.Close()
}
