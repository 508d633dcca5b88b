package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"verbatim/internal/platform/store"
)

// New opens an empty, migrated store that is closed at the end of the test.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, Address(t), store.Options{})
}

// NewAt is New with the test's own clock.
func NewAt(t testing.TB, clock *Clock) *store.Store {
	t.Helper()
	return Open(t, Address(t), store.Options{Now: clock.Now})
}

// Address returns the address of a database of the test's own, on the engine that the suites run on; it is removed after the
// test. It may have its tables already, or not: Open migrates.
func Address(t testing.TB) string {
	t.Helper()
	if server := os.Getenv(serverVariable); server != "" {
		return postgresAddress(t, server)
	}
	return SQLiteAddress(t)
}

// EmptyAddress is Address for a database without tables.
func EmptyAddress(t testing.TB) string {
	t.Helper()
	if server := os.Getenv(serverVariable); server != "" {
		return postgresLike(t, server, "")
	}
	return sqlitePrefix + filepath.Join(t.TempDir(), "verbatim.db")
}

const sqlitePrefix = "sqlite:"

// sqliteTemplate makes a migrated, empty database, of which the others are copies, once a process, and returns its file.
var sqliteTemplate = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "verbatim-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "verbatim.db")
	s, err := store.Open(context.Background(), sqlitePrefix+path, store.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := s.Migrate(context.Background()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// SQLiteAddress is Address for tests of SQLite alone.
func SQLiteAddress(t testing.TB) string {
	t.Helper()
	file, err := sqliteTemplate()
	if err != nil {
		t.Fatalf("making the template of the test databases: %v", err)
	}
	path := filepath.Join(t.TempDir(), "verbatim.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return sqlitePrefix + path
}

// Open opens and migrates the database at an address, which may be open already, and closes it at the end of the test.
func Open(t testing.TB, address string, opts store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address, opts)
	if err != nil {
		t.Fatalf("opening the store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the store: %v", err)
		}
	})
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatalf("migrating the store: %v", err)
	}
	return s
}

// Write runs a transaction that must succeed.
func Write(t testing.TB, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), fn); err != nil {
		t.Fatalf("writing: %v", err)
	}
}

// Clock is a clock that stands still until it is moved. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// Settings returns those of the named settings that have a value.
func Settings(t testing.TB, s *store.Store, names ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range names {
		value, err := s.View().Setting(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if value != "" {
			found[name] = value
		}
	}
	return found
}

// NewClock makes a clock that stands at a fixed date.
func NewClock() *Clock { return &Clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves the clock; backwards when d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
