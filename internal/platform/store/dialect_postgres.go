package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// minPostgres is the oldest version that the suites run on.
const minPostgres = 15

// maxConns limits the connections of one process, half of them for reading, unless the address says otherwise: four nodes
// fit into the hundred that a server accepts by default.
const maxConns = 20

// A node that hangs or is cut off in the middle of a transaction holds its locks until the server ends its session, after
// idleInTransaction. A wait for a lock ends after lockWait and the transaction is tried again, so that by the time the
// session ends, the statements that queued behind that node have left the queue. A statement that changes a row may wait
// twice, for its place in the queue and for the row, so lockWait is half of idleInTransaction. If it were longer, those
// statements would get the row one after the other, and each would hold up the next.
const (
	idleInTransaction = 1400 * time.Millisecond
	lockWait          = idleInTransaction / 2
)

// Timeouts for opening a connection to each host of the address; shorter if there are other hosts to try.
const (
	connectTimeout      = 5 * time.Second
	connectTimeoutOfOne = 2 * time.Second
)

type postgresDialect struct {
	config        *pgx.ConnConfig
	conns         int
	served        *atomic.Int32     // see hosts
	timeouts      map[string]string // the timeouts of a transaction, by the names of their settings
	timeoutsGiven bool              // the address sets some of them
	pooled        bool              // a pooler may give each transaction another session of the server
}

// The settings that hold the timeouts of a transaction.
const (
	lockTimeout = "lock_timeout"
	idleTimeout = "idle_in_transaction_session_timeout"
)

func (d postgresDialect) String() string {
	return fmt.Sprintf("the PostgreSQL database %s at %s", d.config.Database, d.config.Host)
}

// open makes two pools, so that a transaction that reads outside itself never waits for its own connection, and writes never
// wait for reads. The server ends long waits for a lock, and a transaction whose process fell silent: no transaction waits
// for a client.
func (d postgresDialect) open(wait time.Duration) (write, read *pool, err error) {
	readers := d.conns / 2
	settings := map[string]string{}
	if !d.pooled { // a pooler refuses settings that it does not know; see setTimeouts
		maps.Copy(settings, d.timeouts)
		if wait < lockWait && !d.timeoutsGiven {
			settings[lockTimeout] = milliseconds(wait)
		}
	}
	write = d.pool(d.conns-readers, settings)
	return write, d.pool(readers, nil, d.readOnly()...), nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// readOnly makes the sessions of readers refuse writes, so that a mistake here is found. They are set after the connection
// was chosen, because target_session_attrs=read-write would refuse a session that begins read-only. Sessions of a pooler
// serve writers, too, and are left as they are.
func (d postgresDialect) readOnly() []stdlib.OptionOpenDB {
	if d.pooled {
		return nil
	}
	return []stdlib.OptionOpenDB{stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `set default_transaction_read_only = on`)
		return err
	})}
}

func (d postgresDialect) pool(conns int, settings map[string]string, options ...stdlib.OptionOpenDB) *pool {
	config := d.config.Copy()
	for name, value := range settings {
		if _, given := config.RuntimeParams[name]; !given {
			config.RuntimeParams[name] = value
		}
	}
	// A server that was restarted leaves dead connections behind, so those that were idle for 100 ms are tested first.
	options = append(options, stdlib.OptionShouldPing(func(_ context.Context, p stdlib.ShouldPingParams) bool {
		return p.IdleDuration > 100*time.Millisecond
	}))
	servers := hosts{served: d.served}
	for _, one := range eachHost(config) {
		servers.connectors = append(servers.connectors, stdlib.GetConnector(*one, options...))
	}
	return newPool(servers, conns)
}

// setTimeouts returns a statement that gives a transaction behind a pooler the timeouts that other sessions have from the
// start.
func (d postgresDialect) setTimeouts() string {
	if !d.pooled {
		return ""
	}
	return fmt.Sprintf(`select set_config('%s', '%s', true), set_config('%s', '%s', true)`,
		lockTimeout, d.timeouts[lockTimeout], idleTimeout, d.timeouts[idleTimeout])
}

func (d postgresDialect) maxConnections() int { return d.conns }

// check refuses a server that is too old, and a database that cannot store every text.
func (d postgresDialect) check(ctx context.Context, db *sql.DB) error {
	var version int
	var encoding string
	if err := db.QueryRowContext(ctx, `select current_setting('server_version_num')::int / 10000, current_setting('server_encoding')`).
		Scan(&version, &encoding); err != nil {
		return err
	}
	if version < minPostgres {
		return fmt.Errorf("PostgreSQL %d is too old: Verbatim needs %d or later", version, minPostgres)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the encoding of the database is %s; it must be UTF8", encoding)
	}
	return nil
}

