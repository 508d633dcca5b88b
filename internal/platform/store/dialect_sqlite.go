package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

type sqliteDialect struct{ path string }

func (d sqliteDialect) String() string { return "sqlite:" + d.path }

// open makes two pools on one file: a single writer, which takes the lock when its transaction begins and overwrites what it
// deletes, and readers, which cannot write. What the writer may have to roll back is kept in memory, not in a temporary file
// for each savepoint. The engine's own wait for a lock, which no context interrupts, is short for the writer: Write has a
// wait that a context ends.
func (d sqliteDialect) open(time.Duration) (*pool, *pool, error) {
	write, read, err := d.pools()
	return &pool{db: write}, &pool{db: read}, err
}

func (d sqliteDialect) pools() (write, read *sql.DB, err error) {
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return nil, nil, err
	}
	if err := createPrivate(d.path); err != nil {
		return nil, nil, err
	}
	if write, err = sql.Open("sqlite", d.dsn("_txlock=immediate", "_pragma=secure_delete(1)", "_pragma=temp_store(2)", "_busy_timeout=100")); err != nil {
		return nil, nil, err
	}
	write.SetMaxOpenConns(2) // one for group commit, and one for migrations
	write.SetConnMaxIdleTime(0)
	if read, err = sql.Open("sqlite", d.dsn("_query_only=1", "_busy_timeout=10000")); err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return write, read, nil
}

// createPrivate creates the file if there is none, readable for its owner only: the engine would let others read it. It
// does not open a file that exists, because closing it would release the locks that this process holds on it.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// dsn asks for synchronous FULL, so that an acknowledged commit survives a power cut, and for 16 KiB pages, which suit rows
// of 8 KB. The driver runs the _pragma list before the other settings; the page size is in that list because WAL mode fixes
// it.
func (d sqliteDialect) dsn(extra ...string) string {
	settings := append([]string{
		"_pragma=page_size(16384)", "_pragma=cache_size(-4000)", "_journal_mode=WAL", "_synchronous=FULL", "_foreign_keys=1",
	}, extra...)
	return "file:" + (&url.URL{Path: d.path}).EscapedPath() + "?" + strings.Join(settings, "&")
}

func (sqliteDialect) check(context.Context, *sql.DB) error { return nil }

func (d sqliteDialect) migrations() (goose.Dialect, []goose.ProviderOption, error) {
	return goose.DialectSQLite3, []goose.ProviderOption{goose.WithSessionLocker(&fileLock{path: d.path + "-starting"})}, nil
}

// adapt adds the full-text index of the passages. It holds no text of its own (its content is the table passage), triggers keep
// it equal to the table, and a deleted passage leaves nothing in it: secure-delete removes the entries from its segments
// instead of marking them. The terms come folded and without signs, so the tokenizer only has to split them at spaces.
func (sqliteDialect) adapt(ctx context.Context, db *sql.DB) error {
	var due bool
	err := db.QueryRowContext(ctx, `select exists (select 1 from sqlite_schema where name = 'passage')
		and not exists (select 1 from sqlite_schema where name = 'passage_removed')`).Scan(&due)
	if err != nil || !due {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, statement := range []string{
		`create virtual table if not exists passage_index using fts5 (terms, content = 'passage', content_rowid = 'id', tokenize = 'ascii')`,
		`insert into passage_index (passage_index, rank) values ('secure-delete', 1)`,
		`insert into passage_index (passage_index) values ('rebuild')`,
		`create trigger if not exists passage_added after insert on passage begin
			insert into passage_index (rowid, terms) values (new.id, new.terms);
		end`,
		`create trigger if not exists passage_removed after delete on passage begin
			insert into passage_index (passage_index, rowid, terms) values ('delete', old.id, old.terms);
		end`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (sqliteDialect) passageSearch() passageSearch {
	return passageSearch{
		from:    `passage_index join passage p on p.id = passage_index.rowid`,
		matches: `passage_index match $1`,
		order:   `passage_index.rank`,
		either:  " OR ", both: " AND ",
		term: func(term string) string { return `"` + term + `"` },
	}
}

func (sqliteDialect) itemQuality() string {
	return `case when json_type(i.list_item, '$.qualityScore') in ('integer', 'real') then json_extract(i.list_item, '$.qualityScore') end`
}

func (sqliteDialect) itemHasTag(tag string) string {
	return `exists (select 1 from json_each(i.list_item, '$.tags') t where t.value = ` + tag + `)`
}

// containsFold disregards the case of ASCII letters only, as SQLite does without an extension.
func (sqliteDialect) containsFold(text, part string) string {
	return `instr(lower(` + text + `), lower(` + part + `)) > 0`
}

func (sqliteDialect) singleWriter() bool { return true }

// placeholders are not numbered: the driver looks for the name of each one among all the others, which takes longer than
// running the statement where it has hundreds of rows.
func (sqliteDialect) placeholders(_, n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }

func (sqliteDialect) timeText(micros string) string {
	return `strftime('%Y-%m-%dT%H:%M:%S', ` + micros + ` / 1000000, 'unixepoch') || printf('.%06dZ', ` + micros + ` % 1000000)`
}

// document makes the driver return bytes: of a text it makes a string, which database/sql then copies.
func (sqliteDialect) document(column string) string { return "cast(" + column + " as blob)" }

func (sqliteDialect) lockRows() string { return "" }

func (sqliteDialect) skipLocked() string { return "" }

func (sqliteDialect) lost(error) bool { return false }

func (sqliteDialect) stale(error) bool { return false }

func (sqliteDialect) notCommitted(error) bool { return false }

func (sqliteDialect) setTimeouts() string { return "" }

func (sqliteDialect) maxConnections() int { return 0 }

func (sqliteDialect) retryable(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED
	}
	return errors.Is(err, errReaders) || errors.Is(err, errShared)
}

func (sqliteDialect) uniqueViolation(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

func (sqliteDialect) snapshot(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	return db.BeginTx(ctx, nil)
}

func (sqliteDialect) copied(context.Context, *sql.DB) error { return nil }
