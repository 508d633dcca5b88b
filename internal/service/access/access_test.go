package access_test

import (
	"errors"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	s := &access.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	user := storetest.User(t, s.Store, o.ID, org.Admin)
	kept, key, err := s.CreateKey(t.Context(), o.ID, user.ID, "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if kept.Prefix == key || key[:len(kept.Prefix)] != kept.Prefix {
		t.Errorf("kept %q of %q", kept.Prefix, key)
	}
	mistyped := []byte(key)
	mistyped[10] ^= 1
	for _, test := range []struct {
		values []string
		want   error
	}{
		{nil, access.ErrMissingKey},
		{[]string{""}, access.ErrMissingKey},
		{[]string{" ", ""}, access.ErrMissingKey},
		{[]string{"vb_"}, access.ErrInvalidKey},
		{[]string{string(mistyped)}, access.ErrInvalidKey},
		{[]string{org.FormatKey([32]byte{9})}, access.ErrInvalidKey},
		{[]string{key, org.FormatKey([32]byte{9})}, access.ErrInvalidKey},
		{[]string{key}, nil},
		{[]string{"", " " + key, key}, nil},
	} {
		caller, err := s.Authenticate(t.Context(), test.values)
		if !errors.Is(err, test.want) {
			t.Errorf("%q: %v, want %v", test.values, err, test.want)
		}
		if want := (org.Caller{OrgID: o.ID, UserID: user.ID, KeyID: kept.ID, Role: org.Admin}); err == nil && caller != want {
			t.Errorf("%q: %+v, want %+v", test.values, caller, want)
		}
	}

	if err := s.RemoveUser(t.Context(), o.ID, user.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Authenticate(t.Context(), []string{key}); !errors.Is(err, access.ErrNotMember) {
		t.Errorf("a former member: %v", err)
	}
	if _, err := s.RevokeKey(t.Context(), kept.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Authenticate(t.Context(), []string{key}); !errors.Is(err, access.ErrInvalidKey) {
		t.Errorf("a revoked key: %v", err)
	}
}

func TestMalformedKeysAreRefusedWithoutRead(t *testing.T) {
	t.Parallel()
	s := &access.Service{Store: storetest.New(t)}
	if err := s.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Authenticate(t.Context(), []string{"vb_nonsense"}); !errors.Is(err, access.ErrInvalidKey) {
		t.Errorf("nonsense: %v", err)
	}
	if _, err := s.Authenticate(t.Context(), []string{org.FormatKey([32]byte{9})}); err == nil || errors.Is(err, access.ErrInvalidKey) {
		t.Errorf("a key's shape: %v, want the database's error", err)
	}
}

func TestOperator(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := &access.Service{Store: storetest.New(t)}
	if _, err := s.CreateOrg(ctx, " "); !errors.Is(err, access.ErrNoName) {
		t.Errorf("an organization without a name: %v", err)
	}
	one, err := s.CreateOrg(ctx, "Orchard")
	if err != nil {
		t.Fatal(err)
	}
	two, err := s.CreateOrg(ctx, "Bakery")
	if err != nil {
		t.Fatal(err)
	}
	if orgs, err := s.Orgs(ctx); err != nil || len(orgs) != 2 || orgs[0] != one {
		t.Errorf("organizations are %v (%v)", orgs, err)
	}

	ada, err := s.CreateUser(ctx, one.ID, " Ada@Example.org", "Ada", org.Member)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.CreateUser(ctx, two.ID, "ada@example.ORG", "Another name", org.Admin); err != nil || again != ada {
		t.Errorf("the same address again made %+v (%v), want %+v", again, err, ada)
	}
	if _, err := s.CreateUser(ctx, nothing, "eve@example.org", "Eve", org.Member); !errors.Is(err, org.ErrNotFound) {
		t.Errorf("a user of no organization: %v", err)
	}
	if _, err := s.CreateUser(ctx, one.ID, "eve", "Eve", org.Member); err == nil {
		t.Error("a user without an address was made")
	}

	kept, key, err := s.CreateKey(ctx, one.ID, ada.ID, "k")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []org.Role{org.Member, org.Supervisor} { // the role changes, also for existing keys
		if _, err := s.CreateUser(ctx, one.ID, "ada@example.org", "", role); err != nil {
			t.Fatal(err)
		}
		if caller, err := s.Authenticate(ctx, []string{key}); err != nil || caller.Role != role {
			t.Errorf("the key acts for %+v (%v), want a %s", caller, err, role)
		}
	}
	if _, _, err := s.CreateKey(ctx, one.ID, nothing, "k"); !errors.Is(err, org.ErrNoUser) {
		t.Errorf("a key of nobody: %v", err)
	}
	if keys, err := s.ListKeys(ctx, one.ID); err != nil || len(keys) != 1 || keys[0].ID != kept.ID {
		t.Errorf("keys are %v (%v)", keys, err)
	}
	if _, err := s.ListKeys(ctx, nothing); !errors.Is(err, org.ErrNotFound) {
		t.Errorf("keys of no organization: %v", err)
	}
	first, err := s.RevokeKey(ctx, key)
	if err != nil || first.ID != kept.ID || first.RevokedAt.IsZero() {
		t.Errorf("revoked %+v (%v)", first, err)
	}
	if again, err := s.RevokeKey(ctx, kept.ID); err != nil || again != first {
		t.Errorf("revoked again %+v (%v), want %+v", again, err, first)
	}
	if _, err := s.RevokeKey(ctx, nothing); !errors.Is(err, org.ErrNoKey) {
		t.Errorf("revoked nothing: %v", err)
	}

	draft := storetest.Draft(t, s.Store, one.ID, "")
	if err := s.GrantStudy(ctx, draft.ID, ada.ID, org.StartRecruitment); err != nil {
		t.Fatal(err)
	}
	if granted, err := s.Store.View().HasStudyGrant(ctx, draft.ID, ada.ID, org.StartRecruitment); err != nil || !granted {
		t.Errorf("granted is %v (%v)", granted, err)
	}
	if err := s.GrantStudy(ctx, nothing, ada.ID, org.StartRecruitment); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("a grant on no study: %v", err)
	}
	if err := s.RemoveUser(ctx, one.ID, nothing); !errors.Is(err, org.ErrNoUser) {
		t.Errorf("removed nobody: %v", err)
	}
}

const nothing = "0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10" // the id of nothing
