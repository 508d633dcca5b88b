package main

import (
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

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

// TestEncryptedBackup checks that backup encrypts for the keys of both flags, and that restore takes each of their secret keys and no other.
func TestEncryptedBackup(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{}))
	data := "--data=" + dir
	first, second := newIdentity(t), newIdentity(t)
	sealed := filepath.Join(t.TempDir(), "sealed")
	if printed := object(t, "backup", sealed, "--recipient", first.Recipient().String(), "--recipients-file", writeSecret(t, "# the second\n"+second.Recipient().String()+"\n"), data); printed["encryptedFor"] != "2 keys" {
		t.Errorf("printed %v", printed)
	}
	if _, stderr := command(t, exitRefused, "backup", sealed, "--recipient", first.Recipient().String(), data); !strings.Contains(stderr, "exists already") {
		t.Errorf("over an earlier one stderr is %q", stderr)
	}
	restore := func(code int, identity *age.X25519Identity) string {
		t.Helper()
		_, stderr := command(t, code, "restore", sealed, "--without-tombstones", "--identity-file", writeSecret(t, identity.String()), "--data="+filepath.Join(t.TempDir(), "new"))
		return stderr
	}
	restore(0, first)
	restore(0, second)
	if stderr := restore(exitRefused, newIdentity(t)); !strings.Contains(stderr, "encrypted for others") {
		t.Errorf("to a stranger stderr is %q", stderr)
	}
}

func TestEncryptionRefuses(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
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
