package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"verbatim/internal/llm"
	"verbatim/internal/usage"
)

// ceilings says in the log which ceiling was met, once for each in its time: a warning, for the operator may want to raise it.
type ceilings struct {
	log *slog.Logger
	now func() time.Time

	mu   sync.Mutex
	told map[string]bool
}

// mostTold bounds what ceilings remembers; past it a ceiling may be told twice.
const mostTold = 10_000

func newCeilings(log *slog.Logger) *ceilings { return &ceilings{log: log, now: time.Now} }

// met notes that a call was refused for a ceiling.
func (c *ceilings) met(scope usage.Scope, full *usage.CeilingError) {
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
	if len(c.told) >= mostTold || c.told == nil {
		c.told = map[string]bool{}
	}
	told := c.told[key]
	c.told[key] = true
	c.mu.Unlock()
	if told {
		return
	}
	flag, instead := "--llm-max-"+full.Of, "the built-in moderator and analyst stand in for the language model"
	if full.Unit == usage.UnitSpeech {
		flag, instead = "--speech-max-"+full.Of, "participants are asked to type"
	}
	c.log.Warn("a ceiling is reached: "+instead, "ceiling", full.Of, "of", id, "size", full.Size(full.Ceiling), "ends", ends, "raise_with", flag)
}

// watchedMeter is a meter whose ceilings are told when they are met.
type watchedMeter struct {
	llm.Meter
	ceilings *ceilings
}

// Reserve implements llm.Meter.
func (m watchedMeter) Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (string, error) {
	hold, err := m.Meter.Reserve(ctx, scope, atMost)
	if full, ok := errors.AsType[*usage.CeilingError](err); ok {
		m.ceilings.met(scope, full)
	}
	return hold, err
}
