package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestAnswersAreKeptForADay(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	ctx := t.Context()
	key := org.IdempotencyKey{OrgID: "o", Path: "/create", Key: "k", BodyHash: "h"}
	save := func(o org.IdempotencyKey, answer string) error {
		return s.Write(ctx, func(tx *store.Tx) error { return tx.SaveIdempotentResult(ctx, o, []byte(answer)) })
	}
	lookup := func(o org.IdempotencyKey, want string, wantErr error) {
		t.Helper()
		answer, found, err := s.View().IdempotentResult(ctx, o)
		if string(answer) != want || found != (want != "") || !errors.Is(err, wantErr) {
			t.Errorf("IdempotentResult(%+v) = %q, %v, %v, want %q, %v", o, answer, found, err, want, wantErr)
		}
	}
	lookup(key, "", nil)
	if err := save(key, `{"id":1}`); err != nil {
		t.Fatal(err)
	}
	lookup(key, `{"id":1}`, nil)
	other := key
	other.BodyHash = "another body"
	lookup(other, "", org.ErrKeyReused)
	for _, o := range []org.IdempotencyKey{
		{OrgID: "o2", Path: "/create", Key: "k", BodyHash: "h"},
		{OrgID: "o", Path: "/launch", Key: "k", BodyHash: "h"},
		{OrgID: "o", Path: "/create", Key: "k2", BodyHash: "h"},
		{OrgID: "o", Path: "/create", BodyHash: "h"},
	} {
		lookup(o, "", nil)
	}
	if err := save(key, `{"id":2}`); !errors.Is(err, org.ErrKeyReused) {
		t.Errorf("a second answer: %v, want ErrKeyReused", err)
	}
	if err := save(org.IdempotencyKey{}, "not asked for"); err != nil {
		t.Errorf("SaveIdempotentResult without a key: %v", err)
	}
	clock.Advance(24*time.Hour - time.Minute)
	lookup(key, `{"id":1}`, nil)
	clock.Advance(2 * time.Minute)
	lookup(key, "", nil)
	if err := save(other, `{"id":3}`); err != nil {
		t.Errorf("the key is free after a day, but: %v", err)
	}
	lookup(other, `{"id":3}`, nil)
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.PruneIdempotency(ctx, clock.Now()) })
	lookup(other, `{"id":3}`, nil)
	storetest.Write(t, s, func(tx *store.Tx) error { return tx.PruneIdempotency(ctx, clock.Now().Add(time.Second)) })
	lookup(other, "", nil)
}

func TestOneOfTwoRequestsWithAKeyTakesEffect(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var effects atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				if _, err := tx.CreateOrg(t.Context(), "effect"); err != nil {
					return err
				}
				return tx.SaveIdempotentResult(t.Context(), org.IdempotencyKey{OrgID: "o", Path: "/", Key: "k", BodyHash: "h"}, []byte("{}"))
			})
			if err == nil {
				effects.Add(1)
			} else if !errors.Is(err, org.ErrKeyReused) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := countOrgs(t, s); n != 1 || effects.Load() != 1 {
		t.Errorf("%d requests succeeded and %d organizations were made, want one of each", effects.Load(), n)
	}
}
