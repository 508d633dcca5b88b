package maintenance

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
)

// Ceilings logs a warning when a usage ceiling is reached, so that the operator can raise it: once for each study and once a day for
// the ceiling of the day. Ceilings of interviews, of which there may be many, are logged at most once an hour, with the number of
// interviews that reached theirs since the last line.
type Ceilings struct {
	log *slog.Logger
	now func() time.Time

	mu         sync.Mutex
	reported   map[string]bool
	lastLogged map[string]time.Time // when a ceiling of an interview was last logged, by unit
	suppressed map[string]int       // interviews since then, by unit
}

// interviewLogInterval is the minimum time between two log lines about ceilings of interviews.
const interviewLogInterval = time.Hour

// maxReported bounds the memory of Ceilings; beyond it a ceiling may be logged twice.
const maxReported = 10_000

// NewCeilings returns a log of ceilings without any that were reached.
func NewCeilings(log *slog.Logger) *Ceilings { return &Ceilings{log: log, now: time.Now} }

// Reached logs that a call was refused because of a ceiling.
func (c *Ceilings) Reached(scope usage.Scope, full *usage.CeilingError) {
	id, ends := scope.ResponseID, "never: it holds until it is raised"
	switch full.Of {
	case "study":
		id = scope.StudyID
	case "day":
		day := c.now().UTC().Truncate(24 * time.Hour)
		id, ends = day.Format(time.DateOnly), day.Add(24*time.Hour).Format(time.RFC3339)
	}
	key := full.Of + " " + full.Unit + " " + id
	c.mu.Lock()
	if len(c.reported) >= maxReported || c.reported == nil {
		c.reported = map[string]bool{}
	}
	silent := c.reported[key]
	c.reported[key] = true
	var count []any
	if full.Of == "interview" && !silent {
		silent, count = c.suppress(full.Unit)
	}
	c.mu.Unlock()
	if silent {
		return
	}
	flag, instead := "--llm-max-"+full.Of, "the built-in moderator and analyst are used instead of the language model"
	if full.Unit == usage.UnitSpeech {
		flag, instead = "--speech-max-"+full.Of, "participants are asked to type"
	}
	c.log.Warn("a ceiling is reached: "+instead, append([]any{"ceiling", full.Of, "of", id, "size", full.Size(full.Ceiling), "ends", ends, "raise_with", flag}, count...)...)
}

// suppress reports whether the log line of another interview is left out. If it is not, suppress returns its count attribute.
func (c *Ceilings) suppress(unit string) (left bool, count []any) {
	if c.lastLogged == nil {
		c.lastLogged, c.suppressed = map[string]time.Time{}, map[string]int{}
	}
	c.suppressed[unit]++
	if last, ok := c.lastLogged[unit]; ok && c.now().Sub(last) < interviewLogInterval {
		return true, nil
	}
	count = []any{"interviews", c.suppressed[unit]}
	c.lastLogged[unit], c.suppressed[unit] = c.now(), 0
	return false, count
}

// WatchedLedger is a ledger that reports each reached ceiling to Ceilings.
type WatchedLedger struct {
	llm.Ledger
	Ceilings *Ceilings
}

// Reserve implements llm.Ledger.
func (l WatchedLedger) Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (hold string, err error) {
	defer operation.Wrap(&err, "maintenance.WatchedLedger.Reserve")
	hold, err = l.Ledger.Reserve(ctx, scope, atMost)
	if full, ok := errors.AsType[*usage.CeilingError](err); ok {
		l.Ceilings.Reached(scope, full)
	}
	return hold, err
}
