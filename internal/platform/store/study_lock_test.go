package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestPollersMissNothing writes items from two processes whose clocks differ by an hour, while a poller asks again and again
// for updates since the last one that it saw.
func TestPollersMissNothing(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	ahead := func() time.Time { return time.Now().Add(time.Hour) }
	nodes := []*store.Store{storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{Now: ahead})}
	sc := storetest.NewScene(t, nodes[0])
	ctx := t.Context()

	const writers, writes = 6, 12
	var all sync.WaitGroup
	for i := range writers {
		r := storetest.Response(t, sc.Store, sc.Study, nil)
		all.Go(func() {
			for version := 1; version <= writes; version++ {
				err := nodes[i%2].Write(ctx, func(tx *store.Tx) error {
					at, err := tx.NextUpdate(ctx, sc.Study.ID)
					if err != nil {
						return err
					}
					return tx.PutItem(ctx, store.Item{StudyID: sc.Study.ID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: at, Version: version})
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { all.Wait(); close(written) }()

	final := map[int]int{} // the last version seen, by readable id
	var last int64
	poll := func() {
		_, read := nodes[0].Handles()
		rows, err := read.QueryContext(context.WithoutCancel(ctx), `select readable_id, version, updated_at from response_item
			where study_id = $1 and updated_at > $2 order by updated_at`, sc.Study.ID, last)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id, version int
			if err := rows.Scan(&id, &version, &last); err != nil {
				t.Fatal(err)
			}
			final[id] = version
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
		}
		poll()
	}
	if len(final) != writers {
		t.Errorf("the poller saw %d responses, want %d", len(final), writers)
	}
	for id, version := range final {
		if version != writes {
			t.Errorf("of response %d the poller saw version %d last, want %d", id, version, writes)
		}
	}
}

// TestDeletionDoesNotTurnTheClockBack deletes the newest item and checks that its time is not handed out again.
func TestDeletionDoesNotTurnTheClockBack(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{}))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	newest := putItem(t, sc.Store, r, time.Time{}, false, "{}")
	remove(t, sc.Store, r)
	behind := storetest.Open(t, address, store.Options{Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	storetest.Write(t, behind, func(tx *store.Tx) error {
		at, err := tx.NextUpdate(t.Context(), sc.Study.ID)
		if !at.After(newest) {
			t.Errorf("after %v was deleted comes %v", newest, at)
		}
		return err
	})
}
