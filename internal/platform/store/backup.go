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

// ErrFileExists means that a backup would replace a file.
var ErrFileExists = errors.New("the file exists already")

// Backup copies the database into a new file while others go on reading and writing. The copy is a snapshot, and a SQLite
// database whatever the engine, without the settings named by leaveOut. It is on disk, and checked, before it gets its name;
// a backup that was interrupted leaves FILE.partial, which the next one replaces. ErrFileExists.
func (s *Store) Backup(ctx context.Context, path string, leaveOut ...string) error {
	shared, err := s.View().sharedSecretSettings(ctx)
	if err != nil {
		return err
	}
	leaveOut = append(append(leaveOut, SecretMadeSetting), shared...)
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return errors.Join(ErrFileExists, err)
	}
	partial := path + ".partial"
	if err := removeDatabase(partial); err != nil {
		return err
	}
	if d, ok := s.dialect.(sqliteDialect); ok {
		err = d.copyInto(ctx, partial, leaveOut)
	} else {
		err = s.copyIntoFile(ctx, partial, leaveOut)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copying the database: %w", err), removeDatabase(partial))
	}
	if err := CheckFile(ctx, partial); err != nil {
		return fmt.Errorf("checking the copy: %w", err)
	}
	return InstallFile(partial, path)
}

// InstallFile flushes a complete file to disk and gives it its name; ErrFileExists.
func InstallFile(partial, path string) error {
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

// removeDatabase removes a database file, if it exists, and the files that the engine keeps beside it.
func removeDatabase(path string) (err error) {
	for _, name := range []string{path, path + "-wal", path + "-shm", path + "-journal"} {
		if violation := os.Remove(name); violation != nil && !errors.Is(violation, os.ErrNotExist) {
			err = errors.Join(err, violation)
		}
	}
	return err
}

// copyIntoFile copies a database of another engine into a SQLite file.
func (s *Store) copyIntoFile(ctx context.Context, path string, leaveOut []string) error {
	file, err := Open(ctx, "sqlite:"+path, Options{Filling: true})
	if err != nil {
		return err
	}
	_, err = s.Copy(ctx, file, CopyOptions{Source: s.String(), LeaveOut: leaveOut})
	if err == nil {
		err = file.FinishCopy(ctx)
	}
	return errors.Join(err, file.Close())
}

// copyInto writes a copy without free space, so without remains of deleted rows, and without some settings.
func (d sqliteDialect) copyInto(ctx context.Context, path string, leaveOut []string) (err error) {
	if err := createPrivate(path); err != nil {
		return err
	}
	source, err := sql.Open("sqlite", d.dsn("_busy_timeout=10000"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if _, err := source.ExecContext(ctx, `vacuum into $1`, path); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=secure_delete(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, setting := range leaveOut {
		if _, err := db.ExecContext(ctx, `delete from setting where name = $1`, setting); err != nil {
			return err
		}
	}
	return nil
}

// CheckFile reads a complete database file, which nobody has open, without changing it, and returns an error if it is
// damaged.
func CheckFile(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	view := &View{q: db}
	for _, check := range []func(context.Context) ([]string, error){view.integrity, view.AuditLedger} {
		violations, err := check(ctx)
		if err != nil {
			return err
		}
		if len(violations) > 0 {
			return fmt.Errorf("it is damaged: %s (and %d more)", violations[0], len(violations)-1)
		}
	}
	return nil
}

// syncPath flushes a file or a folder to disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
