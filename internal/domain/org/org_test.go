package org_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/org"
)

func TestRoles(t *testing.T) {
	t.Parallel()
	for role, manages := range map[org.Role]bool{org.Admin: true, org.Supervisor: true, org.Member: false, "": false} {
		if role.ManagesKeys() != manages || role.LaunchesAny() != manages {
			t.Errorf("role %q: ManagesKeys %v, LaunchesAny %v, want both %v", role, role.ManagesKeys(), role.LaunchesAny(), manages)
		}
		if (org.Caller{Role: role}).IsMember() != (role != "") {
			t.Errorf("role %q: IsMember is wrong", role)
		}
		got, err := org.ParseRole(string(role))
		if (err == nil) != (role != "") || got != role {
			t.Errorf("ParseRole(%q) = %q, %v", role, got, err)
		}
	}
	for _, s := range []string{"Admin", "owner", " admin"} {
		if _, err := org.ParseRole(s); err == nil {
			t.Errorf("ParseRole(%q) accepts it", s)
		}
	}
}

func TestCheckEmail(t *testing.T) {
	t.Parallel()
	for s, good := range map[string]bool{
		"a@b.example": true, "first.last+tag@sub.example.org": true, "ä@exämple.org": true,
		"": false, "a": false, "@b": false, "a@": false, "a@b@c": false, "a b@c": false, "a@b\n": false, "A <a@b>": false, "a@b,c@d": false,
	} {
		if err := org.CheckEmail(s); (err == nil) != good {
			t.Errorf("CheckEmail(%q) = %v, want good: %v", s, err, good)
		}
	}
}

// TestKeyGolden checks the format of keys, which people keep for years. The values were computed without this program.
func TestKeyGolden(t *testing.T) {
	t.Parallel()
	var counting, full [32]byte
	for i := range counting {
		counting[i], full[i] = byte(i), 0xff
	}
	for _, tt := range []struct {
		secret            [32]byte
		key, prefix, hash string
	}{
		{[32]byte{}, "vb_00000000000000000000000000000000000000000002CZclj", "vb_00000000", "09638a756648a24cc38d8735e6958ad96e6a751a565805300d505a239d55ef56"},
		{counting, "vb_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1Yo7hP", "vb_003aUlTJ", "84dbeebfd3321f0ef1fd9c4409cd78e7665a8b660e9264cc63046c61550c1549"},
		{full, "vb_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13sRzl1", "vb_yhjskwdA", "d85c7e703f4c4791b5d8ccb8211ad6ebdeb1381908aa23064fb00a12709639fa"},
	} {
		key := org.FormatKey(tt.secret)
		if key != tt.key || org.KeyPrefix(key) != tt.prefix || org.HashKey(key) != tt.hash {
			t.Errorf("key %q, prefix %q, hash %q; want %q, %q, %q", key, org.KeyPrefix(key), org.HashKey(key), tt.key, tt.prefix, tt.hash)
		}
	}
}

func TestKeysAreCheckable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := org.FormatKey([32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret")))
		if err := org.CheckKey(key); err != nil || len(key) != 52 || strings.Trim(key[3:], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("key %q: %v", key, err)
		}
		typo := []byte(key)
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		typo[at] = rapid.ByteRange('0', 'z').Filter(func(b byte) bool { return b != key[at] }).Draw(t, "typo")
		if err := org.CheckKey(string(typo)); !errors.Is(err, org.ErrKeyShape) {
			t.Fatalf("the mistyped key %q passes: %v", typo, err)
		}
	})
}

func TestCheckKeyRefuses(t *testing.T) {
	t.Parallel()
	key := org.FormatKey([32]byte{1, 2, 3})
	for _, s := range []string{"", "vb_", key[3:], key + "0", key[:len(key)-1], " " + key, "VB_" + key[3:], strings.Repeat("x", 52)} {
		if err := org.CheckKey(s); !errors.Is(err, org.ErrKeyShape) {
			t.Errorf("CheckKey(%q) = %v, want ErrKeyShape", s, err)
		}
	}
	if got := org.KeyPrefix("short"); got != "short" {
		t.Errorf("KeyPrefix of a short text = %q", got)
	}
}
