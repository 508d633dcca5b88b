package store

import (
	"context"
	"database/sql"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// fileLock lets one process at a time check and change the schema of a SQLite file, as goose's own lock does for PostgreSQL.
// It is a locked file beside the database. The system releases the lock when its holder dies, and the file is removed after
// use, so that the database stays one file.
type fileLock struct {
	path string
	held *flock.Flock
}

// SessionLock waits for the lock, no longer than ctx lasts.
func (l *fileLock) SessionLock(ctx context.Context, _ *sql.Conn) error {
	const again = 10 * time.Millisecond
	for {
		file := flock.New(l.path)
		if _, err := file.TryLockContext(ctx, again); err != nil {
			return err
		}
		if isCurrent(file, l.path) {
			l.held = file
			return nil
		}
		if err := file.Unlock(); err != nil { // its last holder has removed it meanwhile: the next process locks another file
			return err
		}
	}
}

// SessionUnlock removes the file before it releases the lock, so that nobody can lock a file that is about to go. If a
// system does not remove an open file, the file stays and does no harm.
func (l *fileLock) SessionUnlock(context.Context, *sql.Conn) error {
	_ = os.Remove(l.path)
	return l.held.Unlock()
}

// isCurrent reports whether the locked file is the one that others find at its path.
func isCurrent(file *flock.Flock, path string) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(path)
	return err == nil && os.SameFile(locked, found)
}
