package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// moved runs a move and returns what it printed for each table.
func moved(t *testing.T, args ...string) map[string]string {
	t.Helper()
	out, _ := command(t, 0, append([]string{"move", "--json"}, args...)...)
	all := map[string]string{}
	for line := range strings.SplitSeq(strings.Trim(out, "[]\n"), "},{") {
		name, rest, _ := strings.Cut(line, `,`)
		all[name] = rest
	}
	return all
}

// TestMove moves an installation with its objects from SQLite to PostgreSQL and back. Every answer and every table must be the same on all
// three.
func TestMove(t *testing.T) {
	t.Parallel()
	makers, _ := engines(t)
	first := install(t, makers["sqlite"](t))
	second, third := first.at(makers["postgres"](t)), first.at(makers["sqlite"](t))
	second.blobs, third.blobs = "file:"+t.TempDir(), "file:"+t.TempDir()
	want := first.answers(t)
	there := moved(t, "--from="+first.database, "--to="+second.database, "--blobs-from="+first.blobs, "--blobs-to="+second.blobs)
	compareAnswers(t, "on PostgreSQL", want, second.answers(t))
	if wrong := second.wrong(t); len(wrong) > 0 {
		t.Errorf("doctor on PostgreSQL: %v", wrong)
	}
	back := moved(t, "--from="+second.database, "--to="+third.database, "--blobs-from="+second.blobs, "--blobs-to="+third.blobs)
	compareAnswers(t, "back on SQLite", want, third.answers(t))
	if wrong := third.wrong(t); len(wrong) > 0 {
		t.Errorf("doctor back on SQLite: %v", wrong)
	}
	if len(there) < 30 {
		t.Errorf("only %d lines say what was moved: %v", len(there), there)
	}
	for name, counted := range there {
		// Each start stores that it read the tombstones, and each key when it was last used.
		changes := strings.Contains(name, "setting") || strings.Contains(name, "api_key")
		if !changes && !strings.Contains(name, "recordings") && back[name] != counted {
			t.Errorf("%s: there %s, back %s", name, counted, back[name])
		}
	}
	for _, prefix := range []string{response.Objects, org.LogoPrefix, response.Tombstones} {
		if diff := cmp.Diff(blobtest.List(t, blobtest.Open(t, first.blobs), prefix), blobtest.List(t, blobtest.Open(t, third.blobs), prefix)); diff != "" {
			t.Errorf("the objects below %s:\n%s", prefix, diff)
		}
	}
}

