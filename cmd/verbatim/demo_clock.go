package main

import (
	"context"
	"strings"
	"sync"
	"time"
)

// interviewTime is more than a simulated interview takes by the demo's clock.
const interviewTime = 20 * time.Minute

// demoClock is the clock of the demo's store. It begins in the past and is moved on by as long as simulated participants read, think
// and type, so that their interviews take as long as people's do, without anybody waiting. It never goes back, nor beyond the
// present.
type demoClock struct {
	mu     sync.Mutex
	behind time.Duration
}

// Now returns the clock's time.
func (c *demoClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(-c.behind)
}

// pass moves the clock on.
func (c *demoClock) pass(_ context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behind = max(0, c.behind-d)
	return nil
}

// arrive moves the clock to the present.
func (c *demoClock) arrive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behind = 0
}

// newDemoClock returns a clock for so many interviews, or nil where the database has a clock of its own.
func newDemoClock(address string, interviews int) *demoClock {
	if !strings.HasPrefix(address, "sqlite:") {
		return nil
	}
	return &demoClock{behind: time.Duration(interviews) * interviewTime}
}
