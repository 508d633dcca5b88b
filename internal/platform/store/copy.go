package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/domain/strictjson"
)

// A copy brings every row of one database into another, on either engine: each table in the order of its key, in batches. A
// batch and how far the copy is are stored in one transaction, so that an interrupted copy continues where it stopped. At the
// end both sides are read again and compared by counts and hashes.

// ErrUnfinished means that a copy is filling the database and has not ended.
var ErrUnfinished = errors.New("this database is being filled by a move or a restore that has not ended: run the same command again, which continues where it stopped")

// ErrNotEmpty means that a copy would mix its rows with those that are there.
var ErrNotEmpty = errors.New("the database is not empty")

// ErrDiffers means that a copy differs from its source.
var ErrDiffers = errors.New("the copy differs from its source")

// CopyOptions configure a copy.
type CopyOptions struct {
	Source   string   // name of the source: an interrupted copy continues only under the same name
	LeaveOut []string // names of settings that are not copied

	Batch int // at most this many rows are stored at once; 0: 200

	// Progress is called with how many rows of a table are copied so far; nil: it is not called.
	Progress func(table string, rows int64)
}

// CopiedTable reports what was copied of a table.
type CopiedTable struct {
	Name string
	Rows int64
	Hash string // SHA-256 of all rows, the same on both sides
}

// unfinishedCopySetting is the setting that a database has while a copy fills it; its value is a progress.
const unfinishedCopySetting = "unfinished_copy"

// progress is the state of a copy.
type progress struct {
	Source   string `json:"source"`
	Table    string `json:"table,omitempty"` // the table that is being copied; empty: none yet
	After    []any  `json:"after,omitempty"` // the key of its last copied row; empty: none yet
	Rows     int64  `json:"rows,omitempty"`  // how many of its rows are copied
	Verified bool   `json:"verified,omitempty"`

	stored string // as it is stored
}

const (
	copyRows  = 200     // maximum rows of a batch; see CopyOptions.Batch
	copyBytes = 4 << 20 // maximum bytes of a batch, exceeded by one row at most
	copyArgs  = 30_000  // maximum values of a batch, below the limits of the engines
)

// Copy fills an empty database, opened with Options.Filling, with a snapshot of this one, whose schema it gets, and compares
// the two. Transient rows, of the servers that run, are not copied. After an interruption it continues, if nothing changed in
// the source since: else ErrDiffers. ErrNotEmpty. Afterwards the target is unfinished until FinishCopy.
func (s *Store) Copy(ctx context.Context, to *Store, o CopyOptions) ([]CopiedTable, error) {
	version, brings, err := s.SchemaVersions(ctx)
	if err != nil {
		return nil, err
	}
	if version == 0 || version > brings {
		return nil, fmt.Errorf("the schema of %s is at version %d; this program knows 1 to %d", s, version, brings)
	}
	at, err := to.beginCopy(ctx, version, o)
	if err != nil {
		return nil, err
	}
	tables, err := s.tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	if !at.Verified { // once verified it may have a newer schema
		if err := sameTables(ctx, tables, to); err != nil {
			return nil, err
		}
	}
	source, err := s.dialect.snapshot(ctx, s.read)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Rollback() }()
	if !at.Verified {
		first := max(0, slices.IndexFunc(tables, func(t table) bool { return t.name == at.Table }))
		for _, t := range tables[first:] {
			if t.name != at.Table {
				at.Table, at.After, at.Rows = t.name, nil, 0
			}
			if err := copyTable(ctx, source, to, t, at, o); err != nil {
				return nil, fmt.Errorf("copying table %s: %w", t.name, err)
			}
		}
	}
	copied := make([]CopiedTable, 0, len(tables))
	for _, t := range tables {
		one, err := compare(ctx, source, to, t, o, at.Verified)
		if err != nil {
			return nil, err
		}
		copied = append(copied, one)
	}
	if at.Verified {
		return copied, nil
	}
	if err := to.dialect.copied(ctx, to.write); err != nil {
		return nil, err
	}
	at.Verified = true
	return copied, to.Write(ctx, func(tx *Tx) error { return tx.noteProgress(ctx, at) })
}

// FinishCopy makes a database that a copy has filled an ordinary one.
func (s *Store) FinishCopy(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `delete from setting where name = $1`, unfinishedCopySetting)
		return err
	})
}

