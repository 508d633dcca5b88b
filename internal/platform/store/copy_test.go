package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// filled fills a database with rows in most tables.
func filled(t *testing.T, s *store.Store) storetest.Scene {
	t.Helper()
	sc := storetest.NewScene(t, s)
	for n := range 7 {
		fullResponse(t, sc, canary(n), 300*n)
	}
	remove(t, s, fullResponse(t, sc, canary(8), 10))
	storetest.Key(t, s, sc.Org.ID, sc.User.ID)
	storetest.Write(t, s, func(tx *store.Tx) error {
		if err := tx.Heartbeat(t.Context(), "node"); err != nil {
			return err
		}
		if err := tx.ChangeSetting(t.Context(), "left", "", "behind"); err != nil {
			return err
		}
		return tx.ChangeSetting(t.Context(), "brought", "", "Größe \U0001F600 '\"")
	})
	return sc
}

// empty opens a database to be filled, on the engine that the suites run on or on SQLite.
func empty(t *testing.T, address string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address, store.Options{Filling: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestCopyThereAndBack copies a database to the engine of the suites and back to SQLite: every table has the same rows.
func TestCopyThereAndBack(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{})
	sc := filled(t, first)
	second, third := empty(t, storetest.Address(t)), empty(t, storetest.SQLiteAddress(t))
	there, err := first.Copy(ctx, second, store.CopyOptions{Source: "first", LeaveOut: []string{"left"}, Batch: 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := second.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	back, err := second.Copy(ctx, third, store.CopyOptions{Source: "second"})
	if err != nil {
		t.Fatal(err)
	}
	if err := third.FinishCopy(ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(there, back); diff != "" {
		t.Errorf("there and back (-there +back):\n%s", diff)
	}
	var rows int64
	full := 0
	for _, table := range there {
		rows += table.Rows
		if table.Rows > 0 {
			full++
		}
	}
	if full < 20 || rows < 100 {
		t.Errorf("only %d of %d tables have rows, %d together: this test shows little", full, len(there), rows)
	}
	if slices.ContainsFunc(there, func(c store.CopiedTable) bool { return c.Name == "node" }) {
		t.Error("the servers that run were copied")
	}
	for name, want := range map[string]string{"brought": "Größe \U0001F600 '\"", "left": ""} {
		if got, err := third.View().Setting(ctx, name); err != nil || got != want {
			t.Errorf("the setting %s is %q, %v", name, got, err)
		}
	}
	if st, err := third.View().StudyByLink(ctx, sc.Org.ID, sc.Study.LinkID); err != nil || st.ID != sc.Study.ID {
		t.Errorf("the study's link leads to %+v, %v", st, err)
	}
	audit(ctx, t, second)
	audit(ctx, t, third)
}

// TestCopyGoesOn interrupts a copy after each batch, and runs it again until it is complete.
func TestCopyGoesOn(t *testing.T) {
	t.Parallel()
	first := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{})
	filled(t, first)
	target := storetest.Address(t)
	var done []store.CopiedTable
	cuts := 0
	for done == nil {
		second := empty(t, target)
		ctx, cut := context.WithCancel(t.Context())
		copied, err := first.Copy(ctx, second, store.CopyOptions{Source: "first", Batch: 5, Progress: func(string, int64) { cut() }})
		switch {
		case err == nil:
			done = copied
		case errors.Is(err, context.Canceled):
			cuts++
		default:
			t.Fatal(err)
		}
		cut()
	}
	if cuts < 20 {
		t.Errorf("interrupted only %d times", cuts)
	}
	direct, err := first.Copy(t.Context(), empty(t, storetest.SQLiteAddress(t)), store.CopyOptions{Source: "first"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(direct, done); diff != "" {
		t.Errorf("in one go, and in %d parts:\n%s", cuts+1, diff)
	}
}

// TestCopyRefuses: rows of two sources are never mixed, and an unfinished copy is never taken for a complete one.
func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	first := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{})
	filled(t, first)
	refused := func(to *store.Store, source string, want error) {
		t.Helper()
		if _, err := first.Copy(ctx, to, store.CopyOptions{Source: source}); !errors.Is(err, want) {
			t.Errorf("copying %s: %v, want %v", source, err, want)
		}
	}
	other := storetest.New(t)
	storetest.NewScene(t, other)
	refused(other, "first", store.ErrNotEmpty)

	address := storetest.Address(t)
	second := empty(t, address)
	cutting, cut := context.WithCancel(ctx)
	_, err := first.Copy(cutting, second, store.CopyOptions{Source: "first", Batch: 2, Progress: func(table string, _ int64) {
		if table == "study" {
			cut()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cut()
	refused(second, "another", store.ErrNotEmpty)
	server, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, err := server.Migrate(ctx); !errors.Is(err, store.ErrUnfinished) {
		t.Errorf("a server starts on an unfinished copy: %v", err)
	}
	// A change in the source in between is found.
	storetest.Write(t, first, func(tx *store.Tx) error { _, err := tx.CreateOrg(ctx, "Late"); return err })
	refused(second, "first", store.ErrDiffers)
}

// TestCopyOfAnOldSchema: the copy has the schema of its source, and is brought up to date like it.
func TestCopyOfAnOldSchema(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "old.db")
	const size = 200
	oldDatabase(t, path, size)
	old, err := store.Open(ctx, "sqlite:"+path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	second := empty(t, storetest.EmptyAddress(t))
	copied, err := old.Copy(ctx, second, store.CopyOptions{Source: "old"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	checkOld(t, second, size)
	again, err := old.Copy(ctx, second, store.CopyOptions{Source: "old"}) // as after a crash in what follows a restore
	if err != nil || fmt.Sprint(again) != fmt.Sprint(copied) {
		t.Errorf("again: %v, %v", again, err)
	}
}

// TestCatalogs: a server that reads the schema finds the same tables on either engine.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	here, there := storetest.Open(t, storetest.SQLiteAddress(t), store.Options{}), storetest.New(t)
	one, err := here.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	two, err := there.Catalog(t.Context())
	if err != nil || one != two {
		t.Errorf("%v: the schema is\n%s\nand\n%s", err, one, two)
	}
	before := func(a, b string) {
		if i, j := strings.Index(one, "\n"+a+" "), strings.Index(one, "\n"+b+" "); i < 0 || j < i {
			t.Errorf("%s must come before %s:\n%s", a, b, one)
		}
	}
	before("org", "member")
	before("study", "response")
	before("response", "turn")
	before("upload", "upload_part")
}
