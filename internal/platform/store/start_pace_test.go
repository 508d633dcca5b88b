package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// household returns the one network of an address; none where there is no address.
func household(address string) []response.Network {
	if address == "" {
		return nil
	}
	return []response.Network{{Name: address, Times: 1}}
}

// TestStartPaceOfWideNetworks: a participant who moves through the networks of a wide one gets what the wide one has, and a
// start that one of them refuses counts for none.
func TestStartPaceOfWideNetworks(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	pace := store.StartRate{AtOnce: 6, PerHour: 60}
	start := func(networks ...response.Network) (wait time.Duration) {
		t.Helper()
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			wait, err = tx.CountStart(t.Context(), "a", networks, pace)
			return err
		})
		return wait
	}
	site := response.Network{Name: "2001:db8::/48", Times: 8}
	passed := 0
	for n := range 10 {
		home := response.Network{Name: fmt.Sprintf("2001:db8:0:%d::/64", n), Times: 1}
		for range 7 {
			if start(home, site) == 0 {
				passed++
			}
		}
	}
	if passed != 8*pace.AtOnce {
		t.Errorf("%d starts passed in all of a network of 8 times %d", passed, pace.AtOnce)
	}
	last := response.Network{Name: "2001:db8:0:9::/64", Times: 1}
	if wait := start(last, site); wait <= 0 || wait > time.Minute/8 {
		t.Errorf("it waits for %v, want an eighth of a minute at most", wait)
	}
	if wait, err := s.View().StartWait(t.Context(), "a", []response.Network{last, site}, pace); wait <= 0 || wait > time.Minute/8 || err != nil {
		t.Errorf("StartWait says to wait for %v, %v", wait, err)
	}
	// The home that was refused because of its site still has all of its own.
	for n := range pace.AtOnce {
		if wait := start(last); wait != 0 {
			t.Errorf("start %d of the home alone waits for %v", n+1, wait)
		}
	}
	if start(last) == 0 {
		t.Error("the home passes its own bound")
	}
}

// A network may start so many interviews of a study at once and so many an hour, whatever other networks start.
func TestStartPace(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	pace := store.StartRate{AtOnce: 3, PerHour: 60}
	start := func(study, address string, pace store.StartRate) (wait time.Duration) {
		t.Helper()
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			wait, err = tx.CountStart(t.Context(), study, household(address), pace)
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
	if wait, err := s.View().StartWait(t.Context(), "a", household("192.0.2.1"), pace); wait <= 0 || wait > time.Minute || err != nil {
		t.Errorf("StartWait says to wait for %v, %v", wait, err)
	}
	for name, wait := range map[string]time.Duration{
		"another network": start("a", "192.0.2.2", pace), "another study": start("b", "192.0.2.1", pace),
		"no bound": start("a", "192.0.2.1", store.StartRate{}), "no network": start("a", "", pace),
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

	// Networks whose pace no longer limits anything are removed.
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

// Simultaneous starts from the homes of one site do not exceed the site's limit together, and do not deadlock.
func TestStartPaceOfASiteAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	var passed atomic.Int64
	var starts sync.WaitGroup
	for n := range 40 {
		starts.Go(func() {
			networks := []response.Network{{Name: fmt.Sprintf("home %d", n%5), Times: 1}, {Name: "site", Times: 2}, {Name: "provider", Times: 64}}
			var wait time.Duration
			if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
				wait, err = tx.CountStart(t.Context(), "a", networks, store.StartRate{AtOnce: 7, PerHour: 1})
				return err
			}); err != nil {
				t.Error(err)
			}
			if wait == 0 {
				passed.Add(1)
			}
		})
	}
	starts.Wait()
	if n := passed.Load(); n != 14 {
		t.Errorf("%d passed, want 14", n)
	}
}

// Simultaneous starts do not exceed the limit together.
func TestStartPaceAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	var passed atomic.Int64
	var starts sync.WaitGroup
	for range 40 {
		starts.Go(func() {
			var wait time.Duration
			if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
				wait, err = tx.CountStart(t.Context(), "a", household("192.0.2.1"), store.StartRate{AtOnce: 7, PerHour: 1})
				return err
			}); err != nil {
				t.Error(err)
			}
			if wait == 0 {
				passed.Add(1)
			}
		})
	}
	starts.Wait()
	if n := passed.Load(); n != 7 {
		t.Errorf("%d passed, want 7", n)
	}
}
