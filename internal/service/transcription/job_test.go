package transcription_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/speech/speechtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// answer answers the only question as fieldwork does, with a text or "", and with uploads of sound. It returns the
// transcription job.
func (b *fixture) answer(text string, uploads ...recording.Upload) (job store.Job) {
	b.t.Helper()
	ctx := b.t.Context()
	state := interview.NewPlan(b.guide()).Begin(b.r.Seed, b.r.URLParams)
	storetest.Write(b.t, b.sc.Store, func(tx *store.Tx) error {
		turn, err := state.Apply(interview.Submit{StepID: "s0", Answer: interview.Answer{Text: text, Recordings: interview.Recordings{Audio: uploads[0].ID}}}, tx.Now())
		if err != nil {
			return err
		}
		r, err := tx.LockResponse(ctx, b.r.ID)
		if err != nil {
			return err
		}
		if r.UpdatedAt, err = tx.NextUpdate(ctx, r.StudyID); err != nil {
			return err
		}
		return errors.Join(
			tx.AppendTurn(ctx, r.ID, 0, turn), tx.UseUpload(ctx, r.ID, "s0", recording.Audio, uploads[0].ID),
			tx.AddRecording(ctx, recording.Recording{OrgID: r.OrgID, ResponseID: r.ID, StepID: "s0", Kind: recording.Audio, Row: 1, Transcribe: true}),
			jobs.EnqueueRecordings(ctx, tx, r.ID), tx.SaveProgress(ctx, r, tx.Now()),
			tx.PutDocument(ctx, document.Source{Response: r, Guide: b.guide(), Answers: state.Answers(), Exchanges: state.Exchanges()}))
	})
	claimed := b.jobs(jobs.KindTranscribe)
	if len(claimed) != 1 {
		b.t.Fatalf("the jobs are %+v", claimed)
	}
	return claimed[0]
}

// jobs claims the jobs in the queue of a kind.
func (b *fixture) jobs(kind string) (claimed []store.Job) {
	b.t.Helper()
	storetest.Write(b.t, b.sc.Store, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimJobs(b.t.Context(), store.Queue{Name: jobs.QueueOf(kind)}, 10, time.Minute)
		return err
	})
	return claimed
}

func (b *fixture) guide() *guide.Guide {
	b.t.Helper()
	g, err := guide.Decode(storetest.Guide(), guide.Options{Stored: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return g
}

// documents returns the stored list item and single response.
func (b *fixture) documents() store.Item {
	b.t.Helper()
	it, err := b.sc.Store.View().ItemByResponse(b.t.Context(), b.r.StudyID, b.r.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return it
}

// wantText checks that all documents and the log have the text, and that the response was updated together with them.
func (b *fixture) wantText(text string) {
	b.t.Helper()
	it := b.documents()
	for name, document := range map[string][]byte{"list item": it.List, "single response": it.Single} {
		if !strings.Contains(string(document), text) {
			b.t.Errorf("the %s does not say %q: %s", name, text, document)
		}
	}
	turns, err := b.sc.Store.View().Turns(b.t.Context(), b.r.ID)
	if err != nil || turns[0].Answer.Text != text {
		b.t.Errorf("the log has %+v, %v", turns, err)
	}
	if _, err := interview.NewPlan(b.guide()).Replay(b.r.Seed, b.r.URLParams, turns); err != nil {
		b.t.Errorf("the log is no interview: %v", err)
	}
	if r, err := b.sc.Store.View().AnyResponse(b.t.Context(), b.r.ID); err != nil || !r.UpdatedAt.Equal(it.UpdatedAt) {
		b.t.Errorf("the response is of %v, its documents of %v, %v", r.UpdatedAt, it.UpdatedAt, err)
	}
}

// TestRun: a spoken answer's transcript becomes its text in every document, once, from all sessions of the recorder.
func TestRun(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("I like apples.", time.Second/2), speechtest.Says("And pears.", time.Second/2))
	first, second := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0), b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	b.upload(recording.Audio, "s7", recorderFile(t, voice), 0)
	job := b.answer("", first, second)
	before := b.documents().UpdatedAt
	for range 2 {
		if err := b.service.Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		b.wantText("I like apples. And pears.")
	}
	if !b.documents().UpdatedAt.After(before) || len(b.provider.Asked()) != 2 {
		t.Errorf("updated at %v, before at %v; asked %d times", b.documents().UpdatedAt, before, len(b.provider.Asked()))
	}
	for _, kind := range jobs.Kinds() {
		if left := b.jobs(kind.Name); len(left) > 0 && kind.Name != jobs.KindTranscode {
			t.Errorf("jobs: %+v; nothing was analysed yet", left)
		}
	}
}

// TestChangedMeanwhile: a response that changes while its transcript is stored is loaded again.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("I like apples.", time.Second/2))
	u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	job := b.answer("", u)
	b.transcribe(u)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := b.node().Run(t.Context(), job); err != nil {
				t.Errorf("Run = %v", err)
			}
		})
	}
	all.Wait()
	b.wantText("I like apples.")
}

