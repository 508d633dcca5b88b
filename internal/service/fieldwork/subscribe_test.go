package fieldwork_test

import (
	"context"
	"sync"
	"testing"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
)

// streamingModerator publishes its words one by one, as the test sends them.
type streamingModerator struct{ write, written chan string }

func (m streamingModerator) Decide(_ context.Context, in interview.Ask) interview.Decision {
	soFar := ""
	for word := range m.write {
		soFar += word
		in.Words(soFar)
		m.written <- soFar
	}
	return interview.Decision{Words: soFar, Provider: "scripted"}
}

func (f *fixture) follow(token string, seen int) *fieldwork.Subscriber {
	f.t.Helper()
	subscriber, err := f.Subscribe(f.t.Context(), token, seen)
	if err != nil {
		f.t.Fatalf("following: %v", err)
	}
	f.t.Cleanup(subscriber.Close)
	return subscriber
}

// nextChange waits for a change.
func nextChange(t *testing.T, f *fieldwork.Subscriber) fieldwork.Change {
	t.Helper()
	for {
		if change, ok := f.Next(); ok {
			return change
		}
		select {
		case <-f.Changed:
		case <-t.Context().Done():
			t.Fatal("no change came")
		}
	}
}

func expectNoChange(t *testing.T, f *fieldwork.Subscriber) {
	t.Helper()
	if change, ok := f.Next(); ok {
		t.Fatalf("unexpected change: %+v", change)
	}
}

// TestFollow: a subscriber gets the current step, the follow-up while it is written, and each later step, in order.
func TestFollow(t *testing.T) {
	t.Parallel()
	f := setup(t, open(), wallet.Credit)
	m := streamingModerator{make(chan string), make(chan string)}
	f.Moderator = m
	token, at := f.start("")
	tab := f.follow(token, -1)
	if change := nextChange(t, tab); change.View == nil || change.View.Step.ID != at.Step.ID {
		t.Fatalf("the first change is %+v", change)
	}
	expectNoChange(t, tab)
	expectNoChange(t, f.follow(token, 0)) // it has seen the step

	var answered sync.WaitGroup
	var reply fieldwork.View
	answered.Go(func() { reply = f.answer(token, at, text("Because.")) })
	for _, word := range []string{"And", " why?"} {
		m.write <- word
		soFar := <-m.written
		if change := nextChange(t, tab); change.Words == nil || change.Words.Text != soFar || change.Words.After != at.Step.ID {
			t.Fatalf("after %q the change is %+v", soFar, change)
		}
		expectNoChange(t, tab)
		if change := nextChange(t, f.follow(token, -1)); change.Words == nil || change.Words.Text != soFar {
			t.Fatalf("a new subscriber gets %+v", change)
		}
	}
	close(m.write)
	change := nextChange(t, tab)
	answered.Wait()
	if change.View == nil || change.View.Step.ID != reply.Step.ID || change.View.Step.Words != "And why?" {
		t.Fatalf("the change is %+v, the answer returned %+v", change, reply.Step)
	}
	f.answer(token, reply, text("So."))
	if change := nextChange(t, tab); !change.View.Step.Ended() || !tab.Over() {
		t.Fatalf("at the end the change is %+v", change)
	}
	if late := f.follow(token, change.View.Response.TurnCount+1); !late.Over() {
		t.Error("a subscriber that has seen the end is not over")
	}
}

// TestFollowSlowly: a subscriber that does not read for a while gets the latest step, and nothing waits for it.
func TestFollowSlowly(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, at := f.start("")
	slow := f.follow(token, -1)
	for _, answer := range []interview.Answer{yes, text("Because.")} {
		at = f.answer(token, at, answer)
	}
	if change := nextChange(t, slow); change.View == nil || change.View.Step.ID != at.Step.ID {
		t.Errorf("the change is %+v, the current step is %s", change.View.Step, at.Step.ID)
	}
	expectNoChange(t, slow)
}

// TestFollowAnotherNode: changes stored by another node, and deletions outside of fieldwork, are found by polling the database.
func TestFollowAnotherNode(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, at := f.start("")
	tab := f.follow(token, 0)
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	expectNoChange(t, tab)

	other := &fieldwork.Service{Store: f.Store, Moderator: f.moderator}
	moved, err := other.Answer(t.Context(), token, at.Step.ID, yes)
	if err != nil {
		t.Fatal(err)
	}
	expectNoChange(t, tab)
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if change := nextChange(t, tab); change.View == nil || change.View.Step.ID != moved.Step.ID {
		t.Errorf("the change is %+v", change)
	}

	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(t.Context(), f.stored(at.Response))
		return err
	})
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if change := nextChange(t, tab); !change.Gone {
		t.Errorf("the change after a deletion is %+v", change)
	}
}

func TestFollowEnds(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, _ := f.start("")
	tab := f.follow(token, 0)
	if err := f.Withdraw(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if change := nextChange(t, tab); !change.Gone {
		t.Errorf("the change after a withdrawal is %+v", change)
	}
	_, err := f.Subscribe(t.Context(), token, -1)
	mustFail(t, err, response.ErrGone)
	_, err = f.Subscribe(t.Context(), "nobody", -1)
	mustFail(t, err, response.ErrNotFound)
}

// TestFollowIsBounded: subscribers are limited by interview, network, study and node. Closing frees a place once. At a limit, a
// new subscriber of an interview replaces its oldest one.
func TestFollowIsBounded(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	f.MaxSubscribers = 20 // and 10 of a study
	one, _ := f.start("")
	home := fieldwork.Origin{Name: "home", Max: 3}
	join := func(token string, from ...fieldwork.Origin) (*fieldwork.Subscriber, error) {
		t.Helper()
		subscriber, err := f.Subscribe(t.Context(), token, 0, from...)
		if err == nil {
			t.Cleanup(subscriber.Close)
		}
		return subscriber, err
	}
	must := func(token string, from ...fieldwork.Origin) *fieldwork.Subscriber {
		t.Helper()
		subscriber, err := join(token, from...)
		if err != nil {
			t.Fatal(err)
		}
		return subscriber
	}
	replaced := func(what string, subscriber *fieldwork.Subscriber) {
		t.Helper()
		if change := nextChange(t, subscriber); !change.Replaced {
			t.Errorf("%s: the change is %+v", what, change)
		}
	}

	var subscribers []*fieldwork.Subscriber // one interview
	for range 8 {
		subscribers = append(subscribers, must(one))
	}
	last := must(one)
	replaced("the oldest of nine of an interview", subscribers[0])
	expectNoChange(t, subscribers[1])
	for _, subscriber := range append(subscribers, last, last) { // last is closed twice: its place is freed once
		subscriber.Close()
	}

	var home3 []string
	for range 3 {
		token, _ := f.start("")
		home3 = append(home3, token)
	}
	first := must(home3[0], home)
	must(home3[1], home)
	third := must(home3[2], home)
	_, err := join(one, home)
	mustFail(t, err, fieldwork.ErrTooManyFromOrigin)
	again := must(home3[0], home) // it lost its connection, which the server has not noticed
	replaced("the one that comes again from a full network", first)
	third.Close()
	must(one, home)

	for range 7 { // 10 of the study
		token, _ := f.start("")
		must(token)
	}
	late, _ := f.start("")
	_, err = join(late)
	mustFail(t, err, fieldwork.ErrTooManySubscribers)
	must(home3[0])
	replaced("the one that comes again to a full study", again)
	f.MaxSubscribers = 10
	_, err = join(late)
	mustFail(t, err, fieldwork.ErrTooManySubscribers)
}
