package main

import (
	"context"
	"errors"
)

type migrateCommand struct{}

// Run applies the missing migrations.
func (migrateCommand) Run(ctx context.Context, c *Common) (err error) {
	s, err := c.openUnmigrated(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	applied, err := s.Migrate(ctx)
	if err != nil {
		return err
	}
	return c.print(row{{"database", s.String()}, {"applied", len(applied)}})
}
