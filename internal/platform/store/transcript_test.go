package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

var said = transcript.Transcript{
	Language: "en", Text: "I like apples.", Provider: "speech.example.com", Model: "large", Duration: 5 * time.Second, Speech: 2 * time.Second,
	Words: []transcript.Word{
		{Text: "I", Start: 100 * time.Millisecond, End: 200 * time.Millisecond, Confidence: 0},
		{Text: "like", Start: 200 * time.Millisecond, End: 400 * time.Millisecond, Confidence: transcript.Unknown},
		{Text: "apples", Start: 400 * time.Millisecond, End: time.Second, Confidence: 0.97},
	},
}

func (in *intake) listen(u recording.Upload, listener string, until time.Duration) (own bool, err error) {
	err = in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) (err error) {
		own, err = tx.Listen(in.t.Context(), u.ResponseID, u.ID, listener, tx.Now().Add(until))
		return err
	})
	return own, err
}

func (in *intake) save(u recording.Upload, t transcript.Transcript) error {
	return in.sc.Store.Write(in.t.Context(), func(tx *store.Tx) error { return tx.SaveTranscript(in.t.Context(), u.ResponseID, u.ID, t) })
}

// Only one caller at a time transcribes an upload, and the first transcript stays.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx, view := t.Context(), in.sc.Store.View()
	u := in.grown(in.begin(recording.Audio, "s1"), 5, true)
	read := func() transcript.Transcript {
		t.Helper()
		got, err := view.Transcript(ctx, in.r.ID, u.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for i, step := range []struct {
		listener string
		own      bool
	}{{"a", true}, {"b", false}} {
		if own, err := in.listen(u, step.listener, time.Minute); own != step.own || err != nil {
			t.Errorf("%d: %s leases: %t, %v", i, step.listener, own, err)
		}
	}
	if _, err := view.Transcript(ctx, in.r.ID, u.ID); !errors.Is(err, transcript.ErrNone) {
		t.Errorf("while another caller has the lease: %v", err)
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.StopListening(ctx, u.ID, "b") })
	if own, err := in.listen(u, "c", time.Minute); own || err != nil {
		t.Errorf("somebody else cannot stop it: %t, %v", own, err)
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { return tx.StopListening(ctx, u.ID, "a") })
	if own, err := in.listen(u, "b", time.Minute); !own || err != nil {
		t.Errorf("when it was stopped: %t, %v", own, err)
	}
	in.clock.Advance(2 * time.Minute)
	if own, err := in.listen(u, "c", time.Minute); !own || err != nil {
		t.Errorf("when the lease has expired: %t, %v", own, err)
	}
	if err := in.save(u, said); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(said, read()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := in.save(u, transcript.Transcript{Text: "Something else."}); err != nil || read().Text != said.Text {
		t.Errorf("a second one: %v, %q", err, read().Text)
	}
	in.clock.Advance(time.Hour)
	if own, err := in.listen(u, "d", time.Minute); own || err != nil {
		t.Errorf("an upload is transcribed again: %t, %v", own, err)
	}
	if _, err := view.Transcript(ctx, store.NewID(), u.ID); !errors.Is(err, transcript.ErrNone) {
		t.Errorf("of somebody else: %v", err)
	}
}

// A recording that is thrown away takes its transcript with it, and so does a response.
func TestTranscriptsGo(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx := t.Context()
	thrown, kept := in.grown(in.begin(recording.Audio, "s1"), 5, true), in.grown(in.begin(recording.Audio, "s1"), 5, true)
	for _, u := range []recording.Upload{thrown, kept} {
		if err := in.save(u, said); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.end(thrown.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := in.sc.Store.View().Transcript(ctx, in.r.ID, thrown.ID); !errors.Is(err, transcript.ErrNone) {
		t.Errorf("of a recording that was thrown away: %v", err)
	}
	left := func() (n int) {
		t.Helper()
		_, read := in.sc.Store.Handles()
		if err := read.QueryRowContext(ctx, `select count(*) from transcript where response_id = $1`, in.r.ID).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	late := func(name string, u recording.Upload) {
		t.Helper()
		if own, err := in.listen(u, "a", time.Minute); own || !errors.Is(err, response.ErrGone) {
			t.Errorf("%s is leased: %t, %v", name, own, err)
		}
		if err := in.save(u, said); !errors.Is(err, response.ErrGone) {
			t.Errorf("%s is kept: %v", name, err)
		}
	}
	late("a take that was thrown away", thrown)
	if left() != 1 {
		t.Fatalf("%d transcripts, want one", left())
	}
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(ctx, in.r); return err })
	late("a response that is being deleted", kept)
	if left() > 0 {
		t.Error("the transcript is left")
	}
}

// Transcribed words stand for the text of an answer that was given by a recording alone.
func TestTranscribeTurn(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx, view := t.Context(), in.sc.Store.View()
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		for seq, turn := range []interview.Turn{
			{StepID: "s0", Kind: interview.TurnAnswer, Answer: interview.Answer{Recordings: interview.Recordings{Audio: "u"}}},
			{StepID: "s1", Kind: interview.TurnProbe, Probe: "Why?"},
			{StepID: "s2", Kind: interview.TurnReply, Answer: interview.Answer{Text: "Typed."}},
		} {
			turn.At = tx.Now()
			if err := tx.AppendTurn(ctx, in.r.ID, seq, turn); err != nil {
				return err
			}
		}
		return nil
	})
	if at, err := view.TranscribedAt(ctx, in.r.ID); !at.IsZero() || err != nil {
		t.Errorf("before: %v, %v", at, err)
	}
	var at time.Time
	for _, words := range []string{"I like apples.", "Something else."} {
		storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
			next, err := tx.NextUpdate(ctx, in.r.StudyID)
			if at.IsZero() {
				at = next
			}
			return errors.Join(err, tx.TranscribeTurn(ctx, in.r.ID, "s0", words, next), tx.TranscribeTurn(ctx, in.r.ID, "s1", words, next))
		})
	}
	turns, err := view.Turns(ctx, in.r.ID)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, turn := range turns {
		texts = append(texts, turn.Answer.Text)
	}
	if diff := cmp.Diff([]string{"I like apples.", "", "Typed."}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	transcribed, err := view.TranscribedAt(ctx, in.r.ID)
	r, readErr := view.AnyResponse(ctx, in.r.ID)
	if !transcribed.Equal(at) || !r.UpdatedAt.Equal(at) || err != nil || readErr != nil {
		t.Errorf("transcribed at %v, updated at %v, want %v; %v, %v", transcribed, r.UpdatedAt, at, err, readErr)
	}
}

// A recording that needs a transcript is transcribed once all of it has arrived.
func TestRecordingsAreTranscribed(t *testing.T) {
	t.Parallel()
	in := newIntake(t)
	ctx := t.Context()
	voice, film := in.begin(recording.Audio, "s1"), in.grown(in.begin(recording.Video, "s2"), 5, true)
	storetest.Write(t, in.sc.Store, func(tx *store.Tx) error {
		return errors.Join(tx.UseUpload(ctx, in.r.ID, "s1", recording.Audio, voice.ID), tx.UseUpload(ctx, in.r.ID, "s2", recording.Video, film.ID),
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s1", Kind: recording.Audio, Transcribe: true}),
			tx.AddRecording(ctx, recording.Recording{OrgID: in.r.OrgID, ResponseID: in.r.ID, StepID: "s2", Kind: recording.Video}))
	})
	if got := in.queue(); len(got) != 1 || got[0].Transcribe {
		t.Errorf("while it is under way: %+v", got)
	}
	in.grown(voice, 5, true)
	if all, got := in.recordings(), in.queue(); len(got) != 1 || got[0].ID != all[0].ID || !got[0].Transcribe || all[1].Transcribe {
		t.Errorf("to be transcribed: %+v of %+v", got, all)
	}
}
