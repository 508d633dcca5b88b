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
	check(ctx context.Context, db *sql.DB) error                // refuses a server that lacks what Verbatim needs
	migrations() (goose.Dialect, []goose.ProviderOption, error) // how goose runs the migrations
	adapt(ctx context.Context, db *sql.DB) error                // changes of the schema that common SQL cannot express; may be repeated
	singleWriter() bool                                         // only one transaction at a time writes
	placeholders(from, n int) string                            // ($3, $4): n placeholders, the first of them numbered from
	timeText(micros string) string                              // an expression that formats a time in microseconds as package document does
	document(column string) string                              // an expression that selects a text column as its stored bytes
	lockRows() string                                           // suffix of a select that locks its rows
	skipLocked() string                                         // suffix of a select that locks its rows and skips those that others have locked
	retryable(err error) bool                                   // a transient error: the same transaction may succeed now
	lost(err error) bool                                        // the connection broke, or could not be had
	stale(err error) bool                                       // the connection leads to a server that no longer accepts writes
	notCommitted(err error) bool                                // the server ended the transaction and stored nothing of it
	setTimeouts() string                                        // a statement with the timeouts that begins each transaction; may be empty
	maxConnections() int                                        // the most connections that a process opens; 0: not applicable
	uniqueViolation(err error) bool                             // a unique constraint was violated
	catalog() string                                            // the query for the tables, their columns, keys and parents; see Store.tables
	snapshot(ctx context.Context, db *sql.DB) (*sql.Tx, error)  // begins a transaction that reads one snapshot, for as long as it takes
	copied(ctx context.Context, db *sql.DB) error               // prepares a database that a copy has filled for use
	scrub(ctx context.Context, s *Store) error                  // removes deleted data from the engine's files; see Store.Scrub
	passageSearch() passageSearch                               // how the index of passages is searched
	itemQuality() string                                        // the quality score in i.list_item, or null
	itemHasTag(tag string) string                               // whether i.list_item has a tag
	containsFold(text, part string) string                      // whether a text contains a part, without regard to case
}

// parseAddress parses the value of --database.
func parseAddress(address, password string) (dialect, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch {
	case scheme == "sqlite" && rest != "":
		return sqliteDialect{path: rest}, nil
	case scheme == "postgres", scheme == "postgresql":
		return parsePostgres(address, password)
	}
	return nil, errors.New("the database address must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE") // the address is not repeated: it may hold a password
}
