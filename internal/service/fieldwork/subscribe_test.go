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

// aloud is a moderator that says what it writes, word by word, as it is told to.
type aloud struct{ write, written chan string }

func (m aloud) Decide(_ context.Context, in interview.Ask) interview.Decision {
	soFar := ""
	for word := range m.write {
		soFar += word
		in.Words(soFar)
		m.written <- soFar
	}
	return interview.Decision{Words: soFar, Provider: "scripted"}
}

func (f *field) follow(token string, seen int) *fieldwork.Subscriber {
	f.t.Helper()
	subscriber, err := f.Follow(f.t.Context(), token, seen)
	if err != nil {
		f.t.Fatalf("following: %v", err)
	}
	f.t.Cleanup(subscriber.Close)
	return subscriber
}

// next waits for news.
func next(t *testing.T, f *fieldwork.Subscriber) fieldwork.Change {
	t.Helper()
	for {
		if change, ok := f.Next(); ok {
			return change
		}
		select {
		case <-f.Changed:
		case <-t.Context().Done():
			t.Fatal("no news came")
		}
	}
}

func nothing(t *testing.T, f *fieldwork.Subscriber) {
	t.Helper()
	if change, ok := f.Next(); ok {
		t.Fatalf("there is news: %+v", change)
	}
}

// TestFollow: who follows sees where the interview stands, the follow-up as it is written, and each step, in order.
func TestFollow(t *testing.T) {
	t.Parallel()
	f := setup(t, open(), wallet.Credit)
	m := aloud{make(chan string), make(chan string)}
	f.Moderator = m
	token, at := f.start("")
	tab := f.follow(token, -1)
	if change := next(t, tab); change.View == nil || change.View.Step.ID != at.Step.ID {
		t.Fatalf("the first news is %+v", change)
	}
	nothing(t, tab)
	nothing(t, f.follow(token, 0)) // it knows the step

	var answered sync.WaitGroup
	var reply fieldwork.View
	answered.Go(func() { reply = f.say(token, at, text("Because.")) })
	for _, word := range []string{"And", " why?"} {
		m.write <- word
		soFar := <-m.written
		if change := next(t, tab); change.Words == nil || change.Words.Text != soFar || change.Words.After != at.Step.ID {
			t.Fatalf("after %q the news is %+v", soFar, change)
		}
		nothing(t, tab)
		if change := next(t, f.follow(token, -1)); change.Words == nil || change.Words.Text != soFar {
			t.Fatalf("who comes now learns %+v", change)
		}
	}
	close(m.write)
	change := next(t, tab)
	answered.Wait()
	if change.View == nil || change.View.Step.ID != reply.Step.ID || change.View.Step.Words != "And why?" {
		t.Fatalf("the news is %+v, the answer's answer %+v", change, reply.Step)
	}
	f.say(token, reply, text("So."))
	if change := next(t, tab); !change.View.Step.Ended() || !tab.Over() {
		t.Fatalf("at the end the news is %+v", change)
	}
	if late := f.follow(token, change.View.Response.TurnCount+1); !late.Over() {
		t.Error("who knows the end is not told that there is nothing more")
	}
}

// TestFollowSlowly: who does not listen for a while learns the last, and nobody waits for that.
func TestFollowSlowly(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, at := f.start("")
	slow := f.follow(token, -1)
	for _, answer := range []interview.Answer{yes, text("Because.")} {
		at = f.say(token, at, answer)
	}
	if change := next(t, slow); change.View == nil || change.View.Step.ID != at.Step.ID {
		t.Errorf("the news is %+v, the interview stands at %s", change.View.Step, at.Step.ID)
	}
	nothing(t, slow)
}

// TestFollowAnotherNode: what another node stored, and what was deleted beside fieldwork, is seen by asking the database.
func TestFollowAnotherNode(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 2*wallet.Credit)
	token, at := f.start("")
	tab := f.follow(token, 0)
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	nothing(t, tab)

	other := &fieldwork.Service{Store: f.Store, Moderator: f.moderator}
	moved, err := other.Answer(t.Context(), token, at.Step.ID, yes)
	if err != nil {
		t.Fatal(err)
	}
	nothing(t, tab)
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if change := next(t, tab); change.View == nil || change.View.Step.ID != moved.Step.ID {
		t.Errorf("the news is %+v", change)
	}

	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(t.Context(), f.stored(at.Response))
		return err
	})
	if err := f.PollOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if change := next(t, tab); !change.Gone {
		t.Errorf("the news of a deletion is %+v", change)
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
	if change := next(t, tab); !change.Gone {
		t.Errorf("the news of taking back is %+v", change)
	}
	_, err := f.Follow(t.Context(), token, -1)
	mustFail(t, err, response.ErrGone)
	_, err = f.Follow(t.Context(), "nobody", -1)
	mustFail(t, err, response.ErrNotFound)
}

// TestFollowIsBounded: places are bounded by interview, network, study and node; closing gives a place back, once; and an
// interview that is followed already keeps its place, for its oldest follower makes room for its newest.
func TestFollowIsBounded(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	f.MaxSubscribers = 20 // and 10 of a study
	one, _ := f.start("")
	home := fieldwork.Origin{Name: "home", Max: 3}
	join := func(token string, from ...fieldwork.Origin) (*fieldwork.Subscriber, error) {
		t.Helper()
		subscriber, err := f.Follow(t.Context(), token, 0, from...)
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
		if change := next(t, subscriber); !change.Replaced {
			t.Errorf("%s: the news is %+v", what, change)
		}
	}

	var of []*fieldwork.Subscriber // one interview
	for range 8 {
		of = append(of, must(one))
	}
	last := must(one)
	replaced("the oldest of nine of an interview", of[0])
	nothing(t, of[1])
	for _, subscriber := range append(of, last, last) { // twice: a place is given back once
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
