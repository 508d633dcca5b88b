package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"verbatim/internal/domain/outage"
)

const (
	// readyTimeout is how long a check may take, because load balancers do not wait longer.
	readyTimeout = 3 * time.Second
	// minWritable is the number of bytes that must be free on the disk of a database file. Less may not hold a commit and its log.
	minWritable = 4 << 20
)

// checkReady returns an error if the database cannot be read and written within readyTimeout: outage.ErrDiskFull, ErrBusy or
// ErrUnreachable. It writes only if the last write found the disk full, to find out whether there is space again.
func (svc *service) checkReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := svc.store.Ping(ctx); err != nil {
		return fmt.Errorf("the database cannot be reached: %w", err)
	}
	if svc.file != "" {
		if free, _, err := diskSpace(filepath.Dir(svc.file)); err == nil && free < minWritable {
			return fmt.Errorf("%w: %d bytes are free on the disk of %s", outage.ErrDiskFull, free, svc.file)
		}
	}
	if !svc.store.DiskFull() {
		return nil
	}
	if err := svc.store.TryWrite(ctx); err != nil {
		return fmt.Errorf("nothing can be written: %w", err)
	}
	return nil
}
