package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/keyring"
)

type backupCommand struct {
	File string `arg:"" help:"The file to write. It must not exist." type:"path"`
	recipientFlags
}

// Run copies the database. A server may be running. The schema is not migrated, because backups are made before an upgrade.
func (cmd *backupCommand) Run(ctx context.Context, c *Common) error {
	recipients, err := cmd.recipients()
	if err != nil {
		return err
	}
	return c.withDatabase(ctx, func(s *store.Store) error {
		err := s.CheckFinished(ctx) // a half-filled database makes no backup, and storing the backup time would change it
		if err != nil {
			return err
		}
		if len(recipients) == 0 {
			err = s.Backup(ctx, cmd.File, keyring.Settings()...)
		} else {
			err = cmd.writeEncrypted(ctx, s)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", cmd.File, err)
		}
		info, err := os.Stat(cmd.File)
		if err != nil {
			return err
		}
		if err := s.NoteBackup(ctx); err != nil {
			return fmt.Errorf("the backup is complete, but its time could not be stored for the metric of its age: %w", err)
		}
		var encryptedFor any // nil: not encrypted
		if len(recipients) > 0 {
			encryptedFor = counted(len(recipients), "key")
		}
		return c.print(row{
			{"backup", cmd.File},
			{"bytes", info.Size()},
			{"checked", true},
			{"encryptedFor", encryptedFor},
			{"notIncluded", "recordings and uploads: copy " + c.blobsAddress() + " after this; and, on purpose, the secret that signs links"},
		})
	})
}

// writeEncrypted writes an encrypted backup. The unencrypted copy that it is made from lies beside the database, where the same data
// lies already, and not where the backup goes.
func (cmd *backupCommand) writeEncrypted(ctx context.Context, s *store.Store) (err error) {
	if _, err := os.Lstat(cmd.File); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(store.ErrFileExists, err)
	}
	recipients, err := cmd.recipients()
	if err != nil {
		return err
	}
	dir, done, err := temporaryFolder(plainCopyFolder(s))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	plain, partial := filepath.Join(dir, "backup"), cmd.File+".partial"
	if err := s.Backup(ctx, plain, keyring.Settings()...); err != nil {
		return err
	}
	if err := encryptFile(plain, partial, recipients); err != nil {
		return err
	}
	return store.InstallFile(partial, cmd.File)
}

// plainCopyFolder returns where unencrypted copies of a database may lie: beside a SQLite file, else in the system's folder of
// temporary files.
func plainCopyFolder(s *store.Store) string {
	if file, ok := s.File(); ok {
		return filepath.Dir(file)
	}
	return os.TempDir()
}

// withDatabase is like withStore, but the database must exist and its schema is not migrated.
func (c *Common) withDatabase(ctx context.Context, work func(*store.Store) error) error {
	if err := c.mustExist(); err != nil {
		return err
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

// mustExist returns an error if the database is a file that does not exist.
func (c *Common) mustExist() error {
	file, ok := c.databaseFile()
	if !ok {
		return nil
	}
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: name the server's data folder by --data, or its database by --database", file)
	}
	return err
}

// databaseFile returns the file of a SQLite database; ok is false for PostgreSQL.
func (c *Common) databaseFile() (file string, ok bool) {
	address, _, err := c.database()
	file, ok = strings.CutPrefix(address, "sqlite:")
	return file, ok && err == nil
}
