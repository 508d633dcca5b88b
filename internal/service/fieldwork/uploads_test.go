package fieldwork_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// fileGuide returns a guide that asks for files, then for text.
func fileGuide() *guide.Guide {
	return &guide.Guide{Title: "Album", Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "photos", Type: guide.FileUpload, Text: "Your photos?"},
		{ID: "why", Type: guide.OpenEnded, Text: "Why these?", FollowUp: guide.FollowUpNone},
	}}}}
}

// upload creates an upload of a response for a step.
func (f *fixture) upload(r response.Response, kind recording.Kind, stepID, name string) (u recording.Upload) {
	f.t.Helper()
	storetest.Write(f.t, f.Store, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(f.t.Context(), recording.Upload{ResponseID: r.ID, Kind: kind, StepID: stepID, Name: name, Size: 10}, recording.Defaults)
		return err
	})
	return u
}

func (f *fixture) used(u recording.Upload) bool {
	f.t.Helper()
	u, err := f.Store.View().Upload(f.t.Context(), u.ResponseID, u.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return u.Used
}

func TestAnswersNameUploads(t *testing.T) {
	t.Parallel()
	f := setup(t, fileGuide(), wallet.Credit)
	token, at := f.start("")
	first := f.upload(at.Response, recording.File, at.Step.ID, "cat.png")
	second, unnamed := f.upload(at.Response, recording.File, at.Step.ID, "Hund; 2.jpg"), f.upload(at.Response, recording.File, at.Step.ID, "x")
	at = f.answer(token, at, interview.Answer{Uploads: []string{second.ID, first.ID}, FileNames: []string{"made up"}})
	if !f.used(first) || !f.used(second) || f.used(unnamed) {
		t.Error("the uploads that the answer names are marked, and no others")
	}
	voice := f.upload(at.Response, recording.Audio, at.Step.ID, "a")
	at = f.answer(token, at, interview.Answer{Recordings: interview.Recordings{Audio: voice.ID}})
	if at.Step.Kind != interview.StepComplete || !f.used(voice) {
		t.Errorf("stands at %s; the voice is used: %t", at.Step.Kind, f.used(voice))
	}
	var texts []string
	for _, a := range f.item(at.Response).AnswersArray {
		texts = append(texts, a.Answer)
	}
	if diff := cmp.Diff([]string{"Hund; 2.jpg; cat.png", ""}, texts); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if turns := f.turns(at.Response); turns[0].Answer.FileNames[1] != "cat.png" {
		t.Errorf("stored %+v", turns[0].Answer)
	}
}

func TestUploadsThatAnAnswerMustNotName(t *testing.T) {
	t.Parallel()
	f := setup(t, fileGuide(), 2*wallet.Credit)
	token, at := f.start("")
	_, other := f.start("")
	ended := f.upload(at.Response, recording.File, at.Step.ID, "gone.png")
	storetest.Write(t, f.Store, func(tx *store.Tx) error { return tx.EndUpload(t.Context(), at.Response.ID, ended.ID) })
	for name, id := range map[string]string{
		"of nobody": "\x00", "of another interview": f.upload(other.Response, recording.File, at.Step.ID, "x").ID,
		"of another step": f.upload(at.Response, recording.File, "s1", "x").ID, "of another kind": f.upload(at.Response, recording.Audio, at.Step.ID, "x").ID,
		"that has ended": ended.ID,
	} {
		good := f.upload(at.Response, recording.File, at.Step.ID, "y")
		_, err := f.Answer(t.Context(), token, at.Step.ID, interview.Answer{Uploads: []string{good.ID, id}})
		wrong, ok := errors.AsType[*interview.AnswerError](err)
		if !ok || len(wrong.Issues) != 1 || strings.Join(wrong.Issues[0].Path, ".") != "uploads.1" {
			t.Errorf("an upload %s: error is %v, want one issue", name, err)
		}
		if f.used(good) {
			t.Errorf("an upload %s: the refused answer uses the other one", name)
		}
	}
	if turns := f.turns(at.Response); len(turns) != 0 {
		t.Errorf("stored %v", turns)
	}
}

func TestResponseByToken(t *testing.T) {
	t.Parallel()
	f := setup(t, fileGuide(), wallet.Credit)
	token, at := f.start("")
	r, err := f.ResponseByToken(t.Context(), token)
	if diff := cmp.Diff(at.Response, r); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, wrong := range []string{"", "x", strings.Repeat("a", 42)} {
		_, err := f.ResponseByToken(t.Context(), wrong)
		mustFail(t, err, response.ErrNotFound)
	}
	if err := f.Withdraw(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	_, err = f.ResponseByToken(t.Context(), token)
	mustFail(t, err, response.ErrGone)
}

// TestAnswersBringRecordings: a recording belongs to its answer's row of the transcript, and is transcoded once it has arrived.
func TestAnswersBringRecordings(t *testing.T) {
	t.Parallel()
	g := fileGuide()
	g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: "bye", Type: guide.OpenEnded, Text: "More?", FollowUp: guide.FollowUpNone})
	f := setup(t, g, wallet.Credit)
	token, at := f.start("")
	photo := f.upload(at.Response, recording.File, at.Step.ID, "cat.png")
	at = f.answer(token, at, interview.Answer{Uploads: []string{photo.ID}})
	steps := []string{at.Step.ID}
	voice, screen := f.upload(at.Response, recording.Audio, at.Step.ID, "a"), f.upload(at.Response, recording.ScreenVideo, at.Step.ID, "s")
	at = f.answer(token, at, interview.Answer{Recordings: interview.Recordings{Audio: voice.ID, ScreenVideo: screen.ID}})
	steps = append(steps, at.Step.ID)
	camera := f.upload(at.Response, recording.Video, at.Step.ID, "v")
	f.answer(token, at, interview.Answer{Recordings: interview.Recordings{Video: camera.ID}})
	type recorded struct {
		Step  string
		Kind  recording.Kind
		Row   int
		Stage recording.Stage
	}
	read := func() (got []recorded) {
		all, err := f.Store.View().Recordings(t.Context(), at.Response.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			got = append(got, recorded{c.StepID, c.Kind, c.Row, c.Stage})
		}
		return got
	}
	want := []recorded{
		{steps[0], recording.Audio, 2, recording.Waiting},
		{steps[0], recording.ScreenVideo, 2, recording.Waiting},
		{steps[1], recording.Video, 3, recording.Waiting},
	}
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Errorf("recordings (-want +got):\n%s", diff)
	}
	is := voice
	is.Received, is.Parts, is.State, is.MediaType = is.Size, 1, recording.Complete, "audio/webm"
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		return errors.Join(tx.AppendUpload(t.Context(), voice, is, recording.Part{Name: "p", Size: is.Size}, recording.Defaults),
			jobs.EnqueueRecordings(t.Context(), tx, at.Response.ID))
	})
	want[0].Stage = recording.Queued
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Errorf("when one has arrived (-want +got):\n%s", diff)
	}
	if got := f.jobs()[jobs.KindTranscode]; len(got) != 1 || got[0].ResponseID != at.Response.ID {
		t.Errorf("jobs: %+v", got)
	}
}

