package fieldwork_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/signing"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/fieldwork"
)

// TestPreview: a preview runs beside everything that counts, asks a moderator that costs nothing, and is removed a day after its last answer.
func TestPreview(t *testing.T) {
	t.Parallel()
	f := setup(t, grid(1), 0)
	key, err := signing.NewKey(strings.Repeat("k", signing.MinSecret))
	if err != nil {
		t.Fatal(err)
	}
	ring := signing.NewRing(key)
	f.Ring = func() signing.Ring { return ring }
	free := &scriptedModerator{words: []string{"Why so?"}}
	f.Fallback = free
	query := "r=n&" + fieldwork.PreviewParam + "=" + fieldwork.PreviewValue(ring, f.study.ID, f.Store.Now().Add(time.Hour), f.Store.Now())
	hook := f.hook()
	token, at := f.start(query)
	for !at.Step.Ended() {
		var sent sync.WaitGroup
		step := at.Step
		answer := anyAnswer(step)
		for range 2 { // a double click
			sent.Go(func() {
				if _, err := f.Answer(t.Context(), token, step.ID, answer); err != nil {
					t.Error(err)
				}
			})
		}
		sent.Wait()
		if at, err = f.Current(t.Context(), token); err != nil || !at.Preview {
			t.Fatalf("%+v, %v", at, err)
		}
		if at.Step.ID == step.ID {
			t.Fatalf("it stays at %s", step.ID)
		}
	}
	if told := f.told(hook); told != nil {
		t.Errorf("a webhook was told of a preview: %v", told)
	}
	if len(f.moderator.asks) > 0 || len(free.asks) == 0 {
		t.Errorf("the study's moderator was asked %d times, the other %d times", len(f.moderator.asks), len(free.asks))
	}
	f.wantPlaces("")
	if jobs := f.jobs(); len(jobs) > 0 || f.completed() != 0 {
		t.Errorf("jobs %v, %d completed", jobs, f.completed())
	}
	if ids, err := f.Store.View().ResponseIDs(t.Context(), f.study.ID); err != nil || len(ids) > 0 {
		t.Errorf("responses %v, %v", ids, err)
	}
	if _, err := f.ResponseByToken(t.Context(), token); err == nil {
		t.Error("uploads find a response")
	}
	f.clock.Advance(fieldwork.PreviewLife + time.Minute)
	if _, err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = f.Current(t.Context(), token)
	mustFail(t, err, response.ErrNotFound)
	_, _, err = f.Start(t.Context(), f.study.LinkID, query, "")
	mustFail(t, err, study.ErrNotFound) // the link has expired: nobody takes part by it
	f.balance()
}