// TestTypedTextStays: typed text is never replaced.
func TestTypedTextStays(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("I like apples.", time.Second/2))
	job := b.answer("I typed this.", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
	if err := b.service.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	b.wantText("I typed this.")
}

// TestAnalysedBefore: an analysis written without the transcript is enqueued again, and stays until then.
func TestAnalysedBefore(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("I like apples.", time.Second/2))
	job := b.answer("", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
	storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
		return tx.SaveAnalysis(t.Context(), b.r.ID, response.Analysis{Summary: "Nothing was said.", CompletedAt: tx.Now()})
	})
	if err := b.service.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	b.wantText("I like apples.")
	if it := b.documents(); !it.Analysed || !strings.Contains(string(it.List), "Nothing was said.") {
		t.Errorf("the analysis is gone: %s", it.List)
	}
	if claimed := b.jobs(jobs.KindAnalyse); len(claimed) != 1 || claimed[0].Args != b.r.ID || claimed[0].ResponseID != b.r.ID {
		t.Errorf("jobs: %+v", claimed)
	}
}

// TestRunInTrouble: errors of the provider are retried; if transcription is unavailable, or nothing is said, the answer is
// unchanged.
func TestRunInTrouble(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply  http.HandlerFunc
		breaks func(*fixture)
		want   error
	}{
		"the provider is down": {speechtest.Fails(503, "3600"), nil, speech.ErrBusy},
		"the key is wrong":     {speechtest.Fails(401, ""), nil, speech.ErrRefused},
		"no provider":          {nil, func(b *fixture) { b.service.Provider = nil }, nil},
		"nothing is said":      {speechtest.Body(200, `{"text": ""}`), nil, nil},
		"deleted": {nil, func(b *fixture) {
			storetest.Write(t, b.sc.Store, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), b.r); return err })
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newFixture(t)
			if tt.reply != nil {
				b.provider.Then(tt.reply)
			}
			job := b.answer("", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
			if tt.breaks != nil {
				tt.breaks(b)
			}
			if err := b.service.Run(t.Context(), job); !errors.Is(err, tt.want) {
				t.Errorf("Run = %v, want %v", err, tt.want)
			}
			if name == "deleted" {
				return
			}
			b.wantText("")
			b.service = b.node()
			b.provider.Then(speechtest.Says("Late, but transcribed.", time.Second/2))
			if err := b.service.Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			if name == "nothing is said" { // an empty transcript is kept, too
				b.wantText("")
				return
			}
			b.wantText("Late, but transcribed.")
		})
	}
	b := newFixture(t)
	job := b.answer("", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
	b.service.Objects = brokenObjects{}
	if err := b.service.Run(t.Context(), job); err == nil {
		t.Error("without objects the job is not tried again")
	}
	if err := b.service.Run(t.Context(), store.Job{Args: store.NewID()}); err != nil {
		t.Errorf("a recording that is gone: %v", err)
	}
}
