package main

import (
	"context"
	"time"
)

// replayAtStart is how long a start waits for the tombstones to be read before anybody is served. Where the objects cannot be
// reached the server starts all the same, and reads them as soon as they can.
const replayTimeout = 15 * time.Second

// replay makes deletions again that this database does not know, because it was restored from a backup of before them.
func (svc *service) replayTombstones(ctx context.Context) {
	done, err := svc.tombstones.Replay(ctx, false)
	switch {
	case err == nil:
		svc.tombstonesReplayed = true
	case ctx.Err() == nil || context.Cause(ctx) == context.DeadlineExceeded:
		svc.log.Error("the tombstones of deletions could not be read; where this database was restored from a backup it may show what was deleted after it", "error", err)
	}
	if done.Restored > 0 {
		svc.log.Warn("deletions that the database did not know were made again: it was restored from a backup of before them", "deletions", done.Restored)
	}
}

// replayFirst is replay before anybody is served.
func (svc *service) replayTombstonesAtStart(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	svc.replayTombstones(ctx)
}

// keepTombstones writes those that are missing, and does what a start could not.
func (svc *service) completeTombstones(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // the next minute goes on
	defer cancel()
	if !svc.tombstonesReplayed {
		svc.replayTombstones(ctx)
	}
	if _, err := svc.tombstones.Complete(ctx, false); err != nil && ctx.Err() == nil {
		svc.log.Error("writing tombstones of deletions", "error", err)
	}
}
