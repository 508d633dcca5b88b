package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestWritersShareACommit queues many writers behind one, so that they share a transaction, and makes some of them fail,
// panic or be cancelled: only the changes of those are missing.
func TestWritersShareACommit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	release := occupy(t, s, storetest.NewScene(t, s).Study.ID)
	refused := errors.New("refused")
	var all sync.WaitGroup
	for n := range 100 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			defer func() {
				if p := recover(); (p != nil) != (n%5 == 2) {
					t.Errorf("writer %d: recovered %v", n, p)
				}
			}()
			err := s.Write(ctx, func(tx *store.Tx) error {
				if _, err := tx.CreateOrg(ctx, fmt.Sprint(n)); err != nil {
					return err
				}
				switch n % 5 {
				case 1:
					return refused
				case 2:
					panic("oops")
				case 3:
					cancel()
					_, err := tx.CreateOrg(ctx, "other half")
					return err
				}
				return nil
			})
			want := map[int]error{1: refused, 3: context.Canceled}[n%5]
			if !errors.Is(err, want) {
				t.Errorf("writer %d: Write = %v, want %v", n, err, want)
			}
			if err == nil {
				orgs, err := s.View().Orgs(context.WithoutCancel(ctx))
				if err != nil {
					t.Error(err)
				}
				found := false
				for _, o := range orgs {
					found = found || o.Name == fmt.Sprint(n)
				}
				if !found {
					t.Errorf("writer %d was told that its organization is stored, and it is not", n)
				}
			}
		})
	}
	release()
	all.Wait()
	if n := countOrgs(t, s); n != 1+40 {
		t.Errorf("%d organizations, want the first and the 40 of the writers that succeeded", n)
	}
}

// TestLostTransactionIsRepeated makes one writer lose the complete transaction, as a full disk does: the writers that shared
// it are run again without knowing, and the one that caused it gets its own error.
func TestLostTransactionIsRepeated(t *testing.T) {
	t.Parallel()
	if storetest.OnPostgres() {
		return // writers share nothing on this engine
	}
	s := storetest.New(t)
	held, let := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() { close(held) }) // the first writer may share the lost transaction and be run again, too
	var all sync.WaitGroup
	all.Go(func() {
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.CreateOrg(t.Context(), "first")
			hold()
			<-let
			return err
		})
		if err != nil {
			t.Errorf("the first writer: %v", err)
		}
	})
	<-held
	violation := errors.New("the disk is full")
	for n := range 9 {
		all.Go(func() {
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				if _, err := tx.CreateOrg(t.Context(), fmt.Sprint(n)); err != nil {
					return err
				}
				if n != 4 {
					return nil
				}
				return errors.Join(violation, tx.Lose(t.Context()))
			})
			if n == 4 && !errors.Is(err, violation) || n != 4 && err != nil {
				t.Errorf("writer %d: Write = %v", n, err)
			}
		})
	}
	close(let)
	all.Wait()
	if n := countOrgs(t, s); n != 1+8 {
		t.Errorf("%d organizations, want the first and 8", n)
	}
}

func TestGoexitReleasesTheTurn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Write(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.CreateOrg(t.Context(), "half"); err != nil {
				t.Error(err)
			}
			runtime.Goexit()
			return nil
		})
	}()
	<-ended
	storetest.Org(t, s)
	if n := countOrgs(t, s); n != 1 {
		t.Errorf("%d organizations, want 1", n)
	}
}
