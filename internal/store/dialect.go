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

	open(wait time.Duration) (write, read *sql.DB, err error)   // wait: see Options.Wait
	check(ctx context.Context, db *sql.DB) error                // refuses a server that will not do
	migrations() (goose.Dialect, []goose.ProviderOption, error) // how goose runs the migrations
	adapt(ctx context.Context, db *sql.DB) error                // what no common SQL says of the schema; may be repeated
	singleWriter() bool                                         // one transaction at a time writes
	places(from, n int) string                                  // ($3, $4): n places for arguments, the first of them number from
	document(column string) string                              // selects a column of text as the bytes that it is stored as
	lockRows() string                                           // ends a select that keeps its rows as they are
	skipLocked() string                                         // ends a select that takes the rows that no one else holds
	retryable(err error) bool                                   // something passing was in the way: the same transaction may succeed now
	lost(err error) bool                                        // the connection broke, or could not be had
	unique(err error) bool                                      // a unique constraint was broken
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
