package maintenance

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// How far this machine's clock may differ from the database's. Beyond clockWarning the difference is logged. Beyond clockRefusal nothing
// is done that depends on the age of something, and no job is claimed.
const (
	clockWarning = time.Second
	clockRefusal = time.Minute
)

// How often the clocks are compared, and how often a lasting difference is logged again.
const (
	clockInterval    = 10 * time.Second
	clockLogInterval = 10 * time.Minute
)

// ClockWatch compares a server's clock with the database's. Share one value.
type ClockWatch struct {
	Store *store.Store
	Log   *slog.Logger

	mu       sync.Mutex
	measured bool
	state    string    // of the last comparison
	loggedAt time.Time // when the state was last logged
}

// The states of a clock.
const (
	clockOK      = ""
	clockWrong   = "this machine's clock differs from the database's"
	clockRefused = "this machine's clock differs so much from the database's that no jobs are done and nothing is removed by its age"
)

func clockState(ahead time.Duration) string {
	switch ahead = ahead.Abs(); {
	case ahead > clockRefusal:
		return clockRefused
	case ahead > clockWarning:
		return clockWrong
	}
	return clockOK
}

// Compare measures the difference, logs it if it is new or was not logged for a while, and reports whether work that depends on
// ages may be done.
func (w *ClockWatch) Compare(ctx context.Context) bool {
	ahead, err := w.Store.MeasureClock(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil { // the last measurement stays valid; the work needs the database, too
		return w.measured && w.state != clockRefused
	}
	state := clockState(ahead)
	if state != w.state || state != clockOK && time.Since(w.loggedAt) > clockLogInterval {
		w.logState(ctx, state, ahead)
	}
	w.measured, w.state = true, state
	return state != clockRefused
}

func (w *ClockWatch) logState(ctx context.Context, state string, ahead time.Duration) {
	w.loggedAt = time.Now()
	switch state {
	case clockRefused:
		w.Log.ErrorContext(ctx, clockRefused, "ahead", ahead.String(), "limit", clockRefusal.String())
	case clockWrong:
		w.Log.WarnContext(ctx, clockWrong, "ahead", ahead.String(), "limit", clockWarning.String())
	default:
		w.Log.InfoContext(ctx, "this machine's clock agrees with the database's again", "ahead", ahead.String())
	}
}

// Refused reports whether the last comparison forbids work that depends on ages.
func (w *ClockWatch) Refused() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state == clockRefused
}

// Run compares the clocks until ctx ends.
func (w *ClockWatch) Run(ctx context.Context) {
	tick := time.NewTicker(clockInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.Compare(ctx)
		}
	}
}

// ClockFinding checks how far this machine's clock differs from the database's.
func ClockFinding(ctx context.Context, s *store.Store) (_ Finding, err error) {
	defer operation.Wrap(&err, "maintenance.ClockFinding")
	f := Finding{Check: "clock", Remedy: "set this machine's clock, or the database's, by NTP (chrony, systemd-timesyncd)"}
	ahead, err := s.MeasureClock(ctx)
	if err != nil {
		return f, fmt.Errorf("reading the database's time: %w", err)
	}
	if state := clockState(ahead); state != clockOK {
		f.Advice = state != clockRefused
		where := "ahead of"
		if ahead < 0 {
			where = "behind"
		}
		f.Violations = []string{fmt.Sprintf("this machine's clock is %v %s the database's; above %v no jobs are done here", ahead.Abs().Round(time.Millisecond), where, clockRefusal)}
	}
	return f, nil
}
