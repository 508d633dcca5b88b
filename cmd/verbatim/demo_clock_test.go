package main

import (
	"testing"
	"time"
)

// TestDemoClock: the demo's clock begins in the past, is moved on by what participants take, and never passes the present.
func TestDemoClock(t *testing.T) {
	t.Parallel()
	if newDemoClock("postgres://localhost/x", 5) != nil {
		t.Error("a database with a clock of its own is given another")
	}
	c := newDemoClock("sqlite:x", 2)
	if behind := time.Since(c.Now()); behind < 2*interviewTime {
		t.Errorf("begins %s ago", behind)
	}
	before := c.Now()
	if err := c.pass(t.Context(), time.Minute); err != nil || c.Now().Sub(before) < time.Minute {
		t.Errorf("a minute is %s, %v", c.Now().Sub(before), err)
	}
	_ = c.pass(t.Context(), 100*interviewTime)
	if ahead := time.Until(c.Now()); ahead > 0 {
		t.Errorf("%s ahead of the present", ahead)
	}
	c.arrive()
	if behind := time.Since(c.Now()); behind > time.Minute {
		t.Errorf("arrives %s ago", behind)
	}
}
