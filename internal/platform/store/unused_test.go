package store_test

import (
	"errors"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestOpenUnused: a database that a server uses cannot be moved.
func TestOpenUnused(t *testing.T) {
	t.Parallel()
	ctx, address := t.Context(), storetest.Address(t)
	first, err := store.OpenUnused(ctx, address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, first, func(tx *store.Tx) error { return tx.Heartbeat(ctx, "node") })
	if again, err := store.OpenUnused(ctx, address, store.Options{}); !errors.Is(err, store.ErrInUse) {
		t.Errorf("while it is open: %v, %v", again, err)
	}
	storetest.Write(t, first, func(tx *store.Tx) error { return tx.RemoveNode(ctx, "node") })
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.OpenUnused(ctx, address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
