package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A copy brings every row of one database into another, on either engine: each table in the order of its key, in batches. A
// batch and how far the copy is are stored in one transaction, so that an interrupted copy continues where it stopped. At the
// end both sides are read again and compared by counts and hashes.

// ErrUnfinished means that a copy is filling the database and has not ended.
var ErrUnfinished = errors.New("this database is being filled by a move or a restore that has not ended: run the same command again, which continues where it stopped")

// ErrNotEmpty means that a copy would mix its rows with those that are there.
var ErrNotEmpty = errors.New("the database is not empty")

// CopyOptions configure a copy.
type CopyOptions struct {
	Source   string   // name of the source: an interrupted copy continues only under the same name
	LeaveOut []string // names of settings that are not copied

	Batch int // at most this many rows are stored at once; 0: 200

	// Progress is called with how many rows of a table are copied so far; nil: it is not called.
	Progress func(table string, rows int64)
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
