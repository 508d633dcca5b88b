package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
)

// TestKeyLimits checks that a key's expiry and scope can be set when it is created, and are listed.
func TestKeyLimits(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + filepath.Join(t.TempDir(), "new")
	org := text(t, object(t, data, "--create", "org", "create", "Acme"), "id")
	user := text(t, object(t, "user", "create", "--org", org, data, "--email", "ada@example.org", "--name", "Ada", "--role", "admin"), "id")
	create := func(args ...string) []string {
		return append([]string{"key", "create", "--org", org, "--user", user, "--name", "k", data}, args...)
	}
	if made := object(t, create("--expires", "2999-12-31", "--read-only")...); made["expiresAt"] != "2999-12-31T00:00:00Z" || made["readOnly"] != true || made["lastUsedAt"] != nil {
		t.Errorf("made %v", made)
	}
	if made := object(t, create()...); made["expiresAt"] != nil || made["readOnly"] != false {
		t.Errorf("made %v", made)
	}
	for _, wrong := range []string{"2001-01-31", "0d", "-1d", "3661d", "90", "1h", "soon", "2999-12-31T00:00:00Z", "9999999999999999999d"} {
		if _, stderr := command(t, exitUsage, create("--expires="+wrong)...); !strings.Contains(stderr, "--expires") {
			t.Errorf("%q: stderr %q", wrong, stderr)
		}
	}
	listed, _ := command(t, 0, "key", "list", "--org", org, data)
	if !strings.Contains(listed, "2999-12-31") || !strings.Contains(listed, "LAST USED AT") || !strings.Contains(listed, "true") {
		t.Errorf("listed:\n%s", listed)
	}
	now := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	if ends, err := parseExpiry("90d", now); err != nil || !ends.Equal(now.AddDate(0, 0, 90)) {
		t.Errorf("90d after %v is %v (%v)", now, ends, err)
	}
}