// limit returns how many connections the server gives to this account and database.
func (d postgresDialect) limit(ctx context.Context, q querier) (n int, err error) {
	err = q.QueryRowContext(ctx, `select least(
			current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
				- coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::int,
			(select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
			(select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user))`).Scan(&n)
	return n, err
}

// migrations lets one node at a time migrate, by a lock that the server releases when its holder dies.
func (d postgresDialect) migrations() (goose.Dialect, []goose.ProviderOption, error) {
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(&migrationLock{dialect: d})}, nil
}

// adapt gives every text column the order of bytes, whatever the database's locale, as on SQLite, and the faster compression
// if the server was built with it. A column keeps both from then on.
func (postgresDialect) adapt(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	const lockID = 0x76657262 // any number, the same for all processes
	if _, err := tx.ExecContext(ctx, `select pg_advisory_xact_lock($1)`, lockID); err != nil {
		return err
	}
	changes, err := collect(ctx, &View{q: tx}, func(r scanner) (s string, err error) { return s, r.Scan(&s) },
		`select format('alter table %I ', c.relname) || string_agg(
			format('alter column %I type text collate "C"', a.attname) ||
			case when 'lz4' = any(s.enumvals) then format(', alter column %I set compression lz4', a.attname) else '' end, ', ')
		from pg_class c
		join pg_attribute a on a.attrelid = c.oid
		cross join pg_settings s
		where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
			and a.attnum > 0 and not a.attisdropped
			and a.atttypid = 'text'::regtype and a.attcollation <> 'pg_catalog."C"'::regcollation
			and s.name = 'default_toast_compression'
		group by c.relname`)
	if err != nil {
		return err
	}
	for _, change := range changes {
		if _, err := tx.ExecContext(ctx, change); err != nil {
			return err
		}
	}
	if err := addPassageIndex(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// passageVector is the expression that the index of the passages is on. The terms come folded and without signs, so that no
// parser has to read them.
const passageVector = `array_to_tsvector(string_to_array(terms, ' '))`

// addPassageIndex adds the full-text index of the passages where it is missing. Looking first takes no lock on the table.
func addPassageIndex(ctx context.Context, tx *sql.Tx) error {
	var due bool
	if err := tx.QueryRowContext(ctx, `select to_regclass('passage') is not null and to_regclass('passage_terms') is null`).Scan(&due); err != nil || !due {
		return err
	}
	_, err := tx.ExecContext(ctx, `create index passage_terms on passage using gin (`+passageVector+`)`)
	return err
}

func (postgresDialect) passageSearch() passageSearch {
	return passageSearch{
		from:    `passage p`,
		matches: passageVector + ` @@ cast(cast($1 as text) as tsquery)`,
		order:   `ts_rank(` + passageVector + `, cast(cast($1 as text) as tsquery)) desc`,
		either:  " | ", both: " & ",
		term: func(term string) string { return "'" + term + "'" },
	}
}

func (postgresDialect) itemQuality() string {
	return `case when jsonb_typeof(cast(i.list_item as jsonb) -> 'qualityScore') = 'number' then cast(cast(i.list_item as jsonb) ->> 'qualityScore' as double precision) end`
}

func (postgresDialect) itemHasTag(tag string) string {
	return `cast(i.list_item as jsonb) -> 'tags' @> jsonb_build_array(cast(` + tag + ` as text))`
}

func (postgresDialect) containsFold(text, part string) string {
	return `position(lower(cast(` + part + ` as text) collate "default") in lower(` + text + ` collate "default")) > 0`
}

func (postgresDialect) singleWriter() bool { return false }

func (postgresDialect) placeholders(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = "$" + strconv.Itoa(from+i)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (postgresDialect) timeText(micros string) string {
	return `to_char(timestamp '1970-01-01' + ` + micros + ` * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

func (postgresDialect) document(column string) string { return column }

func (postgresDialect) lockRows() string { return " for no key update" }

func (postgresDialect) skipLocked() string { return " for update skip locked" }

// scrub does nothing: deleted rows are left to VACUUM, and the log to the operator's retention.
func (postgresDialect) scrub(context.Context, *Store) error { return nil }

func (postgresDialect) snapshot(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// copied analyzes the tables, so that the planner knows their sizes before autovacuum has run.
func (postgresDialect) copied(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `analyze`)
	return err
}
