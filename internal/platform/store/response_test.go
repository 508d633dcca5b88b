package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestResponseRoundTrip(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	r := storetest.Response(t, sc.Store, sc.Study, map[string]string{"pid": "ä 1", "_utm": "x", "": "nameless"})
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		other := r
		other.ID, other.Seed = store.NewID(), 1<<63+5 // does not fit a signed number
		other, err := tx.StartResponse(ctx, other, "other-hash")
		if err != nil {
			return err
		}
		got, err := tx.Response(ctx, sc.Org.ID, other.ID)
		if diff := cmp.Diff(other, got); diff != "" {
			t.Errorf("a large seed (-want +got):\n%s", diff)
		}
		return err
	})
	r.Progress, r.Abandoned, r.Duration, r.EndedAt = response.ScreenedOut, true, 1500*time.Millisecond, r.CreatedAt.Add(time.Minute)
	r.UpdatedAt = r.EndedAt
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SaveProgress(ctx, r, r.EndedAt) })
	got, err := sc.Store.View().Response(ctx, sc.Org.ID, r.ID)
	if diff := cmp.Diff(r, got); diff != "" || err != nil {
		t.Errorf("Response: %v (-want +got):\n%s", err, diff)
	}
	got, hash, err := sc.Store.View().ParticipantResponse(ctx, r.ID)
	if diff := cmp.Diff(r, got); diff != "" || err != nil || hash != "hash-of-a-token" {
		t.Errorf("ParticipantResponse: %q, %v (-want +got):\n%s", hash, err, diff)
	}
	if _, err := sc.Store.View().Response(ctx, store.NewID(), r.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("Response of another organization: %v, want ErrNotFound", err)
	}
	if _, _, err := sc.Store.View().ParticipantResponse(ctx, store.NewID()); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("ParticipantResponse of none: %v, want ErrNotFound", err)
	}
	err = sc.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.StartResponse(ctx, response.Response{ID: store.NewID(), StudyID: store.NewID()}, "")
		return err
	})
	if !errors.Is(err, study.ErrNotFound) {
		t.Errorf("StartResponse in no study: %v, want ErrNotFound", err)
	}
}

func TestReadableIDsAreCountedByStudy(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	other := storetest.Study(t, sc.Store, sc.Org.ID, "", "")
	const starts = 12
	var seen sync.Map
	var all sync.WaitGroup
	for range starts {
		all.Go(func() {
			r := storetest.Response(t, sc.Store, sc.Study, nil)
			if _, twice := seen.LoadOrStore(r.ReadableID, true); twice || r.ReadableID < 1 || r.ReadableID > starts {
				t.Errorf("readable id %d is not of 1 to %d, or twice", r.ReadableID, starts)
			}
		})
	}
	all.Wait()
	if r := storetest.Response(t, sc.Store, other, nil); r.ReadableID != 1 {
		t.Errorf("readable id in another study = %d, want 1", r.ReadableID)
	}
}

func TestTurnsCompareAndSet(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	at := r.CreatedAt
	turns := []interview.Turn{
		{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "a", ConceptID: "c", Screen: 2, At: at, Answer: interview.Answer{
			Text: "Ä \"quoted\" <b> \u2028 😀", Selected: []string{"x", "y"}, CustomText: "own", Ranking: []string{"2", "1"},
			Cells: map[string]string{"r1": "c2"}, Best: "b", Worst: "w", Uploads: []string{"u"}, FileNames: []string{"Äpfel; 1.png"},
			Recordings: interview.Recordings{Audio: "au", Video: "vi", ScreenVideo: "sc"},
			Telemetry:  &interview.Telemetry{Pasted: 1, Typed: 2, Seconds: 3, Blurs: 4},
		}},
		{StepID: "s1", Kind: interview.TurnProbe, ItemID: "a", Probe: "Why?", Provider: "builtin", At: at.Add(time.Second)},
		{StepID: "s2", Kind: interview.TurnDecline, ItemID: "a", At: at.Add(2 * time.Second)},
	}
	for seq, turn := range turns {
		var won atomic.Int32
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				switch err := sc.Store.Write(ctx, func(tx *store.Tx) error { return tx.AppendTurn(ctx, r.ID, seq, turn) }); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, response.ErrMoved):
					t.Errorf("turn %d: %v, want ErrMoved", seq, err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("turn %d was appended %d times, want once", seq, won.Load())
		}
	}
	if err := sc.Store.Write(ctx, func(tx *store.Tx) error { return tx.AppendTurn(ctx, r.ID, 9, turns[0]) }); !errors.Is(err, response.ErrMoved) {
		t.Errorf("a gap in the log: %v, want ErrMoved", err)
	}
	got, err := sc.Store.View().Turns(ctx, r.ID)
	if diff := cmp.Diff(turns, got); diff != "" || err != nil {
		t.Errorf("Turns: %v (-want +got):\n%s", err, diff)
	}
	if after, err := sc.Store.View().Response(ctx, sc.Org.ID, r.ID); err != nil || after.TurnCount != len(turns) {
		t.Errorf("TurnCount = %d, %v, want %d", after.TurnCount, err, len(turns))
	}
}

