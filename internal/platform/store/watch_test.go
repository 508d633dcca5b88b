package store_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestObserve(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.Address(t), store.Options{})
	var mu sync.Mutex
	seen := map[string]int{}
	s.Observe(func(ctx context.Context, operation, table string) (context.Context, func(error)) {
		return ctx, func(err error) {
			if err != nil {
				t.Errorf("%s %s: %v", operation, table, err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[operation+" "+table]++
		}
	})
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateWallet(t.Context(), "Research")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.View().AllWallets(t.Context()); err != nil {
		t.Fatal(err)
	}
	for what, least := range map[string]int{"write ": 1, "insert wallet": 1, "insert ledger_account": 8, "select wallet": 1} {
		if seen[what] < least {
			t.Errorf("%q was observed %d times; all: %v", what, seen[what], slices.Sorted(maps.Keys(seen)))
		}
	}
	for name, pool := range s.Pools() {
		if name != "write" && name != "read" || pool.OpenConnections == 0 {
			t.Errorf("pool %s: %+v", name, pool)
		}
	}
}

func TestWhatAScrapeCounts(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, storetest.Address(t), store.Options{Now: clock.Now})
	var rich, poor wallet.Wallet
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		for _, one := range []struct {
			to      *wallet.Wallet
			credits wallet.Credits
		}{{&rich, 5_000_000}, {&poor, 1500}, {new(wallet.Wallet), 0}} {
			var err error
			if *one.to, err = tx.CreateWallet(t.Context(), "Research"); err != nil {
				return err
			}
			if one.credits > 0 {
				if err := tx.Deposit(t.Context(), one.to.ID, wallet.Project, one.credits); err != nil {
					return err
				}
			}
		}
		if err := tx.Enqueue(t.Context(), store.Job{Kind: "later", RunAt: tx.Now().Add(time.Hour)}); err != nil {
			return err
		}
		return tx.Enqueue(t.Context(), store.Job{Kind: "due"})
	})
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	view := s.View()
	oldest, err := view.OldestJobs(t.Context())
	if err != nil || len(oldest) != 1 || oldest["due"].Round(time.Second) != time.Minute {
		t.Errorf("the oldest jobs: %v, %v", oldest, err)
	}
	lowest, err := view.LowestBalances(t.Context(), 10)
	want := []store.Balance{{WalletID: poor.ID, Kind: "project", Credits: 1.5}, {WalletID: rich.ID, Kind: "project", Credits: 5000}}
	if err != nil || !slices.Equal(lowest, want) {
		t.Errorf("the lowest balances: %v, %v, want %v", lowest, err, want)
	}
	if at, err := view.LastBackup(t.Context()); err != nil || !at.IsZero() {
		t.Errorf("before the first backup: %v, %v", at, err)
	}
	for range 2 {
		clock.Advance(time.Hour)
		if err := s.NoteBackup(t.Context()); err != nil {
			t.Fatal(err)
		}
		if at, err := view.LastBackup(t.Context()); err != nil || clock.Now().Sub(at).Abs() > time.Second {
			t.Errorf("the last backup: %v, %v", at, err)
		}
	}
}
