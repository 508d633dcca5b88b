package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/pressly/goose/v3"
)

// oldestReader is the oldest version of the schema whose programs work beside this program on one database. A release raises it only
// where one of its migrations contracts: where it takes away what programs of before still read or write (CONTRIBUTING.md).
const oldestReader = 16

// oldestReaderSetting is the name of the setting that holds the greatest oldestReader of the programs that migrated the database.
const oldestReaderSetting = "schema_oldest_reader"

// ErrNewerSchema means that a later version of the program has changed the schema in a way that this one does not know.
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

// CheckSchema returns ErrNewerSchema where this program must not work on the database, and reports whether the schema is that of a later
// program, beside which this one may work.
func (s *Store) CheckSchema(ctx context.Context) (later bool, err error) {
	provider, err := s.migrator()
	if err != nil {
		return false, err
	}
	has, err := s.checkSchema(ctx, provider)
	return has > SchemaVersion(), err
}

// checkSchema returns the version of the schema that the database has; ErrNewerSchema.
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

// readOldestReader returns the setting; 0 where no program has set it.
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

// raiseOldestReader sets the setting, unless a later program has set a greater one.
func (s *Store) raiseOldestReader(ctx context.Context, to int64) error {
	is, err := s.readOldestReader(ctx)
	if err != nil || is >= to {
		return err
	}
	_, err = s.write.ExecContext(ctx, `insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value
		where cast(setting.value as bigint) < cast(excluded.value as bigint)`, oldestReaderSetting, strconv.FormatInt(to, 10))
	return err
}
