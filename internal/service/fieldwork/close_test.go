package fieldwork_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/jobs"
)

func newContext(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

func TestWalletRunsOut(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	first, at := f.start("")
	f.start("")
	_, _, err := f.Start(t.Context(), f.study.LinkID, "", "")
	mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	if landing, err := f.Study(t.Context(), f.study.LinkID); err != nil || landing.AcceptsParticipants {
		t.Errorf("the landing page says taking %t, %v, want full", landing.AcceptsParticipants, err)
	}
	f.answer(first, at, no) // screened out: its credit is free again
	if landing, err := f.Study(t.Context(), f.study.LinkID); err != nil || !landing.AcceptsParticipants {
		t.Errorf("the landing page says taking %t, %v, want open", landing.AcceptsParticipants, err)
	}
	if _, view := f.start(""); view.Response.ReadableID != 3 {
		t.Errorf("readable id is %d, want 3: a refused start uses none", view.Response.ReadableID)
	}
	f.balance()
}

func TestGrantLimitAndOtherPrices(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 10*wallet.Credit)
	f.Price = 400
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return tx.GrantWallet(t.Context(), wallet.Grant{WalletID: f.wallet, OrgID: f.org, Limited: true, Limit: wallet.Credit})
	})
	f.start("")
	f.start("")
	_, _, err := f.Start(t.Context(), f.study.LinkID, "", "")
	mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	if got := f.balance(); got.Usage != 800 {
		t.Errorf("usage is %v, want two holds of 0.4", got.Usage)
	}
}

func TestWithoutWallet(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 0)
	f.study = launch(t, f.Store, f.org, "", small())
	token, at := f.start("")
	at = f.answer(token, f.answer(token, f.answer(token, at, yes), text("sweet")), red)
	if at.Step.Kind != interview.StepComplete || f.completed() != 1 {
		t.Errorf("stands at %s, %d completed", at.Step.Kind, f.completed())
	}
	f.balance()
}

func TestAbandonedAndResumed(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	token, at := f.start("")
	at = f.answer(token, at, yes)

	f.clock.Advance(23 * time.Hour)
	if swept, err := f.Sweep(t.Context()); swept != 0 || err != nil {
		t.Fatalf("swept %d, %v before the time", swept, err)
	}
	f.clock.Advance(2 * time.Hour)
	if swept, err := f.Sweep(t.Context()); swept != 1 || err != nil {
		t.Fatalf("swept %d, %v, want 1", swept, err)
	}
	if swept, err := f.Sweep(t.Context()); swept != 0 || err != nil {
		t.Fatalf("swept %d, %v the second time", swept, err)
	}
	if r := f.stored(at.Response); !r.Abandoned || r.Progress != response.InProgress || f.balance().Usage != 0 {
		t.Errorf("abandoned %t, progress %s, usage %v", r.Abandoned, r.Progress, f.balance().Usage)
	}

	// Another participant holds the only credit: the first can read, but not answer.
	other, otherAt := f.start("")
	if view, err := f.Current(t.Context(), token); err != nil || !view.Unfunded {
		t.Errorf("looking: unfunded %t, %v", view.Unfunded, err)
	}
	_, err := f.Answer(t.Context(), token, at.Step.ID, text("sweet"))
	mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	if turns := f.turns(at.Response); len(turns) != 1 {
		t.Errorf("the refused answer left %d turns, want 1", len(turns))
	}
	f.answer(other, otherAt, no)
	if view, err := f.Current(t.Context(), token); err != nil || view.Unfunded {
		t.Errorf("looking again: unfunded %t, %v", view.Unfunded, err)
	}

	at = f.answer(token, at, text("sweet"))
	if r := f.stored(at.Response); r.Abandoned || f.balance().Usage != wallet.Credit {
		t.Errorf("after coming back abandoned %t, usage %v", r.Abandoned, f.balance().Usage)
	}
	f.answer(token, at, red)
	if got := f.balance(); got != (wallet.Balance{Usage: wallet.Credit}) || f.completed() != 1 {
		t.Errorf("at the end the balance is %v, completed %d", got, f.completed())
	}
}

