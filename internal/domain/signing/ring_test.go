package signing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
)

var now = time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)

func key(t *testing.T, letter string) signing.Key {
	t.Helper()
	k, err := signing.NewKey(strings.Repeat(letter, signing.MinSecret))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	r := signing.NewRing(key(t, "a"))
	s := r.Sign("link", "message", now)
	if !r.Verify("link", "message", s, now) || !strings.HasPrefix(s, key(t, "a").ID()) || strings.Contains(s, "aaaaaaaa") {
		t.Errorf("signed %q", s)
	}
	for i := range s {
		for _, b := range []byte("AB_") {
			if s[i] != b && r.Verify("link", "message", s[:i]+string(b)+s[i+1:], now) {
				t.Errorf("the signature counts with %c at %d", b, i)
			}
		}
	}
	for what, verified := range map[string]bool{
		"another purpose": r.Verify("cursor", "message", s, now),
		"another message": r.Verify("link", "message ", s, now),
		"a longer one":    r.Verify("link", "message", s+"A", now),
		"a shorter one":   r.Verify("link", "message", s[:len(s)-1], now),
		"a line break":    r.Verify("link", "message", s+"\n", now),
		"no signature":    r.Verify("link", "message", "", now),
		"another secret":  signing.NewRing(key(t, "b")).Verify("link", "message", s, now),
		"no key":          signing.Ring{}.Verify("link", "message", s, now),
	} {
		if verified {
			t.Errorf("%s is taken", what)
		}
	}
}

// TestRotation checks that the new key is known before it signs, and that the old one verifies exactly until its end.
func TestRotation(t *testing.T) {
	t.Parallel()
	before := signing.NewRing(key(t, "a"))
	old := before.Sign("link", "m", now)
	from, until := now.Add(2*time.Minute), now.Add(time.Hour)
	after := before.Rotated(key(t, "b"), from, until)
	if signer, ok := after.Signer(now); !ok || signer.ID() != key(t, "a").ID() {
		t.Errorf("before its time the fresh key signs: %v", signer)
	}
	fresh := after.Sign("link", "m", from)
	if !strings.HasPrefix(fresh, key(t, "b").ID()) {
		t.Errorf("at its time another key signs")
	}
	if !after.Verify("link", "m", fresh, now) {
		t.Error("what a server signed that is ahead is not taken")
	}
	if before.Verify("link", "m", fresh, now) {
		t.Error("a ring takes what it has no key for")
	}
	for at, want := range map[time.Time]bool{now: true, until.Add(-time.Second): true, until: false, until.Add(time.Hour): false} {
		if after.Verify("link", "m", old, at) != want {
			t.Errorf("the old signature at %v: %t, want %t", at, !want, want)
		}
	}
	third := after.Rotated(key(t, "c"), until, until.Add(time.Hour))
	if keys := third.Keys(); len(keys) != 2 || keys[0].ID() != key(t, "c").ID() || keys[1].ID() != key(t, "b").ID() {
		t.Errorf("what has ended stays: %v", keys)
	}
	if _, ok := after.Ending(now).Signer(now); ok {
		t.Error("an ended key signs")
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	earlier := key(t, "c")
	earlier.Format, earlier.Until = signing.Links1, now.Add(time.Hour)
	r := signing.NewRing(key(t, "a")).Rotated(key(t, "b"), now, now.Add(time.Hour)).With(signing.NewRing(earlier, key(t, "a")), now)
	if len(r.Keys()) != 3 {
		t.Fatalf("%v", r.Keys())
	}
	back, err := signing.Parse("# a comment, with a comma\n\n" + r.Format())
	if err != nil || !back.Equal(r) {
		t.Errorf("%v (%v), want %v", back.Keys(), err, r.Keys())
	}
	if secrets := back.Earlier(signing.Links1, now); len(secrets) != 1 || len(back.Earlier(signing.Links1, now.Add(time.Hour))) != 0 || len(back.Earlier(signing.Cursor1, now)) != 0 {
		t.Errorf("earlier secrets: %d", len(secrets))
	}
	a, b := strings.Repeat("a", 32), strings.Repeat("b", 32)
	if r, err := signing.Parse(" " + a + " , " + b + "\r\n"); err != nil || !r.Equal(signing.NewRing(key(t, "a"), key(t, "b"))) {
		t.Errorf("with a comma: %v (%v)", r.Keys(), err)
	}
	for _, wrong := range []string{"", "\n# " + a, a[1:], a + "ä", a + " until", a + " until=soon", a + " for=ever", a + " " + b, strings.Repeat(a+"\n", 17)} {
		if _, err := signing.Parse(wrong); err == nil || strings.Contains(err.Error(), a[1:]) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// TestSecretsAreHidden checks that no way of printing a ring reveals a secret, except Format.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	r := signing.NewRing(key(t, "a"))
	for _, format := range []string{"%v", "%+v", "%s", "%q"} {
		if printed := fmt.Sprintf(format, r) + fmt.Sprintf(format, r.Keys()); strings.Contains(printed, "aaaa") {
			t.Errorf("%s prints %s", format, printed)
		}
	}
}
