package main

import (
	"context"
	"time"
)

// replayTimeout is how long a start waits for the tombstones to be read, before requests are served. If the objects cannot be reached, the
// server starts nevertheless, and reads the tombstones as soon as it can.
const replayTimeout = 15 * time.Second

// replayTombstones repeats deletions that this database does not know, because it was restored from a backup made before them.
func (svc *service) replayTombstones(ctx context.Context) {
	done, err := svc.tombstones.Replay(ctx, false)
	switch {
	case err == nil:
		svc.tombstonesReplayed = true
	case ctx.Err() == nil || context.Cause(ctx) == context.DeadlineExceeded:
		svc.log.Error("the tombstones of deletions could not be read; if this database was restored from a backup, it may show responses that were deleted after it", "error", err)
	}
	if done.Restored > 0 {
		svc.log.Warn("deletions that the database did not know were repeated: it was restored from a backup made before them", "deletions", done.Restored)
	}
}

// replayTombstonesAtStart is replayTombstones with a timeout, before requests are served.
func (svc *service) replayTombstonesAtStart(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	svc.replayTombstones(ctx)
}

// completeTombstones writes missing tombstones. It also replays the tombstones if that failed at the start.
func (svc *service) completeTombstones(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // the next round continues
	defer cancel()
	if !svc.tombstonesReplayed {
		svc.replayTombstones(ctx)
	}
	if _, err := svc.tombstones.Complete(ctx, false); err != nil && ctx.Err() == nil {
		svc.log.Error("writing tombstones of deletions", "error", err)
	}
}
