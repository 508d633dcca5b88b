package main

import (
	"context"
	"errors"
	"os"

	"verbatim/internal/store"
)

type migrateCommand struct{}

// Run applies the migrations that are missing.
func (migrateCommand) Run(ctx context.Context, c *Common) (err error) {
	if err := os.MkdirAll(c.folder(), 0o700); err != nil {
		return err
	}
	s, err := store.Open(ctx, c.databaseAddress(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	applied, err := s.Migrate(ctx)
	if err != nil {
		return err
	}
	return c.print(row{{"database", c.databaseAddress()}, {"applied", len(applied)}})
}
