package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"verbatim/internal/domain/outage"
)

// isDiskFull reports whether an error of either engine means that its disk is full.
func isDiskFull(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() {
		case sqlite3.SQLITE_FULL,
			sqlite3.SQLITE_IOERR_WRITE,   // a quota, or the maximum size of a file
			sqlite3.SQLITE_IOERR_SHMSIZE: // no room for the index of the log
			return true
		}
	}
	return code(err) == "53100" // disk_full
}

// noteDiskFull adds outage.ErrDiskFull to the error of a write that found no room, and remembers it for DiskFull.
func (s *Store) noteDiskFull(err error) error {
	if err == nil || !isDiskFull(err) {
		return err
	}
	s.diskFull.Store(true)
	return fmt.Errorf("%w: %w", outage.ErrDiskFull, err)
}

// DiskFull reports whether a write found no room, and no TryWrite has succeeded since.
func (s *Store) DiskFull() bool { return s.diskFull.Load() }

// trialBytes is the number of bytes that TryWrite writes. Less would fit into what an engine has in reserve.
const trialBytes = 256 << 10

// TryWrite writes a row and removes it, to find out whether writes succeed. It returns outage.ErrDiskFull and the other
// errors of Write.
func (s *Store) TryWrite(ctx context.Context) error {
	err := s.Write(ctx, func(tx *Tx) error {
		name := "trial of " + NewID()
		if _, err := tx.exec(ctx, `insert into setting (name, value) values ($1, $2)`, name, strings.Repeat(NewID(), trialBytes/36)); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `delete from setting where name = $1`, name)
		return err
	})
	if err == nil {
		s.diskFull.Store(false)
	}
	return err
}
