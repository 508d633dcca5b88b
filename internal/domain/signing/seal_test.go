package signing_test

import (
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
)

// TestSeals: what was sealed is read by the same key for the same purpose, and by nothing else.
func TestSeals(t *testing.T) {
	t.Parallel()
	r := signing.NewRing(key(t, "a"))
	sealed := r.Seal("mail", "a secret", [signing.NonceBytes]byte{1}, now)
	if strings.Contains(sealed, "secret") {
		t.Errorf("sealed as %q", sealed)
	}
	if text, ok := r.Open("mail", sealed, now); !ok || text != "a secret" {
		t.Errorf("read as %q, %t", text, ok)
	}
	if sealed == r.Seal("mail", "a secret", [signing.NonceBytes]byte{2}, now) {
		t.Error("two seals are the same")
	}
	after := r.Rotated(key(t, "b"), now, now.Add(time.Hour))
	if _, ok := after.Open("mail", sealed, now); !ok || !after.SealedByAnother(sealed, now) || r.SealedByAnother(sealed, now) {
		t.Error("after a rotation")
	}
	changed := sealed[:len(sealed)-4] + "AAAA"
	for what, open := range map[string]func() (string, bool){
		"another purpose": func() (string, bool) { return r.Open("sso", sealed, now) },
		"another secret":  func() (string, bool) { return signing.NewRing(key(t, "b")).Open("mail", sealed, now) },
		"an ended one":    func() (string, bool) { return after.Open("mail", sealed, now.Add(time.Hour)) },
		"a change":        func() (string, bool) { return r.Open("mail", changed, now) },
		"a short one":     func() (string, bool) { return r.Open("mail", sealed[:20], now) },
		"nothing":         func() (string, bool) { return r.Open("mail", "", now) },
		"no key":          func() (string, bool) { return signing.Ring{}.Open("mail", sealed, now) },
	} {
		if text, ok := open(); ok || text != "" {
			t.Errorf("%s reads %q", what, text)
		}
	}
}
