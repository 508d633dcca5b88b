package store_test

import (
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestNodes(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	live := func(want int) {
		t.Helper()
		n, err := s.View().LiveNodes(t.Context(), 9*time.Second)
		if err != nil || n != want {
			t.Errorf("%d nodes (%v), want %d", n, err, want)
		}
	}
	beat := func(ids ...string) {
		t.Helper()
		for _, id := range ids {
			storetest.Write(t, s, func(tx *store.Tx) error { return tx.Heartbeat(t.Context(), id) })
		}
	}
	live(0)
	beat("a", "b", "a")
	live(2)
	clock.Advance(8 * time.Second)
	beat("a")
	clock.Advance(2 * time.Second)
	live(1)
	beat("b")
	live(2)
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.RemoveNode(t.Context(), "b") })
	live(1)
	clock.Advance(2 * time.Hour)
	beat("c")
	n, err := s.View().LiveNodes(t.Context(), 24*time.Hour)
	if err != nil || n != 1 {
		t.Errorf("%d rows are kept (%v), want the last node's", n, err)
	}
}
