package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

// ceilings says in the log which ceiling was met, once for each in its time: a warning, for the operator may want to raise it. Those of
// interviews, of which there are many, it says once an hour at most, with how many interviews met theirs since the last time.
type ceilings struct {
	log *slog.Logger
	now func() time.Time

	mu         sync.Mutex
	reported   map[string]bool
	lastLogged map[string]time.Time // when ceilings of interviews were logged, by their unit
	suppressed map[string]int       // interviews since then
}

// sayInterviews is the shortest time between two log lines about ceilings of interviews.
const interviewLogInterval = time.Hour

// mostTold bounds what ceilings remembers; past it a ceiling may be told twice.
const maxReported = 10_000

func newCeilings(log *slog.Logger) *ceilings { return &ceilings{log: log, now: time.Now} }

// met notes that a call was refused for a ceiling.
func (c *ceilings) reached(scope usage.Scope, full *usage.CeilingError) {
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
	told := c.reported[key]
	c.reported[key] = true
	var count []any
	if full.Of == "interview" && !told {
		told, count = c.suppress(full.Unit)
	}
	c.mu.Unlock()
	if told {
		return
	}
	flag, instead := "--llm-max-"+full.Of, "the built-in moderator and analyst stand in for the language model"
	if full.Unit == usage.UnitSpeech {
		flag, instead = "--speech-max-"+full.Of, "participants are asked to type"
	}
	c.log.Warn("a ceiling is reached: "+instead, append([]any{"ceiling", full.Of, "of", id, "size", full.Size(full.Ceiling), "ends", ends, "raise_with", flag}, count...)...)
}

// held reports whether the line of another interview is held back, and returns the count for one that is not.
func (c *ceilings) suppress(unit string) (held bool, count []any) {
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

// watchedMeter is a meter whose ceilings are told when they are met.
type watchedLedger struct {
	llm.Ledger
	ceilings *ceilings
}

// Reserve implements llm.Meter.
func (m watchedLedger) Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (string, error) {
	hold, err := m.Ledger.Reserve(ctx, scope, atMost)
	if full, ok := errors.AsType[*usage.CeilingError](err); ok {
		m.ceilings.reached(scope, full)
	}
	return hold, err
}
