package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/keyring"
)

// Write copies a database into a new file, without the secrets that sign links, and returns the size of the file. If there are recipients,
// the file is encrypted for them. Servers may go on writing meanwhile.
func Write(ctx context.Context, s *store.Store, file string, recipients []age.Recipient) (size int64, err error) {
	defer operation.Wrap(&err, "backup.Write")
	if err := s.CheckFinished(ctx); err != nil { // a half-filled database makes no backup, and storing the backup time would change it
		return 0, err
	}
	if len(recipients) == 0 {
		err = s.Backup(ctx, file, keyring.Settings()...)
	} else {
		err = writeEncrypted(ctx, s, file, recipients)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	if err := s.NoteBackup(ctx); err != nil {
		return 0, fmt.Errorf("the backup is complete, but its time could not be stored for the metric of its age: %w", err)
	}
	return info.Size(), nil
}

// writeEncrypted writes an encrypted backup. The unencrypted copy that it is made from lies beside the database, where the same data
// lies already, and not where the backup goes.
func writeEncrypted(ctx context.Context, s *store.Store, file string, recipients []age.Recipient) (err error) {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(store.ErrFileExists, err)
	}
	dir, done, err := temporaryFolder(plainCopyFolder(s))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	plain, partial := filepath.Join(dir, "backup"), file+".partial"
	if err := s.Backup(ctx, plain, keyring.Settings()...); err != nil {
		return err
	}
	if err := encryptFile(plain, partial, recipients); err != nil {
		return err
	}
	return store.InstallFile(partial, file)
}

// plainCopyFolder returns where unencrypted copies of a database may lie: beside a SQLite file, else in the system's folder of
// temporary files.
func plainCopyFolder(s *store.Store) string {
	if file, ok := s.File(); ok {
		return filepath.Dir(file)
	}
	return os.TempDir()
}
