package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// tokens returns an amount of so many tokens, half of each kind.
func tokens(n int64) usage.Amount {
	return usage.Amount{PromptTokens: n / 2, CompletionTokens: n - n/2}
}

// spender is a scene with an interview that calls a model.
type spender struct {
	t     *testing.T
	sc    storetest.Scene
	clock *storetest.Clock
	scope usage.Scope
}

func newSpender(t *testing.T) *spender {
	t.Helper()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	return &spender{t, sc, clock, usage.Scope{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID}}
}

func (s *spender) meter(limits usage.Limits) *store.UsageMeter {
	return &store.UsageMeter{Store: s.sc.Store, Limits: limits}
}

// spend makes a complete call.
func (s *spender) spend(m *store.UsageMeter, scope usage.Scope, atMost, spent usage.Amount) error {
	hold, err := m.Reserve(s.t.Context(), scope, atMost)
	if err == nil {
		err = m.Settle(s.t.Context(), scope, hold, spent)
	}
	return err
}

// totals returns the totals of the interview, the study and the latest day.
func (s *spender) totals() (all [3]store.UsageTotal) {
	s.t.Helper()
	ctx, view := s.t.Context(), s.sc.Store.View()
	var err, studyErr error
	all[0], err = view.UsageOfInterview(ctx, s.scope.ResponseID)
	all[1], studyErr = view.UsageOfStudy(ctx, s.scope.StudyID)
	days, dayErr := view.UsageByDay(ctx, 1)
	if len(days) > 0 {
		all[2] = days[0]
	}
	if err := errors.Join(err, studyErr, dayErr); err != nil {
		s.t.Fatal(err)
	}
	return all
}