// TestSpokenAnswersAreTranscribed: the voice of an answer is transcribed, unless the participant typed, or the question takes
// no text.
func TestSpokenAnswersAreTranscribed(t *testing.T) {
	t.Parallel()
	type given struct {
		text  string
		kinds []recording.Kind
	}
	for name, tt := range map[string]struct {
		given
		want recording.Kind // empty: nothing is transcribed
	}{
		"a voice":            {given{"", []recording.Kind{recording.Audio}}, recording.Audio},
		"a voice and blanks": {given{" \n", []recording.Kind{recording.Audio}}, recording.Audio},
		"a camera":           {given{"", []recording.Kind{recording.Video, recording.ScreenVideo}}, recording.Video},
		"both":               {given{"", []recording.Kind{recording.Audio, recording.Video}}, recording.Audio},
		"a screen":           {given{"", []recording.Kind{recording.ScreenVideo}}, ""},
		"words":              {given{"Typed.", []recording.Kind{recording.Audio}}, ""},
		"a choice":           {given{"choice", []recording.Kind{recording.Audio}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := guide.Item{ID: "q", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone}
			answer := interview.Answer{Text: tt.text}
			if tt.text == "choice" {
				item = guide.Item{ID: "q", Type: guide.MultipleChoice, Text: "Which?", Options: []guide.Option{{ID: "a", Text: "A"}}}
				answer = interview.Answer{Selected: []string{"a"}}
			}
			f := setup(t, &guide.Guide{Title: "T", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{item}}}}, wallet.Credit)
			token, at := f.start("")
			for _, kind := range tt.kinds {
				id := f.upload(at.Response, kind, at.Step.ID, "a").ID
				switch kind {
				case recording.Audio:
					answer.Recordings.Audio = id
				case recording.Video:
					answer.Recordings.Video = id
				default:
					answer.Recordings.ScreenVideo = id
				}
			}
			f.answer(token, at, answer)
			all, err := f.Store.View().Recordings(t.Context(), at.Response.ID)
			if err != nil || len(all) != len(tt.kinds) {
				t.Fatalf("%+v, %v", all, err)
			}
			for _, c := range all {
				if c.Transcribe != (c.Kind == tt.want) {
					t.Errorf("%s is transcribed: %t", c.Kind, c.Transcribe)
				}
			}
		})
	}
}

// TestTranscriptArrivesWhileAnswering: if the transcript of an earlier answer is stored while a later answer is being
// submitted, the documents contain both.
func TestTranscriptArrivesWhileAnswering(t *testing.T) {
	t.Parallel()
	g := &guide.Guide{Title: "T", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "first", Type: guide.OpenEnded, Text: "First?", FollowUp: guide.FollowUpNone},
		{ID: "second", Type: guide.OpenEnded, Text: "Second?", FollowUp: guide.FollowUpLight},
	}}}}
	f := setup(t, g, wallet.Credit)
	token, at := f.start("")
	first := at.Step.ID
	voice := f.upload(at.Response, recording.Audio, first, "a")
	at = f.answer(token, at, interview.Answer{Recordings: interview.Recordings{Audio: voice.ID}})
	f.moderator.asked, f.moderator.wait = make(chan struct{}, 9), make(chan struct{})
	ended := make(chan error)
	go func() {
		_, err := f.Answer(t.Context(), token, at.Step.ID, interview.Answer{Text: "Typed."})
		ended <- err
	}()
	<-f.moderator.asked // the answer is stored, and the session that will store the end has read the log
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		next, err := tx.NextUpdate(t.Context(), f.study.ID)
		return errors.Join(err, tx.TranscribeTurn(t.Context(), at.Response.ID, first, "Spoken.", next))
	})
	close(f.moderator.wait)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	item := f.item(at.Response)
	if item.Progress != string(response.Complete) || item.AnswersArray[0].Answer != "Spoken." || item.AnswersArray[1].Answer != "Typed." {
		t.Errorf("%+v", item)
	}
}
