package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// itemRows are rows of a readable id and a list document.
type itemRows interface {
	each(fn func(readableID int, list []byte) (stop bool)) error // goes on where it stopped; the bytes are valid only during the call
	close()                                                      // its error is that of each, or nobody wants the rows any more
}

// sqlItemRows come through database/sql, which copies nothing of what SQLite gives.
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

// pgxItemRows come through pgx itself: database/sql would make a string of each document and copy it once more, which takes
// as long as all the rest of a page.
type pgxItemRows struct {
	conn *sql.Conn
	rows pgx.Rows
}

// errNotPgx means that the pool's connections are not pgx's.
var errNotPgx = errors.New("store: the connection is not one of pgx")

func pgxQuery(ctx context.Context, pool *sql.DB, query string, args ...any) (itemRows, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	r := &pgxItemRows{conn: conn}
	err = conn.Raw(func(driverConn any) error {
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
		return r.rows.Err()
	})
}

func (r *pgxItemRows) close() {
	_ = r.conn.Raw(func(any) error {
		r.rows.Close()
		return nil
	})
	_ = r.conn.Close()
}
