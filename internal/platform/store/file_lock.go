package store

import (
	"context"
	"database/sql"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// starters keeps programs that begin on one SQLite file at the same moment apart while they look at its schema and change
// it, as goose's own lock does for PostgreSQL. It is a locked file beside the database, which the system gives back when
// its holder dies and which is gone after use: the database stays one file.
type fileLock struct {
	path string
	held *flock.Flock
}

// SessionLock waits for its turn, no longer than the context lasts.
func (l *fileLock) SessionLock(ctx context.Context, _ *sql.Conn) error {
	const again = 10 * time.Millisecond
	for {
		file := flock.New(l.path)
		if _, err := file.TryLockContext(ctx, again); err != nil {
			return err
		}
		if current(file, l.path) {
			l.held = file
			return nil
		}
		if err := file.Unlock(); err != nil { // its last holder has removed it meanwhile: the next starter locks another
			return err
		}
	}
}

// SessionUnlock removes the file before it lets go, so that nobody can lock what is about to go. Where a system does not
// remove a file that is open, it stays and does no harm.
func (l *fileLock) SessionUnlock(context.Context, *sql.Conn) error {
	_ = os.Remove(l.path)
	return l.held.Unlock()
}

// current tells whether the file that is locked is the one that others find under its path.
func current(file *flock.Flock, path string) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(path)
	return err == nil && os.SameFile(locked, found)
}
