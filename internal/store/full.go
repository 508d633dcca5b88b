package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrFull means that the database found no room to write on its disk. Nothing was stored, and the same write may succeed once
// there is room.
var ErrFull = errors.New("the database has no room to write")

// isFull reports whether an error of either engine says that its disk is full.
func isFull(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() {
		case sqlite3.SQLITE_FULL,
			sqlite3.SQLITE_IOERR_WRITE,   // a quota, or the largest size of a file
			sqlite3.SQLITE_IOERR_SHMSIZE: // no room for the index of the log
			return true
		}
	}
	return code(err) == "53100" // disk_full
}

// noteFull names the failure of a write that found no room, and remembers it for Full.
func (s *Store) noteFull(err error) error {
	if err == nil || !isFull(err) {
		return err
	}
	s.full.Store(true)
	return fmt.Errorf("%w: %w", ErrFull, err)
}

// Full reports whether a write found no room, and no TryWrite has found some since.
func (s *Store) Full() bool { return s.full.Load() }

// trialBytes is how much TryWrite writes. Less would fit what an engine has in reserve.
const trialBytes = 256 << 10

// TryWrite writes something and removes it, to find out whether writes succeed: ErrFull and the other errors of Write.
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
		s.full.Store(false)
	}
	return err
}
