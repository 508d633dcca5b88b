package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// dialect holds every difference between the engines.
type dialect interface {
	fmt.Stringer // the database, without its password

	open(wait time.Duration) (write, read *pool, err error)     // wait: see Options.Wait
	check(ctx context.Context, db *sql.DB) error                // refuses a server that will not do
	migrations() (goose.Dialect, []goose.ProviderOption, error) // how goose runs the migrations
	adapt(ctx context.Context, db *sql.DB) error                // what no common SQL says of the schema; may be repeated
	singleWriter() bool                                         // one transaction at a time writes
	places(from, n int) string                                  // ($3, $4): n places for arguments, the first of them number from
	timeText(micros string) string                              // an expression: a time in microseconds, as document writes it
	document(column string) string                              // selects a column of text as the bytes that it is stored as
	lockRows() string                                           // ends a select that keeps its rows as they are
	skipLocked() string                                         // ends a select that takes the rows that no one else holds
	retryable(err error) bool                                   // something passing was in the way: the same transaction may succeed now
	lost(err error) bool                                        // the connection broke, or could not be had
	stale(err error) bool                                       // the connection leads to a server that does not take writes any more
	undone(err error) bool                                      // the server ended the transaction and kept nothing of it
	bounds() string                                             // a statement that begins each transaction; may be empty
	connections() int                                           // most connections that a process opens; 0: that is its own affair
	unique(err error) bool                                      // a unique constraint was broken
	catalog() string                                            // the query for the tables, their columns, keys and parents; see Store.tables
	snapshot(ctx context.Context, db *sql.DB) (*sql.Tx, error)  // begins a transaction that reads one moment, for as long as it takes
	copied(ctx context.Context, db *sql.DB) error               // prepares a database that was filled by a copy for being used
	scrub(ctx context.Context, s *Store) error                  // takes what was deleted out of the engine's files; see Store.Scrub
}

// parseAddress reads --database.
func parseAddress(address, password string) (dialect, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch {
	case scheme == "sqlite" && rest != "":
		return sqliteDialect{path: rest}, nil
	case scheme == "postgres", scheme == "postgresql":
		return parsePostgres(address, password)
	}
	return nil, errors.New("the database address must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE") // not repeated: it may hold a password
}
