package org_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
)

// cheap is a cost for tests.
var cheap = org.PasswordCost{Memory: 8, Passes: 1, Threads: 1}

func TestPasswordHash(t *testing.T) {
	t.Parallel()
	hash := org.HashPassword("correct horse battery", [org.SaltBytes]byte{1}, cheap)
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=8,t=1,p=1$AQAAAAAAAAAAAAAAAAAAAA$") {
		t.Errorf("%s", hash)
	}
	for password, want := range map[string]bool{"correct horse battery": true, "correct horse batterz": false, "": false} {
		if same, err := org.CheckPasswordHash(password, hash); same != want || err != nil {
			t.Errorf("%q: %v, %v", password, same, err)
		}
	}
	for _, damaged := range []string{"", "x", "$argon2i$v=19$m=8,t=1,p=1$AQ$AQ", strings.Replace(hash, "m=8", "m=99999999", 1), strings.Replace(hash, "t=1", "t=0", 1), hash[:len(hash)-4], strings.Replace(hash, "v=19", "v=16", 1)} {
		if same, err := org.CheckPasswordHash("correct horse battery", damaged); same || err == nil {
			t.Errorf("%s: %v, %v", damaged, same, err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for password, good := range map[string]bool{
		"correct horse": true, "пароль-длинный": true, strings.Repeat("abcdef", 42): true,
		"short": false, "aaaaaaaaaaaaaaaa": false, "Ana@Example.org": false, strings.Repeat("abcdef", 50): false,
	} {
		if err := org.CheckPassword(password, "ana@example.org"); (err == nil) != good || err != nil && !errors.Is(err, org.ErrWeakPassword) {
			t.Errorf("%q: %v", password, err)
		}
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	began := time.Unix(1e9, 0)
	for _, test := range []struct {
		used, at time.Duration
		alive    bool
	}{{0, 0, true}, {0, org.SessionIdle - 1, true}, {0, org.SessionIdle, false}, {org.SessionMax - 1, org.SessionMax - 1, true}, {org.SessionMax - 1, org.SessionMax, false}} {
		s := org.Session{CreatedAt: began, UsedAt: began.Add(test.used)}
		if s.Alive(began.Add(test.at)) != test.alive {
			t.Errorf("%+v", test)
		}
	}
}

func TestRolesInOrder(t *testing.T) {
	t.Parallel()
	order := []org.Role{"", org.Member, org.Supervisor, org.Admin}
	for i, r := range order {
		for j, other := range order {
			if r.AtLeast(other) != (i > 0 && i >= j) {
				t.Errorf("%q at least %q", r, other)
			}
		}
	}
}
