package access_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

// TestKeyExpires: from the moment of its expiry a key is refused like an unknown one.
func TestKeyExpires(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := &access.Service{Store: storetest.NewAt(t, clock), Now: clock.Now}
	o := storetest.Org(t, s.Store)
	user := storetest.User(t, s.Store, o.ID, org.Admin)
	ends := clock.Now().Add(time.Hour)
	kept, key, err := s.CreateLimitedKey(t.Context(), o.ID, user.ID, "short", org.KeyLimits{ExpiresAt: ends})
	if err != nil {
		t.Fatal(err)
	}
	if !kept.ExpiresAt.Equal(ends) || kept.ReadOnly {
		t.Errorf("kept %+v", kept)
	}
	clock.Advance(59 * time.Minute)
	if _, err := s.Authenticate(t.Context(), []string{key}); err != nil {
		t.Errorf("a minute before its end: %v", err)
	}
	clock.Advance(time.Minute)
	_, expired := s.Authenticate(t.Context(), []string{key})
	_, unknown := s.Authenticate(t.Context(), []string{org.FormatKey([32]byte{9})})
	if expired != access.ErrInvalidKey || unknown != expired {
		t.Errorf("at its end: %v; an unknown key: %v", expired, unknown)
	}
	if _, _, err := s.CreateLimitedKey(t.Context(), o.ID, user.ID, "late", org.KeyLimits{ExpiresAt: clock.Now()}); !errors.Is(err, access.ErrExpired) {
		t.Errorf("a key that has expired already: %v", err)
	}
}

func TestReadOnlyKey(t *testing.T) {
	t.Parallel()
	s := &access.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	user := storetest.User(t, s.Store, o.ID, org.Admin)
	for _, readOnly := range []bool{false, true} {
		_, key, err := s.CreateLimitedKey(t.Context(), o.ID, user.ID, "k", org.KeyLimits{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		caller, err := s.Authenticate(t.Context(), []string{key})
		if err != nil || caller.ReadOnly != readOnly {
			t.Fatalf("%+v (%v)", caller, err)
		}
		for method, reads := range map[string]bool{http.MethodGet: true, http.MethodHead: true, http.MethodPost: false, http.MethodDelete: false, http.MethodOptions: false, "get": false, "": false} {
			if err := access.CheckMethod(caller, method); errors.Is(err, access.ErrReadOnly) != (readOnly && !reads) {
				t.Errorf("%q by a key with read-only %t: %v", method, readOnly, err)
			}
		}
	}
}

// TestLastUse: requests write nothing; SaveKeyUses writes the latest use of each key once, and keeps what it could not store.
func TestLastUse(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := &access.Service{Store: storetest.NewAt(t, clock), Now: clock.Now}
	o := storetest.Org(t, s.Store)
	user := storetest.User(t, s.Store, o.ID, org.Admin)
	kept, key, err := s.CreateKey(t.Context(), o.ID, user.ID, "k")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.CreateKey(t.Context(), o.ID, user.ID, "never used"); err != nil {
		t.Fatal(err)
	}
	lastUse := func() time.Time {
		t.Helper()
		keys, err := s.ListKeys(t.Context(), o.ID)
		if err != nil || len(keys) != 2 || keys[0].ID != kept.ID || !keys[1].LastUsedAt.IsZero() {
			t.Fatalf("keys are %+v (%v)", keys, err)
		}
		return keys[0].LastUsedAt
	}
	var used time.Time
	for range 3 {
		clock.Advance(time.Second)
		if _, err := s.Authenticate(t.Context(), []string{key}); err != nil {
			t.Fatal(err)
		}
		used = clock.Now()
	}
	if at := lastUse(); !at.IsZero() {
		t.Errorf("a request stored %v", at)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := s.SaveKeyUses(stopped); err == nil {
		t.Error("a write that was stopped is no error")
	}
	if err := s.SaveKeyUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at := lastUse(); !at.Equal(used) {
		t.Errorf("last used at %v, want %v", at, used)
	}
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.SaveKeyUse(t.Context(), kept.ID, used.Add(-time.Hour)) })
	if at := lastUse(); !at.Equal(used) {
		t.Errorf("another node's earlier use made it %v, want %v", at, used)
	}
}
