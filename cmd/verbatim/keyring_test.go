package main

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

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/results"
)

// ringOf opens the keyring of a store with a given clock.
func ringOf(t *testing.T, s *store.Store, flags secretFlags, at *time.Time) *keyring {
	t.Helper()
	k := &keyring{store: s, flags: flags, now: func() time.Time { return *at }}
	if err := k.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k
}

// storedSecrets returns the secrets that the database holds, by setting.
func storedSecrets(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range []string{ringSetting, linkSetting, cursorSetting} {
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

// checkLink returns an error if a keyring does not accept a link.
func checkLink(k *keyring, link string) error {
	parts := strings.SplitN(strings.TrimPrefix(link, "/m/"), "/", 3)
	links := k.links("")
	links.Now = k.now
	return links.Check(parts[0], parts[1], parts[2])
}

func linkAt(k *keyring, at time.Time) string {
	links := k.links("")
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
	for place, flags := range map[string]secretFlags{"by itself": {}, "in a given file": {SecretFile: file}} {
		t.Run(place, func(t *testing.T) {
			shared := storetest.New(t) // on PostgreSQL its database holds the secret, on SQLite a file beside it
			begin := time.Now().UTC()
			now, late := begin, begin
			ahead, behind := ringOf(t, shared, flags, &now), ringOf(t, shared, flags, &late)
			old := linkAt(ahead, begin)
			if err := checkLink(behind, old); err != nil {
				t.Fatalf("two servers have no secret in common: %v", err)
			}
			var rotated bool
			for minute := range 200 {
				now = begin.Add(time.Duration(minute) * time.Minute)
				late = now
				if minute == 5 {
					if _, err := ahead.rotate(t.Context(), false); err != nil {
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
			if _, err := ahead.rotate(t.Context(), true); err != nil {
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
	for place, flags := range map[string]secretFlags{"by itself": {}, "in a given file": {SecretFile: given}} {
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
			k := ringOf(t, s, flags, &now)
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
			if k.inDatabase() != (len(in) == 1) || strings.Contains(in[ringSetting], linkSecret) || strings.Contains(in[ringSetting], cursorSecret) {
				t.Errorf("in the end the database holds %d settings", len(in))
			}
		})
	}
}

// TestCursorOfTheVersionBefore checks that a search in progress continues after an upgrade.
func TestCursorOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ring, err := signing.Parse(strings.Repeat("n", 40) + "," + strings.Repeat("ab", 32) + " for=cursors-1")
	if err != nil {
		t.Fatal(err)
	}
	svc := &results.Service{Store: sc.Store, Keys: func() signing.Ring { return ring }}
	caller := org.Caller{OrgID: sc.Org.ID, UserID: sc.User.ID, Role: org.Admin}
	// A cursor as the previous version made it, for the organization, parameter and value below, at the beginning of 2026.
	place := append([]byte{0, 6, 0x47, 0x4e, 0, 0, 0, 0}, make([]byte, 16)...)
	key := []byte(strings.Repeat("\xab", 32))
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{sc.Org.ID, "source", "mail", "visible", string(place)} {
		mac.Write([]byte{0, 0, 0, 0, 0, 0, 0, byte(len(part))})
		mac.Write([]byte(part))
	}
	cursor := base64.RawURLEncoding.EncodeToString(append(place, mac.Sum(nil)[:16]...))
	query := results.Query{Parameter: "source", Value: "mail", Cursor: cursor, Limit: 10}
	if _, err := svc.Search(t.Context(), caller, query); err != nil {
		t.Errorf("the cursor of the version before: %v", err)
	}
	query.Value = "web"
	if _, err := svc.Search(t.Context(), caller, query); !errors.Is(err, results.ErrBadCursor) {
		t.Errorf("for another search: %v", err)
	}
}

// TestSecretStaysOutOfBackups checks that only the owner can read the file, that it is created once, and that neither the database nor a
// backup contains its secret.
func TestSecretStaysOutOfBackups(t *testing.T) {
	t.Parallel()
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
	if err != nil || len(storedSecrets(t, s)) > 0 {
		t.Errorf("the database holds %v (%v)", storedSecrets(t, s), err)
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

// TestTwoServersMakeOneSecret checks that servers that start at the same time use the same secret.
func TestTwoServersMakeOneSecret(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	rings := make(chan string)
	const servers = 4
	for range servers {
		go func() {
			k, err := openKeyring(context.WithoutCancel(t.Context()), s, secretFlags{})
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

// TestRotationKeepsTheFilesRights checks that a rotation keeps the permissions of the file.
func TestRotationKeepsTheFilesRights(t *testing.T) {
	t.Parallel()
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
		found, err := k.finding(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inDatabase := s.Shared() && flags.SecretFile == ""
		if k.inDatabase() != inDatabase || strings.Contains(logged.String(), "kept in the database") != inDatabase {
			t.Errorf("%s: logged %q", k.location(), logged.String())
		}
		if kept := len(found.Violations) > 0 && strings.Contains(found.Violations[0], "kept in the database"); kept != inDatabase || found.Wrong() {
			t.Errorf("%s: found %+v", k.location(), found)
		}
	}
}

// TestMissingSecretIsNotReplaced checks that a server whose secret disappears, cannot be read or is replaced keeps the one it has and logs
// that once, and that only rotate --at-once creates another one.
func TestMissingSecretIsNotReplaced(t *testing.T) {
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
	server, err := openKeyring(t.Context(), s, secretFlags{})
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
	if _, stderr := command(t, exitRefused, "secret", "list", "--data", dir); !strings.Contains(stderr, "missing") || !strings.Contains(stderr, "rotate --at-once") {
		t.Errorf("list: %s", stderr)
	}
	if out, _ := command(t, exitRefused, "doctor", "--data", dir); !strings.Contains(out, "wrong") || !strings.Contains(out, "rotate --at-once") {
		t.Errorf("doctor: %s", out)
	}
	if _, stderr := command(t, exitRefused, "secret", "rotate", "--data", dir); !strings.Contains(stderr, "missing") {
		t.Errorf("rotate: %s", stderr)
	}
	if _, err := openKeyring(t.Context(), s, secretFlags{}); !errors.Is(err, errMissing) {
		t.Errorf("another start: %v", err)
	}
	if _, err := (serviceFlags{noLinks: true}).keyring(t.Context(), s, log); err != nil {
		t.Error(err)
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
	command(t, 0, "secret", "rotate", "--at-once", "--data", dir)
	if err := server.refresh(t.Context()); err != nil || server.Ring().Format() == first {
		t.Errorf("after a rotation at once the server has the ring before (%v)", err)
	}
	copied := filepath.Join(t.TempDir(), "verbatim.db")
	command(t, 0, "backup", copied, "--data", dir)
	if _, err := openKeyring(t.Context(), storetest.Open(t, "sqlite:"+copied, store.Options{}), secretFlags{}); err != nil {
		t.Errorf("a restored backup: %v", err)
	}
}
