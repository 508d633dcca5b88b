package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// oldestPostgres is the first version that the suites run on.
const oldestPostgres = 15

// maxConns is how many connections one process opens, half of them for reading, unless the address says otherwise: three
// nodes fit under the hundred that a server takes by default.
const maxConns = 20

type postgresDialect struct {
	config *pgx.ConnConfig
	conns  int
}

// parsePostgres reads an address of the form that libpq knows, with pool_max_conns for the size of the pools together.
func parsePostgres(address, password string) (dialect, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the database address: %s", withoutAddress(err))
	}
	if password != "" {
		config.Password = password
	}
	d := postgresDialect{config: config, conns: maxConns}
	if asked, found := config.RuntimeParams["pool_max_conns"]; found {
		delete(config.RuntimeParams, "pool_max_conns")
		if d.conns, err = strconv.Atoi(asked); err != nil || d.conns < 2 {
			return nil, fmt.Errorf("the database address: pool_max_conns must be a number from 2, not %q", asked)
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	return d, nil
}

// withoutAddress is what pgx has against an address, without the address: pgx masks passwords in it as well as it can, which
// is not always.
func withoutAddress(err error) string {
	text := err.Error()
	if end := strings.LastIndex(text, "`: "); end >= 0 {
		return text[end+len("`: "):]
	}
	return "it cannot be parsed"
}

func (d postgresDialect) String() string {
	return fmt.Sprintf("the PostgreSQL database %s at %s", d.config.Database, d.config.Host)
}

// open makes two pools, so that a transaction that reads beside itself never waits for its own connection. The server
// ends what waits too long for a lock, and a transaction whose process fell silent: no transaction waits for a client.
func (d postgresDialect) open(wait time.Duration) (write, read *sql.DB, err error) {
	readers := d.conns / 2
	write = d.pool(d.conns-readers, map[string]string{
		"lock_timeout":                        strconv.FormatInt(max(1, wait.Milliseconds()), 10),
		"idle_in_transaction_session_timeout": "30000",
	})
	read = d.pool(readers, map[string]string{"default_transaction_read_only": "on"})
	return write, read, nil
}

func (d postgresDialect) pool(conns int, settings map[string]string) *sql.DB {
	config := d.config.Copy()
	for name, value := range settings {
		if _, given := config.RuntimeParams[name]; !given {
			config.RuntimeParams[name] = value
		}
	}
	// A server that was restarted leaves dead connections behind. Those that were not used for a moment are tried first.
	connector := stdlib.GetConnector(*config, stdlib.OptionShouldPing(func(_ context.Context, p stdlib.ShouldPingParams) bool {
		return p.IdleDuration > 100*time.Millisecond
	}))
	db := sql.OpenDB(reaching{connector})
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db
}

// reaching names the failure to connect.
type reaching struct{ driver.Connector }

func (r reaching) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := r.Connector.Connect(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return conn, err
}

// check refuses a server that is too old, and a database that cannot keep every text.
func (d postgresDialect) check(ctx context.Context, db *sql.DB) error {
	var version int
	var encoding string
	if err := db.QueryRowContext(ctx, `select current_setting('server_version_num')::int / 10000, current_setting('server_encoding')`).
		Scan(&version, &encoding); err != nil {
		return err
	}
	if version < oldestPostgres {
		return fmt.Errorf("PostgreSQL %d is too old: %d is the oldest that Verbatim runs on", version, oldestPostgres)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the encoding of the database is %s; it must be UTF8", encoding)
	}
	return nil
}

// migrations keeps starters on several nodes apart by a lock that the server gives back when its holder dies.
func (postgresDialect) migrations() (goose.Dialect, []goose.ProviderOption, error) {
	const everySecond, forTenMinutes = 1, 600
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(everySecond, forTenMinutes))
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

// adapt gives every column of text the order of bytes, whatever the database's language, as SQLite has it, and the faster
// compression where the server was built with it. Both are settled for a column once and for all.
func (postgresDialect) adapt(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	const lockID = 0x76657262 // any number, the same for all starters
	if _, err := tx.ExecContext(ctx, `select pg_advisory_xact_lock($1)`, lockID); err != nil {
		return err
	}
	changes, err := collect(ctx, &View{q: tx}, func(r scanner) (s string, err error) { return s, r.Scan(&s) },
		`select format('alter table %I ', c.relname) || string_agg(
			format('alter column %I type text collate "C"', a.attname) ||
			case when 'lz4' = any(s.enumvals) then format(', alter column %I set compression lz4', a.attname) else '' end, ', ')
		from pg_class c join pg_attribute a on a.attrelid = c.oid cross join pg_settings s
		where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
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
	return tx.Commit()
}

func (postgresDialect) singleWriter() bool { return false }

func (postgresDialect) places(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = "$" + strconv.Itoa(from+i)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (postgresDialect) document(column string) string { return column }

func (postgresDialect) lockRows() string { return " for no key update" }

func (postgresDialect) skipLocked() string { return " for update skip locked" }

// code is the SQLSTATE of an error, empty when the server did not send it.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func (d postgresDialect) retryable(err error) bool {
	switch code(err) {
	case "40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03": // lock_not_available: lock_timeout
		return true
	}
	return d.lost(err)
}

// lost tells whether the connection broke, or could not be had although its settings may be right.
func (postgresDialect) lost(err error) bool {
	switch c := code(err); {
	case c != "":
		// 57P01 to 57P03: the server is going down, or starts; 53300: too many connections; class 08: connections
		return strings.HasPrefix(c, "57P0") || c == "53300" || strings.HasPrefix(c, "08")
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), pgconn.SafeToRetry(err):
		return true
	}
	_, network := errors.AsType[*net.OpError](err)
	return network
}

func (postgresDialect) unique(err error) bool { return code(err) == "23505" }

// scrub leaves deleted rows to VACUUM, and the log to the operator's retention.
func (postgresDialect) scrub(context.Context, *Store) error { return nil }
