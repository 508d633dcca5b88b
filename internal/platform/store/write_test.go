package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// countOrgs returns how many organizations are committed.
func countOrgs(t *testing.T, s *store.Store) int {
	t.Helper()
	orgs, err := s.View().Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(orgs)
}

// occupy holds the write lock of a study until release is called; SQLite has one for all studies.
func occupy(t *testing.T, s *store.Store, studyID string) (release func()) {
	t.Helper()
	held, let, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var once sync.Once
	go func() {
		done <- s.Write(context.WithoutCancel(t.Context()), func(tx *store.Tx) error {
			_, err := tx.NextUpdate(context.WithoutCancel(t.Context()), studyID)
			once.Do(func() { close(held) })
			return errors.Join(err, untilLet(tx, let))
		})
	}()
	<-held
	return sync.OnceFunc(func() {
		close(let)
		if err := <-done; err != nil {
			t.Errorf("the transaction that held the lock: %v", err)
		}
	})
}

// untilLet reads now and then until let is closed: PostgreSQL ends a transaction that falls silent.
func untilLet(tx *store.Tx, let <-chan struct{}) error {
	sign := time.NewTicker(100 * time.Millisecond)
	defer sign.Stop()
	for {
		select {
		case <-let:
			return nil
		case <-sign.C:
			if _, err := tx.Orgs(context.Background()); err != nil {
				return err
			}
		}
	}
}

func TestWriteRollsBack(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	refused := errors.New("refused")
	add := func(tx *store.Tx) {
		if _, err := tx.CreateOrg(t.Context(), "half"); err != nil {
			t.Error(err)
		}
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error { add(tx); return refused }); !errors.Is(err, refused) {
		t.Errorf("Write = %v, want the function's error", err)
	}
	func() {
		defer func() {
			if p := recover(); p != "oops" {
				t.Errorf("recovered %v, want the function's panic", p)
			}
		}()
		_ = s.Write(t.Context(), func(tx *store.Tx) error { add(tx); panic("oops") })
	}()
	if n := countOrgs(t, s); n != 0 {
		t.Errorf("%d organizations after an error and a panic, want none", n)
	}
	storetest.Org(t, s)
	if n := countOrgs(t, s); n != 1 {
		t.Errorf("%d organizations, want the one written afterwards", n)
	}
}

func TestWriteSeesItselfAndReadersDoNot(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Write(t, s, func(tx *store.Tx) error {
		o, err := tx.CreateOrg(t.Context(), "new")
		if err != nil {
			return err
		}
		if _, err := tx.Org(t.Context(), o.ID); err != nil {
			t.Errorf("inside: %v", err)
		}
		if _, err := s.View().Org(t.Context(), o.ID); !errors.Is(err, org.ErrNotFound) {
			t.Errorf("outside, before the commit: %v, want ErrNotFound", err)
		}
		return nil
	})
}

func TestWriteGivesUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		second bool // the other writer is another process, as far as the engine knows
	}{{"behind a writer of this process", false}, {"behind another process", true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address := storetest.Address(t)
			s := storetest.Open(t, address, store.Options{Wait: 50 * time.Millisecond})
			other := s
			if tt.second {
				other = storetest.Open(t, address, store.Options{})
			}
			st := storetest.NewScene(t, other).Study
			release := occupy(t, other, st.ID)
			defer release()
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.NextUpdate(t.Context(), st.ID)
				if err == nil {
					t.Error("two transactions wrote to a study at the same time")
				}
				return err
			})
			if !errors.Is(err, outage.ErrBusy) {
				t.Errorf("Write = %v, want ErrBusy", err)
			}
			release()
			storetest.Org(t, s)
		})
	}
}

func TestWriteStopsWithItsContext(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	s := storetest.Open(t, address, store.Options{Wait: time.Hour})
	st := storetest.NewScene(t, s).Study
	before := countOrgs(t, s)
	for name, other := range map[string]*store.Store{"this process": s, "another process": storetest.Open(t, address, store.Options{})} {
		release := occupy(t, other, st.ID)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- s.Write(ctx, func(tx *store.Tx) error { _, err := tx.NextUpdate(ctx, st.ID); return err })
		}()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("behind %s: Write = %v, want context.Canceled", name, err)
		}
		release()
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.CreateOrg(ctx, "half"); err != nil {
			return err
		}
		cancel()
		_, err := tx.CreateOrg(ctx, "other half")
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled inside: Write = %v, want context.Canceled", err)
	}
	if n := countOrgs(t, s); n != before {
		t.Errorf("%d organizations after a cancelled write, want %d", n, before)
	}
	storetest.Org(t, s)
}

func TestWriteWaitsForAnotherProcess(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	s, other := storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})
	st := storetest.NewScene(t, s).Study
	release := occupy(t, other, st.ID)
	ended := make(chan error, 1)
	go func() {
		ended <- s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.NextUpdate(t.Context(), st.ID); return err })
	}()
	impatient := storetest.Open(t, address, store.Options{Wait: 20 * time.Millisecond})
	err := impatient.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.NextUpdate(t.Context(), st.ID); return err })
	if !errors.Is(err, outage.ErrBusy) {
		t.Errorf("meanwhile: %v, want ErrBusy", err)
	}
	release()
	if err := <-ended; err != nil {
		t.Errorf("Write = %v, want it to wait and succeed", err)
	}
}

func TestWritersOfTwoProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	address := storetest.Address(t)
	handles := []*store.Store{storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})}
	const writers, writes = 3, 5
	var all sync.WaitGroup
	for _, s := range handles {
		for range writers {
			all.Go(func() {
				for range writes {
					if err := s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.CreateOrg(t.Context(), "x"); return err }); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if n, want := countOrgs(t, handles[0]), len(handles)*writers*writes; n != want {
		t.Errorf("%d organizations, want %d", n, want)
	}
}

func TestTimesOnlyRise(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	var last time.Time
	for _, move := range []time.Duration{0, 0, -time.Hour, 0, 2 * time.Hour} {
		clock.Advance(move)
		storetest.Write(t, s, func(tx *store.Tx) error {
			if !tx.Now().After(last) || tx.Now().Location() != time.UTC || !tx.Now().Equal(tx.Now().Truncate(time.Microsecond)) {
				t.Errorf("a transaction after %v is at %v", last, tx.Now())
			}
			last = tx.Now()
			return nil
		})
	}
	if !last.Equal(clock.Now()) {
		t.Errorf("the last transaction is at %v, want the clock's %v", last, clock.Now())
	}
}

func TestTimesDifferUnderConcurrency(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	var seen sync.Map
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if _, twice := seen.LoadOrStore(s.Now(), true); twice {
					t.Error("one time was handed out twice")
				}
			}
		})
	}
	all.Wait()
}
