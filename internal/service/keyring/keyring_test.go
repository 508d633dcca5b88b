package keyring

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// ringOf opens the keyring of a store with a given clock.
func ringOf(t *testing.T, s *store.Store, source Source, at *time.Time) *Keyring {
	t.Helper()
	k := New(s, source, func() time.Time { return *at })
	if err := k.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k
}

// fileSource is a file that the operator configured.
func fileSource(file string) Source {
	return Source{File: file, Read: func() (signing.Ring, error) { return readRing(file) }}
}

// storedSecrets returns the secrets that the database holds, by setting.
func storedSecrets(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	return storetest.Settings(t, s, Settings()...)
}

// checkLink returns an error if a keyring does not accept a link.
func checkLink(k *Keyring, link string) error {
	parts := strings.SplitN(strings.TrimPrefix(link, "/m/"), "/", 3)
	links := k.Links("")
	links.Now = k.now
	return links.Check(parts[0], parts[1], parts[2])
}

func linkAt(k *Keyring, at time.Time) string {
	links := k.Links("")
	links.Now = func() time.Time { return at }
	return links.Object("responses/1/a.mp4", blob.Lifetime)
}

// TestSecretRotation checks that existing links are accepted at all times during a rotation, by the server that rotated and by one that
// notices it half a minute later, and that the old secret is not accepted in the end.
func TestSecretRotation(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "given")
	if err := os.WriteFile(file, []byte(strings.Repeat("g", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for place, source := range map[string]Source{"by itself": {}, "in a given file": fileSource(file)} {
		t.Run(place, func(t *testing.T) {
			shared := storetest.New(t) // on PostgreSQL its database holds the secret, on SQLite a file beside it
			begin := time.Now().UTC()
			now, late := begin, begin
			ahead, behind := ringOf(t, shared, source, &now), ringOf(t, shared, source, &late)
			old := linkAt(ahead, begin)
			if err := checkLink(behind, old); err != nil {
				t.Fatalf("two servers have no secret in common: %v", err)
			}
			var rotated bool
			for minute := range 200 {
				now = begin.Add(time.Duration(minute) * time.Minute)
				late = now
				if minute == 5 {
					if _, err := ahead.Rotate(t.Context(), false); err != nil {
						t.Fatal(err)
					}
				}
				if err := ahead.refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				link := linkAt(ahead, now)
				if signer, _ := ahead.Ring().Signer(now); !rotated && !strings.Contains(old, signer.ID()) {
					rotated = true
					if minute < 6 {
						t.Errorf("the fresh secret signs %d minutes after the rotation", minute-5)
					}
				}
				if err := checkLink(behind, link); err != nil {
					t.Fatalf("minute %d: the other server refuses the link: %v", minute, err)
				}
				if err := behind.refresh(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := checkLink(ahead, linkAt(behind, now)); err != nil {
					t.Fatalf("minute %d: what the other server signs: %v", minute, err)
				}
				switch err := checkLink(ahead, old); {
				case minute < 60 && err != nil:
					t.Fatalf("minute %d: a link that was handed out: %v", minute, err)
				case minute >= 120 && !errors.Is(err, blob.ErrForged):
					t.Fatalf("minute %d: the old secret still opens: %v", minute, err)
				}
			}
			if !rotated {
				t.Error("the fresh secret never signed")
			}
			last := linkAt(ahead, now)
			if _, err := ahead.Rotate(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(ahead.refresh(t.Context()), behind.refresh(t.Context())); err != nil {
				t.Fatal(err)
			}
			if err := checkLink(behind, last); !errors.Is(err, blob.ErrForged) {
				t.Errorf("a stolen secret opens after --at-once: %v", err)
			}
			if err := checkLink(behind, linkAt(ahead, now)); err != nil {
				t.Errorf("after --at-once: %v", err)
			}
		})
	}
}

// TestSecretsOfEarlierVersions checks that links and cursors of a version that kept its secrets in the database stay valid for two hours,
// and that the secrets are removed from the database if they are stored elsewhere now.
func TestSecretsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	given := filepath.Join(t.TempDir(), "given")
	if err := os.WriteFile(given, []byte(strings.Repeat("g", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for place, source := range map[string]Source{"by itself": {}, "in a given file": fileSource(given)} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			const linkSecret = "OLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLDOLD2"
			cursorSecret := strings.Repeat("ab", 32)
			storetest.Write(t, s, func(tx *store.Tx) error {
				return errors.Join(tx.ChangeSetting(t.Context(), linkSetting, "", linkSecret), tx.ChangeSetting(t.Context(), cursorSetting, "", cursorSecret))
			})
			begin := time.Now().UTC()
			now := begin
			k := ringOf(t, s, source, &now)
			expiry := fmt.Sprint(begin.Add(time.Hour).Unix())
			mac := hmac.New(sha256.New, []byte(linkSecret))
			mac.Write([]byte("object\n" + expiry + "\nresponses/1/a.mp4"))
			old := "/m/" + expiry + "/" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)) + "/responses/1/a.mp4"
			if err := checkLink(k, old); err != nil {
				t.Errorf("a link of the version before: %v", err)
			}
			if err := checkLink(k, linkAt(k, begin)); err != nil {
				t.Errorf("a link of this version: %v", err)
			}
			if in := storedSecrets(t, s); in[linkSetting] != "" || in[cursorSetting] != "" {
				t.Errorf("the database holds %d earlier settings", len(in))
			}
			if secrets := k.Ring().Earlier(signing.Cursor1, now); len(secrets) != 1 || string(secrets[0]) != cursorSecret {
				t.Errorf("%d secrets of cursors", len(secrets))
			}
			now = begin.Add(moveOverlap + time.Second)
			if err := k.refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(k.Ring().Earlier(signing.Links1, now))+len(k.Ring().Earlier(signing.Cursor1, now)) > 0 {
				t.Error("earlier secrets count still")
			}
			in := storedSecrets(t, s)
			if k.InDatabase() != (len(in) == 1) || strings.Contains(in[ringSetting], linkSecret) || strings.Contains(in[ringSetting], cursorSecret) {
				t.Errorf("in the end the database holds %d settings", len(in))
			}
		})
	}
}

// TestTwoServersMakeOneSecret checks that servers that start at the same time use the same secret.
func TestTwoServersMakeOneSecret(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	rings := make(chan string)
	const servers = 4
	for range servers {
		go func() {
			k, err := Open(context.WithoutCancel(t.Context()), s, Source{})
			if err != nil {
				rings <- err.Error()
				return
			}
			rings <- k.Ring().Format()
		}()
	}
	first := <-rings
	for range servers - 1 {
		if ring := <-rings; ring != first {
			t.Errorf("two servers have different secrets")
		}
	}
	if _, err := signing.Parse(first); err != nil {
		t.Error(err)
	}
}

// TestMissingSecretIsNotReplaced checks that a server whose secret disappears, cannot be read or is replaced keeps the one it has and logs
// that once, and that only a rotation at once creates another one.
func TestMissingSecretIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "signing-secret")
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	if _, err := New(s, Source{}, s.Now).Read(t.Context()); err == nil {
		t.Error("there is a secret before the first start")
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("reading made a secret: %v", err)
	}
	server, err := Open(t.Context(), s, Source{})
	if err != nil {
		t.Fatal(err)
	}
	first := server.Ring().Format()
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	look := func(what string, lines int, words string) {
		t.Helper()
		logged.Reset()
		for range 3 {
			server.reload(t.Context(), log)
		}
		if server.Ring().Format() != first || strings.Count(logged.String(), "\n") != lines || !strings.Contains(logged.String(), words) {
			t.Errorf("%s: the ring changed (%t), or logged is:\n%s", what, server.Ring().Format() != first, logged.String())
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	look("as it was", 0, "")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	look("gone", 1, "secret rotate --at-once")
	if _, err := Open(t.Context(), s, Source{}); !errors.Is(err, ErrMissing) {
		t.Errorf("another start: %v", err)
	}
	if ring := Unstored(s).Ring(); len(ring.Keys()) != 1 {
		t.Errorf("a keyring that is not stored has %d secrets", len(ring.Keys()))
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("somebody made a secret: %v", err)
	}
	for _, other := range []string{"short", strings.Repeat("x", 40)} {
		if err := os.WriteFile(file, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		look(other, 1, "level=WARN")
	}
	if err := os.WriteFile(file, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	look("put back", 1, "level=INFO")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	operator, err := Open(t.Context(), s, Source{})
	if !errors.Is(err, ErrMissing) {
		t.Fatalf("the command for the rotation: %v", err)
	}
	if _, err := operator.Rotate(t.Context(), false); !errors.Is(err, ErrMissing) {
		t.Errorf("a rotation over time: %v", err)
	}
	if _, err := operator.Rotate(t.Context(), true); err != nil {
		t.Error(err)
	}
	if err := server.refresh(t.Context()); err != nil || server.Ring().Format() == first {
		t.Errorf("after a rotation at once the server has the ring before (%v)", err)
	}
}