func TestAnalysisIsReplaced(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	if a, err := sc.Store.View().Analysis(ctx, r.ID); a != nil || err != nil {
		t.Errorf("Analysis before there is one = %v, %v", a, err)
	}
	for _, want := range []response.Analysis{
		{Summary: "short", Provider: "builtin", CompletedAt: r.CreatedAt},
		{
			Summary: "S", Tagline: "T", Bullets: []string{"b"}, Tags: []string{"t", "u"}, ShortTranscript: "x", ShortAssistantMessages: []string{"m"},
			OtherRemarks: "o", Personas: "p", Provider: "model", CompletedAt: r.CreatedAt.Add(time.Hour),
			Quality: response.Quality{Score: 3.5, Parts: []response.QualityPart{{Name: "effort", Score: 4, Reason: "Long answers.", Rows: []int{1, 3}}}},
			Claims: []response.Claim{
				{Part: response.PartSummary, Text: "S", Spans: []evidence.Span{{Row: 1, Start: 2, End: 9}, {Row: 3, Start: 0, End: 4}}, Verified: true},
				{Part: response.PartTagline, Text: "T"},
			},
			Authors:  map[response.Part]response.Author{response.PartSummary: {Provider: "host", Model: "m", Prompt: "p-1"}, response.PartTagline: {Provider: "builtin"}},
			Fallback: "the model was down",
		},
	} {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SaveAnalysis(ctx, r.ID, want) })
		got, err := sc.Store.View().Analysis(ctx, r.ID)
		if diff := cmp.Diff(&want, got); diff != "" || err != nil {
			t.Errorf("Analysis: %v (-want +got):\n%s", err, diff)
		}
	}
}

func TestIdleResponses(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	ctx := t.Context()
	start := func() response.Response { return storetest.Response(t, sc.Store, sc.Study, nil) }
	save := func(r response.Response, active time.Time) {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.SaveProgress(ctx, r, active) })
	}
	quiet, quieter := start(), start()
	save(quieter, clock.Now().Add(-time.Hour))
	ended, abandoned := start(), start()
	ended.EndedAt, abandoned.Abandoned = clock.Now(), true
	save(ended, clock.Now())
	save(abandoned, clock.Now())
	deleted := start()
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(ctx, deleted); return err })
	clock.Advance(24 * time.Hour)
	start()

	idle, err := sc.Store.View().IdleResponses(ctx, clock.Now().Add(-time.Hour), 10)
	want := []store.IdleResponse{{ID: quieter.ID, OrgID: sc.Org.ID}, {ID: quiet.ID, OrgID: sc.Org.ID}}
	if diff := cmp.Diff(want, idle); diff != "" || err != nil {
		t.Errorf("IdleResponses: %v (-want +got):\n%s", err, diff)
	}
}

// An interview without any answer is listed earlier, and a participant who answers in time keeps it.
func TestUnansweredResponses(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	ctx := t.Context()
	begun, read, answered := storetest.Response(t, sc.Store, sc.Study, nil), storetest.Response(t, sc.Store, sc.Study, nil), storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendTurn(ctx, read.ID, 0, interview.Turn{StepID: "s0", Kind: interview.TurnContinue, ItemID: "hello", At: tx.Now()}),
			tx.AppendTurn(ctx, answered.ID, 0, interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now()}))
	})
	clock.Advance(time.Hour)
	before := clock.Now().Add(-time.Minute)
	idle, err := sc.Store.View().UnansweredResponses(ctx, before, 10)
	want := []store.IdleResponse{{ID: begun.ID, OrgID: sc.Org.ID}, {ID: read.ID, OrgID: sc.Org.ID}}
	if diff := cmp.Diff(want, idle); diff != "" || err != nil {
		t.Errorf("UnansweredResponses: %v (-want +got):\n%s", err, diff)
	}
	long := clock.Now().Add(-24 * time.Hour)
	for id, want := range map[string]bool{begun.ID: true, answered.ID: false} {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			if did, err := tx.AbandonResponse(ctx, id, long, before); did != want || err != nil {
				t.Errorf("%s is abandoned: %t, %v, want %t", id, did, err, want)
			}
			return nil
		})
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { // the answer came between the list and the change
		if err := tx.AppendTurn(ctx, read.ID, 1, interview.Turn{StepID: "s1", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now()}); err != nil {
			return err
		}
		did, err := tx.AbandonResponse(ctx, read.ID, long, before)
		if did {
			t.Error("an interview was abandoned in which somebody answered meanwhile")
		}
		return err
	})
}

// Only one caller at a time has the lease of a follow-up; a caller that takes it after another one stored nothing learns that.
func TestFollowUpLease(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	ctx := t.Context()
	lease := func(seq int, free, own, replaces bool) {
		t.Helper()
		if got, err := sc.Store.View().FollowUpLease(ctx, r.ID, seq); got != free || err != nil {
			t.Errorf("the lease of turn %d is free: %t, %v, want %t", seq, got, err, free)
		}
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			gotOwn, gotReplaces, err := tx.LeaseFollowUp(ctx, r.ID, seq, tx.Now().Add(10*time.Second))
			if gotOwn != own || gotReplaces != replaces {
				t.Errorf("turn %d: own %t, replaces %t, want %t, %t", seq, gotOwn, gotReplaces, own, replaces)
			}
			return err
		})
	}
	answer := func(seq int) {
		t.Helper()
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			return tx.AppendTurn(ctx, r.ID, seq, interview.Turn{StepID: "s", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now()})
		})
	}
	lease(1, false, false, false) // there is no answer yet
	answer(0)
	lease(1, true, true, false)
	lease(1, false, false, false)
	clock.Advance(11 * time.Second)
	lease(1, true, true, true)
	lease(1, false, false, false)
	answer(1)
	lease(1, false, false, false)
	lease(2, true, true, false)

	var own atomic.Int64
	var all sync.WaitGroup
	answer(2)
	for range 20 {
		all.Go(func() {
			if err := sc.Store.Write(ctx, func(tx *store.Tx) error {
				got, _, err := tx.LeaseFollowUp(ctx, r.ID, 3, tx.Now().Add(10*time.Second))
				if got {
					own.Add(1)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if own.Load() != 1 {
		t.Errorf("%d have the lease", own.Load())
	}
}
