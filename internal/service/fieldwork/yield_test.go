package fieldwork_test

import (
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/fieldwork"
)

// TestUnansweredHoldsYield: somebody who begins and never answers blocks others for no longer than YieldAfter. An interview
// with answers keeps its hold, and a slow participant can go on as long as there are credits.
func TestUnansweredHoldsYield(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	slow, slowAt := f.start("")
	answered, at := f.start("")
	f.answer(answered, at, yes)

	refused := func() {
		t.Helper()
		_, _, err := f.Start(t.Context(), f.study.LinkID, "", "")
		mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	}
	taking := func(want bool) {
		t.Helper()
		landing, err := f.Study(t.Context(), f.study.LinkID)
		if err != nil || landing.AcceptsParticipants != want {
			t.Errorf("the study takes participants: %t, %v, want %t", landing.AcceptsParticipants, err, want)
		}
	}
	refused()
	taking(false)
	f.clock.Advance(fieldwork.YieldAfter + time.Second)
	taking(true)
	other, otherAt := f.start("") // gets the credits of the slow one
	if !f.stored(slowAt.Response).Abandoned || f.balance().Usage != 2*wallet.Credit {
		t.Errorf("the slow one is abandoned: %t, usage %v", f.stored(slowAt.Response).Abandoned, f.balance().Usage)
	}
	refused() // the new one may keep its hold for as long

	f.clock.Advance(fieldwork.YieldAfter + time.Second)
	f.answer(slow, slowAt, yes) // gets them back by answering
	if f.stored(slowAt.Response).Abandoned || !f.stored(otherAt.Response).Abandoned {
		t.Error("the slow one's answer does not take the credits of the one without any")
	}
	f.clock.Advance(fieldwork.YieldAnsweredAfter - 2*time.Minute)
	refused() // both have answered
	taking(false)
	_, err := f.Answer(t.Context(), other, otherAt.Step.ID, yes)
	mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	f.clock.Advance(2 * time.Minute)
	taking(true)
	f.start("") // in the place of one that has been silent for half an hour
	f.balance()
}

// TestConcurrentStartsReclaimHolds: as many concurrent starts succeed as there are holds to reclaim.
func TestConcurrentStartsReclaimHolds(t *testing.T) {
	t.Parallel()
	const size = 10
	f := setup(t, small(), size*wallet.Credit)
	for range size {
		f.start("")
	}
	f.clock.Advance(time.Minute)
	var all sync.WaitGroup
	for range size {
		all.Go(func() { f.start("") })
	}
	all.Wait()
	if got := f.balance(); got.Usage != size*wallet.Credit {
		t.Errorf("usage is %v, want %d holds", got.Usage, size)
	}
}
