package backup

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

// TestEncryptedBackup checks that a backup for several keys can be decrypted with each of them and no other, and a damaged one not at all,
// and that only its owner can read it and no plain copy is left.
func TestEncryptedBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{}))
	storetest.Response(t, sc.Store, sc.Study, nil)
	first, second, stranger := newIdentity(t), newIdentity(t), newIdentity(t)
	sealed := filepath.Join(t.TempDir(), "sealed")
	size, err := Write(t.Context(), sc.Store, sealed, []age.Recipient{first.Recipient(), second.Recipient()})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, temporaryPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("a plain copy is left in %v, %v", left, err)
	}
	if info, err := os.Stat(sealed); err != nil || info.Mode().Perm() != 0o600 || info.Size() != size {
		t.Errorf("%v, %v", info, err)
	}
	restore := func(file string, identity *age.X25519Identity) (Restored, error) {
		r := Restore{File: file, Identities: func() ([]age.Identity, error) { return []age.Identity{identity}, nil }, IdentityFile: "its-key"}
		return r.Into(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "new", "verbatim.db"), store.Options{})
	}
	for _, identity := range []*age.X25519Identity{first, second} {
		if restored, err := restore(sealed, identity); err != nil || restored.Responses != 1 {
			t.Errorf("restored %+v, %v", restored, err)
		}
	}
	if _, err := restore(sealed, stranger); err == nil || !strings.Contains(err.Error(), "encrypted for others: no key in its-key") {
		t.Errorf("to a stranger: %v", err)
	}
	body, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut")
	if err := os.WriteFile(cut, body[:len(body)-100], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := restore(cut, first); err == nil || !strings.Contains(err.Error(), "damaged or cut off") {
		t.Errorf("of a part: %v", err)
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