func TestUsage(t *testing.T) {
	t.Parallel()
	s := newSpender(t)
	m := s.meter(usage.Limits{Interview: usage.Ceiling{Tokens: 100}, Study: usage.Ceiling{Tokens: 150}, Day: usage.Ceiling{MicroCost: 1000}})
	other := usage.Scope{OrgID: s.scope.OrgID, StudyID: s.scope.StudyID, ResponseID: storetest.Response(t, s.sc.Store, s.sc.Study, nil).ID}
	for i, step := range []struct {
		scope         usage.Scope
		atMost, spent usage.Amount
		refused       string
	}{
		{s.scope, tokens(101), usage.Amount{}, "interview"},
		{s.scope, tokens(100), tokens(60), ""},
		{s.scope, tokens(41), usage.Amount{}, "interview"},
		{s.scope, tokens(40), tokens(50), ""}, // more than it reserved: the totals are true all the same
		{other, tokens(41), usage.Amount{}, "study"},
		{other, tokens(40), tokens(1), ""},
		{usage.Scope{}, usage.Amount{MicroCost: 1001}, usage.Amount{}, "day"},
		{usage.Scope{}, usage.Amount{MicroCost: 1000}, usage.Amount{MicroCost: 999}, ""},
		{usage.Scope{}, usage.Amount{MicroCost: 2}, usage.Amount{}, "day"},
	} {
		err := s.spend(m, step.scope, step.atMost, step.spent)
		ceiling, refused := errors.AsType[*usage.CeilingError](err)
		if step.refused == "" && err != nil || step.refused != "" && (!refused || ceiling.Of != step.refused) {
			t.Errorf("%d: %v, want %q", i, err, step.refused)
		}
	}
	want := [3]store.UsageTotal{
		{ID: s.scope.ResponseID, Calls: 2, Amount: tokens(110)},
		{ID: s.scope.StudyID, Calls: 3, Amount: tokens(110).Plus(tokens(1))},
		{ID: "2026-03-01", Calls: 4, Amount: tokens(110).Plus(tokens(1)).Plus(usage.Amount{MicroCost: 999})},
	}
	if diff := cmp.Diff(want, s.totals()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.clock.Advance(12 * time.Hour) // midnight
	if err := s.spend(m, usage.Scope{}, usage.Amount{MicroCost: 2}, usage.Amount{MicroCost: 2}); err != nil {
		t.Errorf("on the next day: %v", err)
	}
	days, err := s.sc.Store.View().UsageByDay(t.Context(), 10)
	if err != nil || len(days) != 2 || days[0].ID != "2026-03-02" || days[0].MicroCost != 2 || days[1].ID != "2026-03-01" {
		t.Errorf("%+v, %v", days, err)
	}
}

// Without ceilings nothing is set aside, but the totals are kept.
func TestUsageWithoutCeilings(t *testing.T) {
	t.Parallel()
	s := newSpender(t)
	m := s.meter(usage.Limits{})
	hold, err := m.Reserve(t.Context(), s.scope, tokens(1<<40))
	if hold != "" || err != nil {
		t.Fatalf("%q, %v", hold, err)
	}
	for _, spent := range []usage.Amount{tokens(10), {}} {
		if err := m.Settle(t.Context(), s.scope, hold, spent); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.totals(); got[0].Calls != 1 || got[0].Amount != tokens(10) || got[1].Amount != tokens(10) || got[2].Amount != tokens(10) {
		t.Errorf("%+v", got)
	}
}

// What calls under way may cost counts, for as long as they may be under way.
func TestUsageHolds(t *testing.T) {
	t.Parallel()
	s := newSpender(t)
	ctx := t.Context()
	m := s.meter(usage.Limits{Interview: usage.Ceiling{Tokens: 100}})
	first, err := m.Reserve(ctx, s.scope, tokens(80))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Reserve(ctx, s.scope, tokens(21)); !errors.Is(err, usage.ErrCeiling) {
		t.Errorf("beside a call under way: %v", err)
	}
	second, err := m.Reserve(ctx, s.scope, tokens(20))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Settle(ctx, s.scope, second, usage.Amount{}); err != nil { // it cost nothing
		t.Fatal(err)
	}
	s.clock.Advance(9 * time.Minute)
	if _, err := m.Reserve(ctx, s.scope, tokens(21)); !errors.Is(err, usage.ErrCeiling) {
		t.Errorf("before its time is over: %v", err)
	}
	s.clock.Advance(2 * time.Minute)
	if _, err := m.Reserve(ctx, s.scope, tokens(21)); !errors.Is(err, usage.ErrCeiling) { // the caller that reserved is dead, and nobody knows what it spent
		t.Errorf("beside a call that died: %v", err)
	}
	if got := s.totals(); got[0].Calls != 2 || got[0].Amount != tokens(80) || got[2].Amount != tokens(80) {
		t.Errorf("it is booked as %+v", got)
	}
	if err := m.Settle(ctx, s.scope, first, tokens(30)); err != nil { // it was only slow, and is booked already
		t.Fatal(err)
	}
	if got := s.totals(); got[0].Calls != 2 || got[0].Amount != tokens(80) {
		t.Errorf("%+v", got)
	}
}

// However many servers call at the same time, no ceiling is exceeded, and none is left unused.
func TestUsageAtOnce(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]usage.Limits{
		"interview": {Interview: usage.Ceiling{Tokens: 100}}, "study": {Study: usage.Ceiling{Tokens: 100}}, "day": {Day: usage.Ceiling{Tokens: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := storetest.Address(t)
			stores := []*store.Store{storetest.Open(t, address, store.Options{}), storetest.Open(t, address, store.Options{})}
			sc := storetest.NewScene(t, stores[0])
			r := storetest.Response(t, stores[0], sc.Study, nil)
			scope := usage.Scope{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID}
			var granted, spent atomic.Int64
			var all sync.WaitGroup
			for i := range 24 {
				all.Go(func() {
					m := &store.UsageMeter{Store: stores[i%2], Limits: limits}
					for range 3 {
						hold, err := m.Reserve(t.Context(), scope, tokens(10))
						if errors.Is(err, usage.ErrCeiling) {
							continue
						}
						if err != nil {
							t.Error(err)
							return
						}
						granted.Add(1)
						if i%3 == 0 {
							return // this one dies
						}
						if err := m.Settle(t.Context(), scope, hold, tokens(10)); err != nil {
							t.Error(err)
						}
						spent.Add(1)
					}
				})
			}
			all.Wait()
			total, err := stores[1].View().UsageOfInterview(t.Context(), r.ID)
			if granted.Load() != 10 || total.Tokens() != 10*spent.Load() || total.Calls != spent.Load() || err != nil {
				t.Errorf("%d calls of ten were let through, %d settled, in the totals %+v, %v", granted.Load(), spent.Load(), total, err)
			}
		})
	}
}

// What an interview cost is deleted with it; the totals of its study and days stay, and a call that ends late leaves no trace
// of it.
func TestUsageGoes(t *testing.T) {
	t.Parallel()
	s := newSpender(t)
	ctx := t.Context()
	m := s.meter(usage.Limits{Interview: usage.Ceiling{Tokens: 100}})
	if err := s.spend(m, s.scope, tokens(10), tokens(10)); err != nil {
		t.Fatal(err)
	}
	hold, err := m.Reserve(ctx, s.scope, tokens(10))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.sc.Store.View().AnyResponse(ctx, s.scope.ResponseID)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, s.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(ctx, r); return err })
	storetest.Write(t, s.sc.Store, func(tx *store.Tx) error { return tx.Purge(ctx, r.ID) })
	unnamed := func(when string) {
		t.Helper()
		var n int
		_, read := s.sc.Store.Handles()
		if err := read.QueryRowContext(ctx, `select (select count(*) from usage_total where id = $1) + (select count(*) from usage_hold where response_id = $1)`, r.ID).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s: %d rows name it, %v", when, n, err)
		}
	}
	unnamed("when it was purged")
	if err := m.Settle(ctx, s.scope, hold, tokens(7)); err != nil {
		t.Fatal(err)
	}
	unnamed("when a late call was settled")
	if _, err := m.Reserve(ctx, s.scope, tokens(200)); err != nil { // no interview is left, but a call is still allowed
		t.Error(err)
	}
	unnamed("when another call began")
	if got := s.totals(); got[0].Calls != 0 || got[1].Calls != 2 || got[1].Tokens() != 17 || got[2].Tokens() != 17 {
		t.Errorf("%+v", got)
	}
}