// CheckFinished returns ErrUnfinished if a copy is filling the database.
func (s *Store) CheckFinished(ctx context.Context) error {
	was, err := s.View().Setting(ctx, unfinishedCopySetting)
	if err == nil && was != "" {
		err = ErrUnfinished
	}
	return err
}

// beginCopy prepares a database for being filled, or returns how far an interrupted copy is.
func (s *Store) beginCopy(ctx context.Context, version int64, o CopyOptions) (*progress, error) {
	has, _, err := s.SchemaVersions(ctx)
	if err != nil {
		return nil, err
	}
	if has <= version {
		if _, err := s.migrate(ctx, version); err != nil {
			return nil, err
		}
	}
	stored, err := s.View().Setting(ctx, unfinishedCopySetting)
	if err != nil {
		return nil, err
	}
	at := &progress{Source: o.Source}
	if stored != "" {
		decoder := json.NewDecoder(strings.NewReader(stored))
		decoder.UseNumber()
		if err := decoder.Decode(at); err != nil {
			return nil, fmt.Errorf("the setting %s of %s: %w", unfinishedCopySetting, s, err)
		}
		at.stored = stored
		if at.Source != o.Source {
			return nil, fmt.Errorf("%w: it holds a part of %s, from a command that was interrupted; run that command again, or use another database", ErrNotEmpty, at.Source)
		}
	}
	if stored != "" && (at.Verified || has <= version) {
		return at, nil
	}
	if err := s.checkEmpty(ctx); err != nil {
		return nil, err
	}
	if has > version {
		return nil, fmt.Errorf("the schema of %s is at version %d, newer than that of the source: use a database without tables", s, has)
	}
	return at, s.Write(ctx, func(tx *Tx) error { return tx.noteProgress(ctx, at) })
}

// checkEmpty returns ErrNotEmpty if a table has rows.
func (s *Store) checkEmpty(ctx context.Context) error {
	tables, err := s.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		var found bool
		which, args := "", []any(nil)
		if t.name == "setting" {
			which, args = " where name <> $1", []any{oldestReaderSetting} // a migration writes it
		}
		if err := s.read.QueryRowContext(ctx, `select exists (select 1 from `+quoted(t.name)+which+`)`, args...).Scan(&found); err != nil {
			return err
		}
		if found {
			return fmt.Errorf("%w: %s has rows in table %s", ErrNotEmpty, s, t.name)
		}
	}
	return nil
}

// noteProgress stores how far a copy is. Another copy into the same database makes it wait, and fail with outage.ErrBusy.
func (tx *Tx) noteProgress(ctx context.Context, at *progress) error {
	next, err := json.Marshal(at)
	if err != nil {
		return err
	}
	if err := tx.ChangeSetting(ctx, unfinishedCopySetting, at.stored, string(next)); err != nil {
		return err
	}
	at.stored = string(next)
	return nil
}

