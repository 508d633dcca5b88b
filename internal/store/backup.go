package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// ErrOtherBackup means that the database is backed up by its engine's own tools.
var ErrOtherBackup = errors.New("the database is backed up by its own tools")

// ErrFileExists means that a backup would replace a file.
var ErrFileExists = errors.New("the file exists already")

// Backup copies the database into a new file while others go on reading and writing: the copy is the database as it was
// at one moment. It is on the disk, and checked, before it has its name; what stops halfway leaves FILE.partial, which
// the next backup replaces. ErrFileExists, ErrOtherBackup.
func (s *Store) Backup(ctx context.Context, path string) error {
	d, ok := s.dialect.(sqliteDialect)
	if !ok {
		return ErrOtherBackup
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return errors.Join(ErrFileExists, err)
	}
	partial := path + ".partial"
	if err := os.Remove(partial); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := d.copyInto(ctx, partial); err != nil {
		return errors.Join(fmt.Errorf("copying the database: %w", err), os.Remove(partial))
	}
	if err := leaveOut(ctx, partial, SecretMadeSetting); err != nil {
		return errors.Join(fmt.Errorf("preparing the copy: %w", err), os.Remove(partial))
	}
	if err := checkCopy(ctx, partial); err != nil {
		return fmt.Errorf("checking the copy: %w", err)
	}
	if err := syncPath(partial); err != nil {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return errors.Join(ErrFileExists, err, os.Remove(partial))
	}
	if err := os.Rename(partial, path); err != nil {
		return err
	}
	return syncPath(filepath.Dir(path))
}

// copyInto writes a copy without the room of deleted rows, so without their rests.
func (d sqliteDialect) copyInto(ctx context.Context, path string) (err error) {
	if err := createPrivate(path); err != nil {
		return err
	}
	source, err := sql.Open("sqlite", d.dsn("_busy_timeout=10000"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	_, err = source.ExecContext(ctx, `vacuum into $1`, path)
	return err
}

// leaveOut removes a setting from a copy.
func leaveOut(ctx context.Context, path, setting string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, `delete from setting where name = $1`, setting)
	return err
}

// checkCopy reads a whole database file, without changing it.
func checkCopy(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	view := &View{q: db}
	for _, check := range []func(context.Context) ([]string, error){view.integrity, view.AuditLedger} {
		faults, err := check(ctx)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return fmt.Errorf("it is damaged: %s (and %d more)", faults[0], len(faults)-1)
		}
	}
	return nil
}

// syncPath sees a file or a folder to the disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