// TestUnansweredHolds: an interview without answers holds credits for minutes, not for a day; a participant who was only slow
// can go on.
func TestUnansweredHolds(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	slow, slowAt := f.start("")
	answering, at := f.start("")
	at = f.answer(answering, at, yes)
	sweep := func(want int) {
		t.Helper()
		if swept, err := f.Sweep(t.Context()); swept != want || err != nil {
			t.Errorf("swept %d, %v, want %d", swept, err, want)
		}
	}
	f.clock.Advance(fieldwork.DefaultUnansweredAfter - time.Second)
	sweep(0)
	f.clock.Advance(2 * time.Second)
	sweep(1)
	if got := f.balance(); got.Usage != wallet.Credit {
		t.Errorf("usage is %v, want the hold of the answered interview", got.Usage)
	}
	f.clock.Advance(fieldwork.YieldAnsweredAfter - 11*time.Minute)
	sweep(0) // an answered interview keeps its hold

	other, otherAt := f.start("")
	_, err := f.Answer(t.Context(), slow, slowAt.Step.ID, yes) // no credit is left
	mustFail(t, err, fieldwork.ErrNotTakingParticipants)
	if turns := f.turns(slowAt.Response); len(turns) != 0 {
		t.Errorf("a refused answer left %d turns", len(turns))
	}
	f.answer(other, otherAt, no)
	slowAt = f.answer(slow, slowAt, yes) // the hold is placed again
	if got := f.balance(); got.Usage != 2*wallet.Credit {
		t.Errorf("usage is %v, want two holds", got.Usage)
	}
	f.answer(slow, f.answer(slow, slowAt, text("sweet")), red)
	f.answer(answering, f.answer(answering, at, text("sour")), red)
	if got := f.balance(); got != (wallet.Balance{Usage: 2 * wallet.Credit}) || f.completed() != 2 {
		t.Errorf("at the end the balance is %v, completed %d", got, f.completed())
	}
}

// TestAnswerWhileSwept: concurrent answers and sweeps leave each interview with a hold or abandoned, never with an answer and
// without a hold.
func TestAnswerWhileSwept(t *testing.T) {
	t.Parallel()
	const size = 30
	f := setup(t, small(), size*wallet.Credit)
	tokens, views := make([]string, size), make([]fieldwork.View, size)
	for i := range size {
		tokens[i], views[i] = f.start("")
	}
	f.clock.Advance(time.Hour)
	var all sync.WaitGroup
	for i := range size {
		all.Go(func() { views[i] = f.answer(tokens[i], views[i], yes) })
	}
	for range 3 {
		all.Go(func() {
			if _, err := f.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := f.balance(); got.Usage != size*wallet.Credit {
		t.Errorf("usage is %v, want a hold of each answered interview", got.Usage)
	}
	for i := range size {
		if f.stored(views[i].Response).Abandoned {
			t.Errorf("interview %d has an answer and is abandoned", i)
		}
	}
}

// TestStartsOfANetwork: one network starts as many interviews of a study as its limit allows. A refused start uses no readable
// id and no credit, and does not affect other networks.
func TestStartsOfANetwork(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	f.Starts = store.StartRate{AtOnce: 5, PerHour: 60}
	from := func(network string) error {
		_, _, err := f.Begin(t.Context(), fieldwork.StartRequest{From: []response.Network{{Name: network, Times: 1}}, LinkID: f.study.LinkID})
		return err
	}
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			err := from("192.0.2.1")
			if wait, ok := errors.AsType[*fieldwork.TooManyStartsError](err); ok && wait.Wait > 0 && wait.Wait <= time.Minute+time.Second { // transactions are stamped some microseconds apart
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if refused.Load() != 95 || f.balance().Usage != 5*wallet.Credit {
		t.Errorf("%d of 100 were refused, usage is %v", refused.Load(), f.balance().Usage)
	}
	if err := from("2001:db8:0:100::/56"); err != nil {
		t.Errorf("another network: %v", err)
	}
	if _, view := f.start(""); view.Response.ReadableID != 7 {
		t.Errorf("readable id is %d, want 7", view.Response.ReadableID)
	}
	f.clock.Advance(61 * time.Second)
	if err := from("192.0.2.1"); err != nil {
		t.Errorf("a minute later: %v", err)
	}
	f.clock.Advance(time.Hour)
	if _, err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stale, err := f.Store.View().StaleStarts(t.Context()); stale || err != nil {
		t.Errorf("networks are kept for longer than they are needed: %t, %v", stale, err)
	}
}

func TestSweepTakesManyAndLeavesEnded(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 500*wallet.Credit)
	f.AbandonAfter = time.Hour
	for range 130 {
		f.start("")
	}
	token, at := f.start("")
	f.answer(token, at, no)
	f.clock.Advance(2 * time.Hour)
	if swept, err := f.Sweep(t.Context()); swept != 130 || err != nil {
		t.Errorf("swept %d, %v, want 130", swept, err)
	}
	if got := f.balance(); got.Usage != 0 {
		t.Errorf("usage is %v, want 0", got.Usage)
	}
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 3*wallet.Credit)
	running, at := f.start("who=me")
	at = f.answer(running, at, yes)
	if err := f.Withdraw(t.Context(), running); err != nil {
		t.Fatal(err)
	}
	gone := func() {
		t.Helper()
		_, err := f.Current(t.Context(), running)
		mustFail(t, err, response.ErrGone)
		_, err = f.Answer(t.Context(), running, at.Step.ID, text("sweet"))
		mustFail(t, err, response.ErrGone)
		mustFail(t, f.Withdraw(t.Context(), running), response.ErrGone)
	}
	gone()
	if got := f.balance(); got.Usage != 0 {
		t.Errorf("usage is %v, want the hold released", got.Usage)
	}
	if _, err := f.Store.View().ItemByResponse(t.Context(), f.study.ID, at.Response.ID); err == nil {
		t.Error("the response is still listed")
	}
	receipt, err := f.Store.View().DeletionOf(t.Context(), f.org, at.Response.ID)
	if err != nil || receipt.Status != response.DeletionQueued {
		t.Fatalf("receipt %v, %v", receipt, err)
	}
	if claimed := f.jobs()[jobs.KindErase]; len(claimed) != 1 || claimed[0].Args != receipt.ID || claimed[0].ResponseID != "" {
		t.Errorf("jobs to erase are %v, want one for %s", claimed, receipt.ID)
	}
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), at.Response.ID) })
	gone() // the receipt outlives the response

	done, at := f.start("")
	f.answer(done, f.answer(done, f.answer(done, at, yes), text("sweet")), red)
	if err := f.Withdraw(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	if got := f.balance(); got.Usage != wallet.Credit || f.completed() != 0 {
		t.Errorf("a withdrawn complete response leaves usage %v and %d completed, want charged and not counted", got.Usage, f.completed())
	}
	if claimed := f.jobs()[jobs.KindAnalyse]; len(claimed) != 0 {
		t.Errorf("its analysis is still queued: %v", claimed)
	}
}