// sameTables returns an error if the target's tables differ from those of the source.
func sameTables(ctx context.Context, tables []table, to *Store) error {
	others, err := to.tables(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	for _, t := range tables {
		i := slices.IndexFunc(others, func(o table) bool { return o.name == t.name })
		if i < 0 || !slices.Equal(others[i].columns, t.columns) || !slices.Equal(others[i].key, t.key) {
			return fmt.Errorf("%w: table %s of %s has other columns", ErrDiffers, t.name, to)
		}
	}
	if len(others) != len(tables) {
		return fmt.Errorf("%w: %s has %d tables, the source %d", ErrDiffers, to, len(others), len(tables))
	}
	return nil
}

// copyTable copies the rows of a table that at says are still missing.
func copyTable(ctx context.Context, source *sql.Tx, to *Store, t table, at *progress, o CopyOptions) error {
	var rows [][]any
	var bytes int
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		next := *at
		next.After, next.Rows = t.keyOf(rows[len(rows)-1]), at.Rows+int64(len(rows))
		err := to.Write(ctx, func(tx *Tx) error {
			did := next // Write may run this again
			if err := tx.insertRows(ctx, t, rows); err != nil {
				return err
			}
			if err := tx.noteProgress(ctx, &did); err != nil {
				return err
			}
			next.stored = did.stored
			return nil
		})
		if err != nil {
			return err
		}
		*at, rows, bytes = next, rows[:0], 0
		if o.Progress != nil {
			o.Progress(t.name, at.Rows)
		}
		return nil
	}
	limit := min(cmp.Or(o.Batch, copyRows), copyArgs/len(t.columns))
	err := t.each(ctx, source, at.After, o, func(row []any, size int) error {
		rows, bytes = append(rows, row), bytes+size
		if len(rows) < limit && bytes < copyBytes {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return err
}

// insertRows inserts rows into a table.
func (tx *Tx) insertRows(ctx context.Context, t table, rows [][]any) error {
	var statement strings.Builder
	statement.WriteString(`insert into ` + quoted(t.name) + ` (` + t.columnList() + `) values `)
	args := make([]any, 0, len(rows)*len(t.columns))
	for i, row := range rows {
		if i > 0 {
			statement.WriteString(", ")
		}
		statement.WriteString(tx.d.placeholders(len(args)+1, len(row)))
		args = append(args, row...)
	}
	_, err := tx.q.ExecContext(ctx, statement.String(), args...)
	return err
}

// each calls fn with every row after a key, in the order of the keys, and with its approximate size in bytes.
func (t table) each(ctx context.Context, q querier, after []any, o CopyOptions, fn func(row []any, size int) error) error {
	key := make([]string, len(t.key))
	for i, name := range t.key {
		key[i] = quoted(name)
	}
	query, args := `select `+t.columnList()+` from `+quoted(t.name), []any(nil)
	if len(after) > 0 {
		places := make([]string, len(after))
		for i := range after {
			places[i] = "$" + strconv.Itoa(i+1)
		}
		query += ` where (` + strings.Join(key, ", ") + `) > (` + strings.Join(places, ", ") + `)`
		var err error
		if args, err = t.decodeKey(after); err != nil {
			return err
		}
	}
	rows, err := q.QueryContext(ctx, query+` order by `+strings.Join(key, ", "), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row := make([]any, len(t.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		size := 0
		for i, c := range t.columns {
			if row[i], err = c.kind.value(row[i]); err != nil {
				return fmt.Errorf("column %s: %w", c.name, err)
			}
			size += 8
			switch v := row[i].(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
		if t.leftOut(row, o) {
			continue
		}
		if err := fn(row, size); err != nil {
			return err
		}
	}
	return rows.Err()
}

// leftOut reports whether a row is not copied: a setting that is to be left out, that of the copy itself, or what the program
// notes of the schema.
func (t table) leftOut(row []any, o CopyOptions) bool {
	if t.name != "setting" {
		return false
	}
	name, _ := row[t.columnIndex("name")].(string)
	return name == unfinishedCopySetting || name == oldestReaderSetting || slices.Contains(o.LeaveOut, name)
}

func (t table) columnIndex(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

func (t table) keyOf(row []any) []any {
	key := make([]any, len(t.key))
	for i, name := range t.key {
		key[i] = row[t.columnIndex(name)]
	}
	return key
}

// decodeKey decodes a key that was stored as JSON.
func (t table) decodeKey(stored []any) ([]any, error) {
	if len(stored) != len(t.key) {
		return nil, fmt.Errorf("the key of table %s has %d columns, not %d", t.name, len(t.key), len(stored))
	}
	key := slices.Clone(stored)
	for i := range key {
		if n, ok := key[i].(json.Number); ok {
			var err error
			if key[i], err = n.Int64(); err != nil {
				return nil, err
			}
		}
	}
	return key, nil
}

// columnList returns the columns of a table as a statement lists them.
func (t table) columnList() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = quoted(c.name)
	}
	return strings.Join(names, ", ")
}

// quoted returns a name of the schema as a statement quotes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// value converts a value that an engine returned to the form that both store.
func (k kind) value(v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if k == kindBool {
			return v, nil
		}
	case int64:
		switch k {
		case kindInt:
			return v, nil
		case kindBool:
			return v != 0, nil
		case kindFloat:
			return float64(v), nil
		}
	case float64:
		if k == kindFloat {
			return v, nil
		}
	case string:
		if k == kindText {
			return strictjson.CleanText(v), nil // PostgreSQL may refuse what early versions stored
		}
	case []byte:
		switch k {
		case kindText:
			return strictjson.CleanText(string(v)), nil
		case kindBytes:
			return slices.Clone(v), nil
		}
	}
	return nil, fmt.Errorf("a value of type %T cannot be stored as %s", v, k)
}

// compare counts and hashes the rows of a table on both sides; ErrDiffers. If they were compared before, so that the
// target may have changed since, it only counts the source's.
func compare(ctx context.Context, source *sql.Tx, to *Store, t table, o CopyOptions, before bool) (CopiedTable, error) {
	var here, there CopiedTable
	var sides errgroup.Group
	sides.Go(func() (err error) {
		here, err = t.sum(ctx, source, o)
		return err
	})
	if !before {
		sides.Go(func() (err error) {
			there, err = t.sum(ctx, to.read, o)
			return err
		})
	}
	if err := sides.Wait(); err != nil {
		return here, fmt.Errorf("comparing table %s: %w", t.name, err)
	}
	if !before && here != there {
		return here, fmt.Errorf("%w in table %s: %d rows with the hash %s became %d with %s; if the source was written to meanwhile, start again with an empty database",
			ErrDiffers, t.name, here.Rows, here.Hash, there.Rows, there.Hash)
	}
	return here, nil
}

// sum counts and hashes the rows of a table.
func (t table) sum(ctx context.Context, q querier, o CopyOptions) (CopiedTable, error) {
	sum, done := sha256.New(), CopiedTable{Name: t.name}
	err := t.each(ctx, q, nil, o, func(row []any, _ int) error {
		done.Rows++
		for _, v := range row {
			hashValue(sum, v)
		}
		return nil
	})
	done.Hash = hex.EncodeToString(sum.Sum(nil))
	return done, err
}

// hashValue writes a value to a hash, in a form in which no two different rows are the same.
func hashValue(to hash.Hash, v any) {
	var head [9]byte
	tail := ""
	switch v := v.(type) {
	case nil:
	case bool:
		head[0] = 'f'
		if v {
			head[0] = 't'
		}
	case int64:
		head[0] = 'i'
		binary.BigEndian.PutUint64(head[1:], uint64(v))
	case float64:
		head[0] = 'd'
		binary.BigEndian.PutUint64(head[1:], math.Float64bits(v))
	case string:
		head[0], tail = 's', v
	case []byte:
		head[0], tail = 'b', string(v)
	}
	if tail != "" {
		binary.BigEndian.PutUint64(head[1:], uint64(len(tail)))
	}
	_, _ = to.Write(head[:]) // never fails
	_, _ = to.Write([]byte(tail))
}

// ErrInUse means that another process has the database open, or that a server works on it.
var ErrInUse = errors.New("the database is in use: stop the servers and commands that work on it")

// serverTimeout is the age of a heartbeat after which its server on a shared database no longer counts as running.
const serverTimeout = 10 * time.Second

// OpenUnused opens a database that nobody else uses; ErrInUse. Nothing keeps others from opening it later.
func OpenUnused(ctx context.Context, address string, opts Options) (*Store, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		if err := checkAlone(ctx, path); err != nil {
			return nil, err
		}
	}
	s, err := Open(ctx, address, opts)
	if err != nil {
		return nil, err
	}
	version, _, err := s.SchemaVersions(ctx)
	if err == nil && version >= nodesSince && s.Shared() {
		var n int
		if n, err = s.View().LiveNodes(ctx, serverTimeout); err == nil && n > 0 {
			err = fmt.Errorf("%w: %d server(s) sent a heartbeat within the last %v", ErrInUse, n, serverTimeout)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// nodesSince is the first schema version in which servers have heartbeats.
const nodesSince = 4

// checkAlone returns ErrInUse if another connection has a SQLite file open: only a sole connection can leave WAL mode,
// which the next opening sets again.
func checkAlone(ctx context.Context, path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_busy_timeout=2000")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var mode string
	err = db.QueryRowContext(ctx, `pragma journal_mode=delete`).Scan(&mode)
	if (sqliteDialect{}).retryable(err) || err == nil && mode != "delete" {
		err = fmt.Errorf("%w: %s is open in another process", ErrInUse, path)
	}
	return errors.Join(err, db.Close())
}
