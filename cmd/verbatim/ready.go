package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"verbatim/internal/domain/outage"
)

const (
	// readyWithin is how long a check may take: balancers wait no longer.
	readyTimeout = 3 * time.Second
	// leastWritable is how many bytes must be free on the disk of a database file: less does not take a commit and its log.
	minWritable = 4 << 20
)

// ready reports whether the database can be read and written, within what a balancer waits: outage.ErrDiskFull, ErrBusy or
// ErrUnreachable. It writes only to find out whether there is room again after a write found none.
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
