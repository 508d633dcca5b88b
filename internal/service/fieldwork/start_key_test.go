package fieldwork_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
)

const pageKey = "a key that a page has made"

// begin begins an interview under a key; it must succeed.
func (f *fixture) begin(key string) (string, fieldwork.View) {
	f.t.Helper()
	token, view, err := f.Begin(f.t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Key: key})
	if err != nil {
		f.t.Fatalf("beginning: %v", err)
	}
	return token, view
}

// TestBeginAgain: a start that is repeated under its key returns the interview it began, at its current step, and costs
// nothing. Another key, another study, and the same key a day later begin another interview.
func TestBeginAgain(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	f.Starts = store.StartRate{AtOnce: 1, PerHour: 1}
	home := fieldwork.StartRequest{LinkID: f.study.LinkID, Key: pageKey, From: []response.Network{{Name: "home", Times: 1}}}
	token, at, err := f.Begin(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	again, same, err := f.Begin(t.Context(), home) // its network may start no other interview
	if err != nil {
		t.Fatal(err)
	}
	if again != token || same.Response.ID != at.Response.ID || same.Step.ID != at.Step.ID || f.balance().Usage != wallet.Credit {
		t.Errorf("the second begin gave %q at %s, want %q at %s; usage is %v", again, same.Step.ID, token, at.Step.ID, f.balance().Usage)
	}
	next := f.answer(token, at, yes)
	if again, same := f.begin(pageKey); again != token || same.Step.ID != next.Step.ID {
		t.Errorf("after an answer the start gave %q at %s, want %q at %s", again, same.Step.ID, token, next.Step.ID)
	}
	if other, _ := f.begin(pageKey + "."); other == token {
		t.Error("another key gave the same interview")
	}
	sister := launch(t, f.Store, f.org, f.wallet, small())
	other, _, err := f.Begin(t.Context(), fieldwork.StartRequest{LinkID: sister.LinkID, Key: pageKey})
	if err != nil || other == token {
		t.Errorf("the key of another study gave %q, %v", other, err)
	}
	f.clock.Advance(store.StartKeyLife + time.Second)
	later, fresh := f.begin(pageKey)
	if later == token || fresh.Response.ID == at.Response.ID {
		t.Error("a key was not forgotten in time")
	}
	if again, _ := f.begin(pageKey); again != later {
		t.Errorf("the forgotten key gave %q and then %q", later, again)
	}
}

// TestBeginsAtOnce: many concurrent starts under one key create one response, and all return it.
func TestBeginsAtOnce(t *testing.T) {
	t.Parallel()
	const begins = 24
	f := setup(t, small(), 100*wallet.Credit)
	var all sync.WaitGroup
	tokens := make([]string, begins)
	for i := range tokens {
		all.Go(func() {
			var err error
			if tokens[i], _, err = f.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Key: pageKey}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, token := range tokens {
		if token != tokens[0] {
			t.Fatalf("two begins under one key gave %q and %q", tokens[0], token)
		}
	}
	if usage := f.balance().Usage; usage != wallet.Credit {
		t.Errorf("usage is %v, want one hold", usage)
	}
	if _, next := f.begin(""); next.Response.ReadableID != 2 {
		t.Errorf("the next interview is number %d, want 2", next.Response.ReadableID)
	}
}

// TestStartKeys: keys that are too short, and so guessable, or too long are refused.
func TestStartKeys(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	for _, n := range []int{1, fieldwork.MinStartKey - 1, fieldwork.MaxStartKey + 1} {
		_, _, err := f.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Key: strings.Repeat("k", n)})
		mustFail(t, err, fieldwork.ErrStartKey)
	}
	f.begin(strings.Repeat("k", fieldwork.MinStartKey))
	f.begin(strings.Repeat("k", fieldwork.MaxStartKey))
	if one, _ := f.begin(""); one == "" {
		t.Error("no token without a key")
	}
}

// TestBeginAfterDeletion: repeating a start after its response was deleted, and after it was purged, returns ErrGone.
func TestBeginAfterDeletion(t *testing.T) {
	t.Parallel()
	f := setup(t, small(), 100*wallet.Credit)
	token, at := f.begin(pageKey)
	if err := f.Withdraw(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	gone := func() {
		t.Helper()
		_, _, err := f.Begin(t.Context(), fieldwork.StartRequest{LinkID: f.study.LinkID, Key: pageKey})
		mustFail(t, err, response.ErrGone)
	}
	gone()
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), at.Response.ID) })
	gone()
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.PruneStartKeys(t.Context(), tx.Now().Add(time.Second)) })
	if other, _ := f.begin(pageKey); other == token {
		t.Error("a key that was forgotten gave its old token")
	}
}
