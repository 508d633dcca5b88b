package maintenance

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

const (
	// readyTimeout is how long a check may take, because load balancers do not wait longer.
	readyTimeout = 3 * time.Second
	// minWritable is the number of bytes that must be free on the disk of a database file. Less may not hold a commit and its log.
	minWritable = 4 << 20
)

// CheckReady returns an error if a database cannot be read and written within readyTimeout: outage.ErrDiskFull, ErrBusy or
// ErrUnreachable. It writes only if the last write found the disk full, to find out whether there is space again.
func CheckReady(ctx context.Context, s *store.Store) (err error) {
	defer operation.Wrap(&err, "maintenance.CheckReady")
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := s.Ping(ctx); err != nil {
		return fmt.Errorf("the database cannot be reached: %w", err)
	}
	if file, ok := s.File(); ok {
		if free, _, err := DiskSpace(filepath.Dir(file)); err == nil && free < minWritable {
			return fmt.Errorf("%w: %d bytes are free on the disk of %s", outage.ErrDiskFull, free, file)
		}
	}
	if !s.DiskFull() {
		return nil
	}
	if err := s.TryWrite(ctx); err != nil {
		return fmt.Errorf("nothing can be written: %w", err)
	}
	return nil
}
