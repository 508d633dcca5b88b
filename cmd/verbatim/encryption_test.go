package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/gofrs/flock"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func newIdentity(t *testing.T) *age.X25519Identity {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return identity
}

// TestEncryptedBackup checks that a backup for several keys can be decrypted with each of them and no other, and a damaged one not at all.
func TestEncryptedBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{}))
	data := "--data=" + dir
	first, second, stranger := newIdentity(t), newIdentity(t), newIdentity(t)
	sealed := filepath.Join(t.TempDir(), "sealed")
	if printed := object(t, "backup", sealed, "--recipient", first.Recipient().String(), "--recipients-file", writeSecret(t, "# the second\n"+second.Recipient().String()+"\n"), data); printed["encryptedFor"] != "2 keys" {
		t.Errorf("printed %v", printed)
	}
	if left, err := filepath.Glob(filepath.Join(dir, temporaryPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("a plain copy is left in %v, %v", left, err)
	}
	if info, err := os.Stat(sealed); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, stderr := command(t, exitRefused, "backup", sealed, "--recipient", first.Recipient().String(), data); !strings.Contains(stderr, "exists already") {
		t.Errorf("over an earlier one stderr is %q", stderr)
	}
	restore := func(code int, file string, identity *age.X25519Identity) string {
		t.Helper()
		_, stderr := command(t, code, "restore", file, "--without-tombstones", "--identity-file", writeSecret(t, identity.String()), "--data="+filepath.Join(t.TempDir(), "new"))
		return stderr
	}
	restore(0, sealed, first)
	restore(0, sealed, second)
	if stderr := restore(exitRefused, sealed, stranger); !strings.Contains(stderr, "encrypted for others") {
		t.Errorf("to a stranger stderr is %q", stderr)
	}
	body, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut")
	if err := os.WriteFile(cut, body[:len(body)-100], 0o600); err != nil {
		t.Fatal(err)
	}
	if stderr := restore(exitRefused, cut, first); !strings.Contains(stderr, "damaged or cut off") {
		t.Errorf("of a part stderr is %q", stderr)
	}
}

func TestEncryptionRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{}))
	secret := newIdentity(t).String()
	file := filepath.Join(dir, "out")
	for _, tt := range []struct {
		says string
		args []string
	}{
		{"begins with age1", []string{"backup", file, "--recipient", "age1nonsense"}},
		{"the one given is secret", []string{"backup", file, "--recipient", secret}},
		{"one per line", []string{"backup", file, "--recipients-file", writeSecret(t, secret)}},
		{"--recipients-file " + file, []string{"backup", file, "--recipients-file", file}},
		{"name the backup", []string{"restore"}},
		{"name the backup", []string{"restore", file, "--tombstones-only"}},
		{"nothing to do", []string{"restore", "--tombstones-only", "--without-tombstones"}},
	} {
		if _, stderr := command(t, exitUsage, append(tt.args, "--data="+dir)...); !strings.Contains(stderr, tt.says) || strings.Contains(stderr, secret) {
			t.Errorf("%v: stderr %q, want %q and no secret", tt.args[:2], stderr, tt.says)
		}
	}
	if _, stderr := command(t, exitRefused, "restore", writeSecret(t, "no backup"), "--without-tombstones", "--data="+filepath.Join(dir, "new")); !strings.Contains(stderr, "was not made by verbatim backup") {
		t.Errorf("of another file stderr is %q", stderr)
	}
	if _, stderr := command(t, exitRefused, "restore", file, "--data="+filepath.Join(dir, "new")); !strings.Contains(stderr, "put them back first") {
		t.Errorf("without the objects stderr is %q", stderr)
	}
}

// TestTemporaryFolder checks that folders of killed processes are removed, and that folders in use are kept.
func TestTemporaryFolder(t *testing.T) {
	t.Parallel()
	below := t.TempDir()
	stale, used := filepath.Join(below, temporaryPrefix+"1"), filepath.Join(below, temporaryPrefix+"2")
	for _, dir := range []string{stale, used} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lock := flock.New(filepath.Join(used, "lock"))
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	defer lock.Close()
	dir, done, err := temporaryFolder(below)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{stale: false, used: true, dir: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is not removed")
	}
}
