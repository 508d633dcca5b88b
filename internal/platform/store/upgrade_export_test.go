package store

import (
	"context"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// MigrateTo brings the schema of an empty database to a version, as an older program left it.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	engine, options, err := s.dialect.migrations()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(engine, s.write, dir, append(options, goose.WithLogger(goose.NopLogger()))...)
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}
