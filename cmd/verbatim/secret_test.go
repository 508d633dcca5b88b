package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/keyring"
)

// storesSecrets reports whether the database holds secrets that sign links.
func storesSecrets(t *testing.T, s *store.Store) bool {
	t.Helper()
	return len(storetest.Settings(t, s, keyring.Settings()...)) > 0
}

// TestSecretStaysOutOfBackups checks that only the owner can read the file, that it is created once, and that neither the database nor a
// backup contains its secret.
func TestSecretStaysOutOfBackups(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	flags := serviceFlags{BaseURL: "https://interviews.example.com", Price: "1", AbandonAfter: time.Hour}
	var first string
	for range 2 {
		if _, err := newService(t.Context(), s, "file:"+filepath.Join(dir, "blobs"), flags, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "signing-secret"))
		if err != nil || first != "" && string(text) != first {
			t.Fatalf("the second start changed the secret (%v)", err)
		}
		first = string(text)
	}
	info, err := os.Stat(filepath.Join(dir, "signing-secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
	ring, err := signing.Parse(first)
	if err != nil || storesSecrets(t, s) {
		t.Errorf("the database holds secrets, or the file cannot be read: %v", err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	command(t, 0, "backup", copied, "--data", dir)
	body, err := os.ReadFile(copied)
	if err != nil || strings.Contains(string(body), string(ring.Keys()[0].Secret())) {
		t.Errorf("the backup holds the secret (%v)", err)
	}

	id := ring.Keys()[0].ID()
	listed, _ := command(t, 0, "secret", "list", "--data", dir)
	rotated, _ := command(t, 0, "secret", "rotate", "--data", dir)
	after, err := os.ReadFile(filepath.Join(dir, "signing-secret"))
	if err != nil || string(after) == first || strings.Count(string(after), "\n") != 4 {
		t.Errorf("rotated to %d bytes (%v)", len(after), err)
	}
	for _, printed := range []string{listed, rotated} {
		if !strings.Contains(printed, id) || strings.Contains(printed, string(ring.Keys()[0].Secret())) {
			t.Errorf("printed:\n%s", printed)
		}
	}
	if !strings.Contains(rotated, "signs soon") {
		t.Errorf("rotated:\n%s", rotated)
	}
	if out, _ := command(t, 0, "doctor", "--data", dir); !strings.Contains(out, filepath.Join(dir, "signing-secret")) {
		t.Errorf("the doctor says not where the secret lives:\n%s", out)
	}
	if err := os.Chmod(filepath.Join(dir, "signing-secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _ := command(t, 0, "doctor", "--data", dir); !strings.Contains(out, "chmod 600") {
		t.Errorf("the doctor does not warn of a secret that all can read:\n%s", out)
	}
}

// TestRotationKeepsTheFilesRights checks that a rotation keeps the permissions of the file.
func TestRotationKeepsTheFilesRights(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	for _, mode := range []os.FileMode{0o600, 0o440} {
		file := filepath.Join(t.TempDir(), "given")
		if err := errors.Join(os.WriteFile(file, []byte(strings.Repeat("g", 40)), 0o600), os.Chmod(file, mode)); err != nil {
			t.Fatal(err)
		}
		command(t, 0, "secret", "rotate", "--secret-file", file, "--data", t.TempDir())
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v became %v (%v)", mode, info.Mode(), err)
		}
		left, err := os.ReadDir(filepath.Dir(file))
		if err != nil || len(left) != 1 {
			t.Errorf("beside it lies %v (%v)", left, err)
		}
	}
}

// TestRotationOfAVariable checks that a secret in a variable cannot be rotated by the command.
func TestRotationOfAVariable(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	t.Setenv("VERBATIM_SECRET", strings.Repeat("n", 40)+","+strings.Repeat("o", 40))
	data := "--data=" + t.TempDir()
	command(t, 0, "migrate", data)
	listed, _ := command(t, 0, "secret", "list", data)
	if strings.Count(listed, "\n") != 3 || !strings.Contains(listed, "verifies") || !strings.Contains(listed, "VERBATIM_SECRET") {
		t.Errorf("listed:\n%s", listed)
	}
	if _, stderr := command(t, exitRefused, "secret", "rotate", data); !strings.Contains(stderr, "VERBATIM_SECRET") {
		t.Errorf("stderr %q", stderr)
	}
	if _, stderr := command(t, exitUsage, "secret", "list", "--secret-file", writeSecret(t, strings.Repeat("f", 40)), data); !strings.Contains(stderr, "both") {
		t.Errorf("stderr %q", stderr)
	}
	t.Setenv("VERBATIM_SECRET", "short")
	if _, stderr := command(t, exitUsage, "secret", "list", data); !strings.Contains(stderr, "32 characters") {
		t.Errorf("stderr %q", stderr)
	}
}

// TestWarnedOfASecretInTheDatabase checks that the log and doctor warn if servers share a database and no secret is configured, and only
// then.
func TestWarnedOfASecretInTheDatabase(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, flags := range []secretFlags{{}, {SecretFile: writeSecret(t, strings.Repeat("s", 40))}} {
		var logged bytes.Buffer
		k, err := serviceFlags{secrets: flags}.keyring(t.Context(), s, slog.New(slog.NewTextHandler(&logged, nil)))
		if err != nil {
			t.Fatal(err)
		}
		found, err := k.Finding(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inDatabase := s.Shared() && flags.SecretFile == ""
		if k.InDatabase() != inDatabase || strings.Contains(logged.String(), "kept in the database") != inDatabase {
			t.Errorf("%s: logged %q", k.Location(), logged.String())
		}
		if kept := len(found.Violations) > 0 && strings.Contains(found.Violations[0], "kept in the database"); kept != inDatabase || found.Wrong() {
			t.Errorf("%s: found %+v", k.Location(), found)
		}
	}
}

// TestMissingSecret checks what the commands say of a secret that does not exist yet, and of one that is lost, and that only secret rotate
// --at-once creates another one.
func TestMissingSecret(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "signing-secret")
	command(t, 0, "migrate", "--data", dir)
	if _, stderr := command(t, exitRefused, "secret", "list", "--data", dir); !strings.Contains(stderr, "verbatim serve") {
		t.Errorf("before the first start: %s", stderr)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("listing made a secret: %v", err)
	}
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	if _, err := keyring.Open(t.Context(), s, keyring.Source{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, stderr := command(t, exitRefused, "secret", "list", "--data", dir); !strings.Contains(stderr, "missing") || !strings.Contains(stderr, "rotate --at-once") {
		t.Errorf("list: %s", stderr)
	}
	if out, _ := command(t, exitRefused, "doctor", "--data", dir); !strings.Contains(out, "wrong") || !strings.Contains(out, "rotate --at-once") {
		t.Errorf("doctor: %s", out)
	}
	if _, stderr := command(t, exitRefused, "secret", "rotate", "--data", dir); !strings.Contains(stderr, "missing") {
		t.Errorf("rotate: %s", stderr)
	}
	if _, err := (serviceFlags{noLinks: true}).keyring(t.Context(), s, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("somebody made a secret: %v", err)
	}
	command(t, 0, "secret", "rotate", "--at-once", "--data", dir)
	copied := filepath.Join(t.TempDir(), "verbatim.db")
	command(t, 0, "backup", copied, "--data", dir)
	if _, err := keyring.Open(t.Context(), storetest.Open(t, "sqlite:"+copied, store.Options{}), keyring.Source{}); err != nil {
		t.Errorf("a restored backup: %v", err)
	}
}
