package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/store"
	"verbatim/internal/store/storetest"
)

// A network starts so many interviews of a study at once and so many an hour, whoever else starts any.
func TestStartPace(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	pace := store.StartPace{AtOnce: 3, PerHour: 60}
	start := func(study, network string, pace store.StartPace) (wait time.Duration) {
		t.Helper()
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			wait, err = tx.CountStart(t.Context(), study, network, pace)
			return err
		})
		return wait
	}
	for range 3 {
		if wait := start("a", "192.0.2.1", pace); wait != 0 {
			t.Errorf("one of the first three waits for %v", wait)
		}
	}
	if wait := start("a", "192.0.2.1", pace); wait <= 0 || wait > time.Minute {
		t.Errorf("the fourth waits for %v, want a minute at most", wait)
	}
	if wait, err := s.View().StartWait(t.Context(), "a", "192.0.2.1", pace); wait <= 0 || wait > time.Minute || err != nil {
		t.Errorf("who asks is told to wait for %v, %v", wait, err)
	}
	for name, wait := range map[string]time.Duration{
		"another network": start("a", "192.0.2.2", pace), "another study": start("b", "192.0.2.1", pace),
		"no bound": start("a", "192.0.2.1", store.StartPace{}), "no network": start("a", "", pace),
	} {
		if wait != 0 {
			t.Errorf("%s waits for %v", name, wait)
		}
	}
	clock.Advance(61 * time.Second)
	if wait := start("a", "192.0.2.1", pace); wait != 0 {
		t.Errorf("after a minute it waits for %v", wait)
	}
	if wait := start("a", "192.0.2.1", pace); wait <= 0 {
		t.Error("after a minute there are two starts")
	}

	// What bounds nothing any more is forgotten.
	clock.Advance(time.Hour)
	if stale, err := s.View().StaleStarts(t.Context()); !stale || err != nil {
		t.Errorf("stale: %t, %v", stale, err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.PruneStarts(t.Context()) })
	if stale, err := s.View().StaleStarts(t.Context()); stale || err != nil {
		t.Errorf("stale after pruning: %t, %v", stale, err)
	}
	for range 3 {
		if wait := start("a", "192.0.2.1", pace); wait != 0 {
			t.Errorf("an hour later one of the first three waits for %v", wait)
		}
	}
}

// Starts at the same moment do not pass the bound together.
func TestStartPaceAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	var passed atomic.Int64
	var starters sync.WaitGroup
	for range 40 {
		starters.Go(func() {
			var wait time.Duration
			if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
				wait, err = tx.CountStart(t.Context(), "a", "192.0.2.1", store.StartPace{AtOnce: 7, PerHour: 1})
				return err
			}); err != nil {
				t.Error(err)
			}
			if wait == 0 {
				passed.Add(1)
			}
		})
	}
	starters.Wait()
	if n := passed.Load(); n != 7 {
		t.Errorf("%d passed, want 7", n)
	}
}