func compareAnswers(t *testing.T, where string, want, got map[string]string) {
	t.Helper()
	if len(want) < 15 {
		t.Fatalf("only %d answers are compared", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers %s:\n%s", where, diff)
	}
}

// TestMoveIntoABucket moves only the objects, into a bucket and back.
func TestMoveIntoABucket(t *testing.T) {
	t.Parallel()
	bucket, from, to := blobtest.OwnBucket(t), "file:"+t.TempDir(), "file:"+t.TempDir()
	names := []string{response.Objects + "a/recordings/b/c.webm", org.LogoPrefix + "d.png", response.Tombstones + "2026-11-22/e"}
	for _, name := range names {
		blobtest.Put(t, blobtest.Open(t, from), name, "it is "+name)
	}
	for _, addresses := range [][2]string{{from, bucket}, {from, bucket}, {bucket, to}} {
		out, _ := command(t, 0, "move", "--blobs-from="+addresses[0], "--blobs-to="+addresses[1])
		if !strings.Contains(out, "recordings and uploads, each compared by SHA-256  3") {
			t.Errorf("it says %s", out)
		}
	}
	for _, name := range names {
		if got := string(blobtest.Content(t, blobtest.Open(t, to), name)); got != "it is "+name {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

// TestMoveRefuses checks that moves that would lose or mix data are refused.
func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	address := func(name string) string { return "sqlite:" + filepath.Join(dir, name) }
	for _, name := range []string{"source", "full"} {
		s, err := store.Open(t.Context(), address(name), store.Options{})
		if err == nil {
			_, err = s.Migrate(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		storetest.NewScene(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	old, err := store.Open(t.Context(), address("old"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	refused := func(code int, says string, args ...string) {
		t.Helper()
		if _, stderr := command(t, code, append([]string{"move"}, args...)...); !strings.Contains(stderr, says) {
			t.Errorf("%v: stderr %q, want %q", args, stderr, says)
		}
	}
	refused(exitUsage, "name what to move")
	refused(exitUsage, "belong together", "--from="+address("source"))
	refused(exitUsage, "belong together", "--blobs-from=file:"+dir)
	refused(exitUsage, "the same", "--from="+address("source"), "--to="+address("source"))
	refused(exitRefused, "there is no database", "--from="+address("nowhere"), "--to="+address("new"))
	refused(exitRefused, "verbatim migrate", "--from="+address("old"), "--to="+address("new"))
	refused(exitRefused, "not empty", "--from="+address("source"), "--to="+address("full"))
	refused(exitRefused, "sqlite:PATH", "--from=mysql:x", "--to="+address("new"))
	if _, err := os.Stat(filepath.Join(dir, "nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a database was made where there was none: %v", err)
	}
	open, err := store.Open(t.Context(), address("source"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	refused(exitRefused, "in use", "--from="+address("source"), "--to="+address("new"))
}

// TestMoveSurvivesAKill kills moves with SIGKILL until one completes. The target must then equal the source, and no command may accept a
// half-filled database.
func TestMoveSurvivesAKill(t *testing.T) {
	t.Parallel()
	makers, _ := engines(t)
	source := "sqlite:" + filepath.Join(t.TempDir(), "source.db")
	func() {
		s, err := store.Open(t.Context(), source, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.NewScene(t, s)
		storetest.Write(t, s, func(tx *store.Tx) error { // some hundred batches
			for range 30_000 {
				if _, err := tx.CreateOrg(t.Context(), "Orchard Research"); err != nil {
					return err
				}
			}
			return nil
		})
	}()
	for engine, address := range makers {
		t.Run(engine, func(t *testing.T) {
			target := address(t)
			kills := 0
			for !moveOnce(t, source, target, kills < 5) {
				if kills++; kills == 1 {
					if _, stderr := command(t, exitRefused, "org", "list", "--database="+target, "--data="+t.TempDir()); !strings.Contains(stderr, "has not ended") {
						t.Errorf("a half-filled database is accepted: %q", stderr)
					}
				}
			}
			if kills == 0 {
				t.Error("it was through before it could be killed: this test shows nothing")
			}
			tables := func(address string) []store.CopiedTable {
				t.Helper()
				s, err := store.Open(t.Context(), address, store.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				into, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "into.db"), store.Options{Filling: true})
				if err != nil {
					t.Fatal(err)
				}
				defer into.Close()
				all, err := s.Copy(t.Context(), into, store.CopyOptions{Source: "it"})
				if err != nil {
					t.Fatal(err)
				}
				return all
			}
			if diff := cmp.Diff(tables(source), tables(target)); diff != "" {
				t.Errorf("after %d kills:\n%s", kills, diff)
			}
		})
	}
}

// moveOnce runs a move in a process of its own. With deadly it kills the process when it begins to copy rows. It reports whether the move
// completed.
func moveOnce(t *testing.T, source, target string, deadly bool) bool {
	t.Helper()
	ctx, kill := context.WithCancel(t.Context()) // which sends SIGKILL
	defer kill()
	p := exec.CommandContext(ctx, os.Args[0], "move", "--from="+source, "--to="+target)
	p.Env = append(os.Environ(), asProgram+"=1")
	steps, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := ""
	for lines := bufio.NewScanner(steps); lines.Scan(); {
		stderr += lines.Text() + "\n"
		if deadly && strings.HasPrefix(lines.Text(), "copying org") {
			kill()
		}
	}
	err = p.Wait()
	if err != nil && ctx.Err() == nil {
		t.Fatalf("the move failed: %v: %s", err, stderr)
	}
	return err == nil
}