func TestDeletedWhileAnswering(t *testing.T) {
	t.Parallel()
	f := setup(t, open(), wallet.Credit)
	token, at := f.start("")
	f.moderator.words = []string{"And?"}
	f.moderator.wait, f.moderator.asked = make(chan struct{}), make(chan struct{}, 1)
	answered := make(chan error)
	go func() {
		_, err := f.Answer(t.Context(), token, at.Step.ID, text("because"))
		answered <- err
	}()
	<-f.moderator.asked
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		if err := tx.ReleaseHold(t.Context(), at.Response.ID); err != nil {
			return err
		}
		_, err := tx.CreateDeletion(t.Context(), f.stored(at.Response))
		return err
	})
	close(f.moderator.wait)
	mustFail(t, <-answered, response.ErrGone)
	if got := f.balance(); got.Usage != 0 || f.completed() != 0 {
		t.Errorf("usage %v, completed %d", got.Usage, f.completed())
	}
}

func TestHiddenResponseIsNotCounted(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), wallet.Credit)
	token, at := f.start("")
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), f.org, at.Response.ID, true) })
	f.answer(token, f.answer(token, f.answer(token, at, yes), text("sweet")), red)
	if f.completed() != 0 {
		t.Errorf("completed count is %d, want 0", f.completed())
	}
	if item, err := f.Store.View().ItemByResponse(t.Context(), f.study.ID, at.Response.ID); err != nil || !item.Hidden {
		t.Errorf("its documents are hidden %t, %v", item.Hidden, err)
	}
}

// TestEvents: each event is reported once, and refused calls report none.
func TestEvents(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 10*wallet.Credit)
	events := map[fieldwork.Event]int{}
	f.Watch = func(e fieldwork.Event) { events[e]++ }
	first, at := f.start("")
	f.answer(first, at, no)
	second, _ := f.start("")
	if _, _, err := f.Start(t.Context(), "nowhere", "", ""); err == nil {
		t.Error("an interview began nowhere")
	}
	f.start("")
	if err := f.Withdraw(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if err := f.Withdraw(t.Context(), second); err == nil {
		t.Error("withdrawn twice")
	}
	f.clock.Advance(25 * time.Hour)
	if _, err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[fieldwork.Event]int{
		fieldwork.Started: 3, fieldwork.Answered: 1, fieldwork.ScreenedOut: 1, fieldwork.Withdrawn: 1, fieldwork.Abandoned: 1,
	}
	if !maps.Equal(events, want) {
		t.Errorf("told %v, want %v", events, want)
	}
	if n, err := f.Store.View().OpenInterviews(t.Context()); err != nil || n != 0 {
		t.Errorf("%d open interviews (%v), want none", n, err)
	}
}
