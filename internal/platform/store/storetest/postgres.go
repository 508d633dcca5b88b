package storetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// serverVariable is the environment variable with the address of a PostgreSQL server for the tests: see test/withpostgres.
// Where it is empty, the suites run on SQLite.
const serverVariable = "VERBATIM_TEST_DATABASE"

// scriptVariable is the environment variable with a psql script that changes the schema before the suites use it, such as
// deploy/postgres/partition.sql. Where it is empty, the schema stays as it is made.
const scriptVariable = "VERBATIM_TEST_SCHEMA_SCRIPT"

// OnPostgres reports whether the suites run on PostgreSQL.
func OnPostgres() bool { return os.Getenv(serverVariable) != "" }

// OnceOnSQLite skips a test in the run on PostgreSQL. why says what the test shows that no engine changes, or where it meets
// both engines already.
func OnceOnSQLite(t testing.TB, why string) {
	t.Helper()
	if OnPostgres() {
		t.Skip("it ran on SQLite: " + why)
	}
}

// SchemaChanged reports whether a script has changed the schema for the suites: then tests that name its parts mean nothing.
func SchemaChanged() bool { return OnPostgres() && os.Getenv(scriptVariable) != "" }

// databases counts the databases that this process made.
var databases atomic.Int64

// name returns a database name that no other process uses.
func name(what string) string { return fmt.Sprintf("verbatim_%d_%s", os.Getpid(), what) }

// template makes a migrated, empty database, of which the others are copies, once a process.
var template = sync.OnceValues(func() (string, error) {
	ctx, server, made := context.Background(), os.Getenv(serverVariable), name("template")
	if err := pgtest.Create(ctx, server, made, ""); err != nil {
		return "", err
	}
	address, err := pgtest.At(server, made)
	if err != nil {
		return "", err
	}
	s, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return "", err
	}
	if _, err := s.Migrate(ctx); err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	if script := os.Getenv(scriptVariable); script != "" {
		if out, err := exec.CommandContext(ctx, "psql", address, "-q", "-v", "ON_ERROR_STOP=1", "-v", "parts=4", "-f", script).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", script, err, out)
		}
	}
	return made, nil
})

func postgresAddress(t testing.TB, server string) string {
	t.Helper()
	like, err := template()
	if err != nil {
		t.Fatalf("making the template of the test databases: %v", err)
	}
	return postgresLike(t, server, like)
}

// postgresLike makes a database like another one; an empty like makes an empty one.
func postgresLike(t testing.TB, server, like string) string {
	t.Helper()
	own := name(fmt.Sprint(databases.Add(1)))
	if err := pgtest.Create(t.Context(), server, own, like); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pgtest.Drop(context.WithoutCancel(t.Context()), server, own); err != nil {
			t.Error(err)
		}
	})
	address, err := pgtest.At(server, own)
	if err != nil {
		t.Fatal(err)
	}
	return address
}
