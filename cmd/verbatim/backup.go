package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"verbatim/internal/store"
)

type backupCommand struct {
	File string `arg:"" help:"The file to write; it must not exist." type:"path"`
}

// Run copies the database, while a server may run. It brings no schema up to date: a backup is made before an upgrade.
func (cmd *backupCommand) Run(ctx context.Context, c *Common) error {
	return c.withDatabase(ctx, func(s *store.Store) error {
		err := s.Backup(ctx, cmd.File)
		if errors.Is(err, store.ErrOtherBackup) {
			return fmt.Errorf("PostgreSQL is backed up by its own tools; run: pg_dump --format=custom --file=%s DATABASE-URL", cmd.File)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", cmd.File, err)
		}
		info, err := os.Stat(cmd.File)
		if err != nil {
			return err
		}
		return c.print(row{
			{"backup", cmd.File},
			{"bytes", info.Size()},
			{"checked", true},
			{"notIncluded", "recordings and uploads: copy " + c.blobsAddress() + " after this; and the secret that signs links, on purpose"},
		})
	})
}

// withDatabase is withStore on a database that must exist already, with the schema that it has.
func (c *Common) withDatabase(ctx context.Context, work func(*store.Store) error) error {
	if file, ok := c.databaseFile(); ok {
		switch _, err := os.Stat(file); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("there is no database %s: name the folder of the server's data by --data, or its database by --database", file)
		case err != nil:
			return err
		}
	}
	address, options, err := c.database()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, address, options)
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close())
}

// databaseFile is where SQLite keeps the database.
func (c *Common) databaseFile() (file string, ok bool) {
	address, _, err := c.database()
	file, ok = strings.CutPrefix(address, "sqlite:")
	return file, ok && err == nil
}
