package store_test

import (
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestClockAhead: a node finds out how far its clock is from the database's, and times that nodes compare with each other's
// are by the database's clock: a node a day ahead neither takes the jobs of others nor counts them as gone.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	right := storetest.Open(t, address, store.Options{})
	if !right.Shared() {
		if ahead, err := right.MeasureClock(t.Context()); ahead != 0 || err != nil {
			t.Errorf("one machine's clock is %v ahead of itself, %v", ahead, err)
		}
		return
	}
	day := 24 * time.Hour
	for name, off := range map[string]time.Duration{"ahead": day, "behind": -day} {
		wrong := storetest.Open(t, address, store.Options{Now: func() time.Time { return time.Now().Add(off) }})
		for _, s := range []*store.Store{right, wrong} {
			if _, err := s.MeasureClock(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if found, known := wrong.Clock(); !known || (found-off).Abs() > time.Hour {
			t.Errorf("%s: the clock is found to be %v ahead, want %v", name, found, off)
		}
		storetest.Write(t, wrong, func(tx *store.Tx) error { // uploads, leases and keys expire by this time
			if differs := tx.Now().Sub(right.Now()); differs.Abs() > time.Minute {
				t.Errorf("%s: a transaction's time is %v ahead of another server's", name, differs)
			}
			return nil
		})
		storetest.Write(t, right, func(tx *store.Tx) error { return tx.Heartbeat(t.Context(), "right") })
		storetest.Write(t, wrong, func(tx *store.Tx) error { return tx.Heartbeat(t.Context(), name) })
		for _, s := range []*store.Store{right, wrong} {
			if n, err := s.View().LiveNodes(t.Context(), 6*time.Hour); n < 2 || err != nil {
				t.Errorf("%s: %d nodes live, %v, want both", name, n, err)
			}
		}
		claim := func(s *store.Store) (claimed []store.Job) {
			storetest.Write(t, s, func(tx *store.Tx) (err error) {
				claimed, err = tx.ClaimJobs(t.Context(), store.Queue{Name: name}, 10, time.Hour)
				return err
			})
			return claimed
		}
		storetest.Write(t, wrong, func(tx *store.Tx) error { return tx.Enqueue(t.Context(), store.Job{Kind: name}) })
		for due := false; !due; { // the measurements differ by a round trip
			var err error
			if due, err = right.View().HasDueJobs(t.Context(), store.Queue{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		if claimed := claim(right); len(claimed) != 1 {
			t.Errorf("%s: %d jobs were claimed, want the one", name, len(claimed))
		}
		if claimed := claim(wrong); len(claimed) != 0 {
			t.Errorf("%s: a job was taken whose lease has an hour to go", name)
		}
		for _, again := range []string{"retried", "postponed"} {
			kind := name + again
			storetest.Write(t, wrong, func(tx *store.Tx) error { return tx.Enqueue(t.Context(), store.Job{Kind: kind}) })
			storetest.Write(t, wrong, func(tx *store.Tx) error {
				var claimed []store.Job
				for len(claimed) == 0 { // the measurements differ by a round trip
					var err error
					if claimed, err = tx.ClaimJobs(t.Context(), store.Queue{Name: kind}, 1, time.Hour); err != nil {
						return err
					}
				}
				if again == "retried" {
					return tx.RetryJob(t.Context(), claimed[0], tx.Now(), "for a reason")
				}
				return tx.SnoozeJob(t.Context(), claimed[0], tx.Now(), "for a reason")
			})
			for deadline := time.Now().Add(10 * time.Second); ; {
				due, err := right.View().HasDueJobs(t.Context(), store.Queue{Name: kind})
				if err != nil {
					t.Fatal(err)
				}
				if due {
					break
				}
				if time.Now().After(deadline) {
					t.Errorf("%s: a job that was %s for now is not due", name, again)
					break
				}
			}
		}
	}
}
