package store_test

import (
	"errors"
	"testing"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestDiskFull: a write that finds no room returns ErrDiskFull, on either engine, and the store remembers it until a trial
// write succeeds.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	org := storetest.Org(t, s)
	write := func(statement string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.Exec(t.Context(), statement) })
	}
	if s.DiskFull() {
		t.Error("it is full before anything failed")
	}
	fill, makeRoom := `pragma max_page_count = 1`, `pragma max_page_count = 1000000` // of the connection that writes
	if storetest.OnPostgres() {
		fill = `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$`
		if err := write(fill); err != nil {
			t.Fatal(err)
		}
		fill, makeRoom = `create trigger full_disk before insert on setting execute function full_disk()`, `drop trigger full_disk on setting`
	}
	if err := write(fill); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.TryWrite(t.Context()); !errors.Is(err, outage.ErrDiskFull) || !s.DiskFull() {
			t.Errorf("a write without room: %v, full %t", err, s.DiskFull())
		}
	}
	if _, err := s.View().Org(t.Context(), org.ID); err != nil {
		t.Errorf("a read: %v", err)
	}
	if err := write(makeRoom); err != nil {
		t.Fatal(err)
	}
	if !s.DiskFull() {
		t.Error("a small write succeeded and counted as room")
	}
	if err := s.TryWrite(t.Context()); err != nil || s.DiskFull() {
		t.Errorf("with room again: %v, full %t", err, s.DiskFull())
	}
}
