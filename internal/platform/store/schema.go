package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// oldestReader is the oldest schema version whose programs may still work on the database beside this program. A release
// raises it only if one of its migrations contracts, that is, removes what earlier programs still read or write
// (CONTRIBUTING.md).
const oldestReader = 16

// oldestReaderSetting is the setting that holds the greatest oldestReader of the programs that migrated the database.
const oldestReaderSetting = "schema_oldest_reader"

// ErrNewerSchema means that a later version of the program changed the schema in a way that this one does not know.
var ErrNewerSchema = errors.New("the database belongs to a later version of Verbatim")

// SchemaVersion returns the version of the schema that this program brings.
func SchemaVersion() int64 {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(files) == 0 {
		panic("store: there are no migrations") // they are part of the program
	}
	number, err := goose.NumericComponent(files[len(files)-1])
	if err != nil {
		panic("store: " + err.Error())
	}
	return number
}

// SchemaVersions returns the version of the schema that the database has, and the one that this program brings.
func (s *Store) SchemaVersions(ctx context.Context) (has, brings int64, err error) {
	provider, err := s.migrator()
	if err != nil {
		return 0, 0, err
	}
	has, err = provider.GetDBVersion(ctx)
	return has, SchemaVersion(), err
}

// CheckSchema returns ErrNewerSchema if this program must not work on the database. later reports whether the schema
// belongs to a later program beside which this one may work.
func (s *Store) CheckSchema(ctx context.Context) (later bool, err error) {
	provider, err := s.migrator()
	if err != nil {
		return false, err
	}
	has, err := s.checkSchema(ctx, provider)
	return has > SchemaVersion(), err
}

// Migrate brings the schema up to date and returns the versions that it applied. It returns ErrUnfinished if a copy is
// filling the database, and ErrNewerSchema, before it changes anything, if a later version of the program changed what
// this one needs.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	provider, err := s.migrator()
	if err != nil {
		return nil, err
	}
	up := func() ([]int64, error) { return s.migrateChecked(ctx, provider) }
	applied, err := up()
	if err != nil && !s.dialect.singleWriter() {
		applied, err = s.retryMigration(ctx, applied, err, up)
	}
	if err != nil && !errors.Is(err, ErrUnfinished) {
		err = fmt.Errorf("migrating: %w", err)
	}
	return applied, err
}

// migrateChecked makes one try of Migrate.
func (s *Store) migrateChecked(ctx context.Context, provider *goose.Provider) ([]int64, error) {
	has, err := s.checkSchema(ctx, provider)
	if err != nil || has > SchemaVersion() {
		return nil, err
	}
	if has > 0 && !s.filling {
		if err := s.CheckFinished(ctx); err != nil {
			return nil, err
		}
	}
	if has > 0 { // before the schema changes, so that an earlier program that starts meanwhile does not take it for one that it knows
		if err := s.raiseOldestReader(ctx, oldestReader); err != nil {
			return nil, err
		}
	}
	applied, err := s.migrateTo(ctx, provider, newestVersion)
	if err == nil {
		err = s.raiseOldestReader(ctx, oldestReader)
	}
	return applied, err
}

// newestVersion stands for the version that this program brings.
const newestVersion = -1

// migrate brings the schema to a version.
func (s *Store) migrate(ctx context.Context, to int64) ([]int64, error) {
	provider, err := s.migrator()
	if err != nil {
		return nil, err
	}
	up := func() ([]int64, error) { return s.migrateTo(ctx, provider, to) }
	applied, err := up()
	if err != nil && !s.dialect.singleWriter() {
		applied, err = s.retryMigration(ctx, applied, err, up)
	}
	if err != nil {
		return nil, fmt.Errorf("migrating: %w", err)
	}
	return applied, nil
}

// migrateTo makes one try to bring the schema to a version.
func (s *Store) migrateTo(ctx context.Context, provider *goose.Provider, to int64) ([]int64, error) {
	if to == newestVersion {
		to = SchemaVersion()
	}
	results, err := provider.UpTo(ctx, to)
	var applied []int64
	for _, r := range results {
		applied = append(applied, r.Source.Version)
	}
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		for _, r := range partial.Applied {
			applied = append(applied, r.Source.Version)
		}
	}
	if err == nil {
		err = s.dialect.adapt(ctx, s.write)
	}
	return applied, err
}

// migrationWait bounds how long a migration is retried while its changes of tables wait for transactions of running servers.
// Each wait is short, because every later statement on the table queues behind it.
const migrationWait = time.Minute

// retryMigration continues after a transient error, and returns all versions that were applied.
func (s *Store) retryMigration(ctx context.Context, applied []int64, err error, up func() ([]int64, error)) ([]int64, error) {
	timeout := time.NewTimer(migrationWait)
	defer timeout.Stop()
	first := true
	err = s.retry(ctx, timeout.C, func(bool) error {
		if first {
			first = false
			return err
		}
		more, err := up()
		applied = append(applied, more...)
		return err
	})
	return applied, err
}

// checkSchema returns the schema version of the database; ErrNewerSchema if this program must not work on it.
func (s *Store) checkSchema(ctx context.Context, provider *goose.Provider) (has int64, err error) {
	has, err = provider.GetDBVersion(ctx)
	brings := SchemaVersion()
	if err != nil || has <= brings {
		return has, err
	}
	oldest, err := s.readOldestReader(ctx)
	if err != nil {
		return has, err
	}
	if oldest == 0 || oldest > brings {
		return has, fmt.Errorf("%w: its schema is number %d, and this program knows up to %d; start that later version again, "+
			"or restore the backup that was made before the upgrade", ErrNewerSchema, has, brings)
	}
	return has, nil
}

func (s *Store) migrator() (*goose.Provider, error) {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	engine, options, err := s.dialect.migrations()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(engine, s.write, dir, append(options, goose.WithLogger(goose.NopLogger()))...)
}

// readOldestReader returns the setting, or 0 if no program has set it.
func (s *Store) readOldestReader(ctx context.Context) (int64, error) {
	var value string
	err := s.write.QueryRowContext(ctx, `select value from setting where name = $1`, oldestReaderSetting).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	oldest, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the setting %s: %w", oldestReaderSetting, err)
	}
	return oldest, nil
}

// raiseOldestReader raises the setting, unless a later program has set a greater value.
func (s *Store) raiseOldestReader(ctx context.Context, to int64) error {
	is, err := s.readOldestReader(ctx)
	if err != nil || is >= to {
		return err
	}
	_, err = s.write.ExecContext(ctx, `insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value
		where cast(setting.value as bigint) < cast(excluded.value as bigint)`, oldestReaderSetting, strconv.FormatInt(to, 10))
	return err
}
