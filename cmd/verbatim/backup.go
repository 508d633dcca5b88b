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
)

type backupCommand struct {
	File string `arg:"" help:"The file to write; it must not exist." type:"path"`
	recipientFlags
}

// signingSettings are the settings of the database that no backup holds.
var signingSettings = []string{ringSetting, linkSetting, cursorSetting}

// Run copies the database, while a server may run. It brings no schema up to date: a backup is made before an upgrade.
func (cmd *backupCommand) Run(ctx context.Context, c *Common) error {
	recipients, err := cmd.recipients()
	if err != nil {
		return err
	}
	return c.withDatabase(ctx, func(s *store.Store) error {
		err := s.CheckFinished(ctx) // half of a database is no backup, and noting the time would change what is being filled
		if err != nil {
			return err
		}
		if len(recipients) == 0 {
			err = s.Backup(ctx, cmd.File, signingSettings...)
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
			return fmt.Errorf("the backup is finished, but the time of it could not be noted for the metric of its age: %w", err)
		}
		var sealedFor any // nobody: it is not encrypted
		if len(recipients) > 0 {
			sealedFor = counted(len(recipients), "key")
		}
		return c.print(row{
			{"backup", cmd.File},
			{"bytes", info.Size()},
			{"checked", true},
			{"encryptedFor", sealedFor},
			{"notIncluded", "recordings and uploads: copy " + c.blobsAddress() + " after this; and the secret that signs links, on purpose"},
		})
	})
}

// sealed writes an encrypted backup. The plain copy that it is made from lies beside the database, where the same words lie
// already, and not where the backup goes.
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
	if err := s.Backup(ctx, plain, signingSettings...); err != nil {
		return err
	}
	if err := encryptFile(plain, partial, recipients); err != nil {
		return err
	}
	return store.InstallFile(partial, cmd.File)
}

// workBeside is where plain copies of a database may lie: beside a file, else where temporary files do.
func plainCopyFolder(s *store.Store) string {
	if file, ok := s.File(); ok {
		return filepath.Dir(file)
	}
	return os.TempDir()
}

// withDatabase is withStore on a database that must exist already, with the schema that it has.
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

// mustExist returns an error where the database is a file that is not there.
func (c *Common) mustExist() error {
	file, ok := c.databaseFile()
	if !ok {
		return nil
	}
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: name the folder of the server's data by --data, or its database by --database", file)
	}
	return err
}

// databaseFile is where SQLite keeps the database.
func (c *Common) databaseFile() (file string, ok bool) {
	address, _, err := c.database()
	file, ok = strings.CutPrefix(address, "sqlite:")
	return file, ok && err == nil
}
