package participant_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/transcription"
)

// fakeTranscription returns the transcript that a test sets.
type fakeTranscription struct {
	status transcription.Status
	result transcript.Transcript
	err    error
	asked  [][2]string
	left   bool // its context could be canceled by the client
}

func (l *fakeTranscription) Transcribe(ctx context.Context, responseID, uploadID string) (transcription.Status, transcript.Transcript, error) {
	l.asked = append(l.asked, [2]string{responseID, uploadID})
	l.left = ctx.Done() != nil
	return l.status, l.result, l.err
}

// newTranscriptAPI returns a testAPI with a Transcription, whose responses are checked against the contract.
func newTranscriptAPI(t *testing.T, transcriber participant.Transcription) *testAPI {
	t.Helper()
	s := storetest.New(t)
	api := newAPI(t, s, func(a *participant.API) { a.Transcription = transcriber })
	return &testAPI{participanttest.New(t, s, 100*wallet.Credit, api.Register, participanttest.Contract(t))}
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	transcriber := &fakeTranscription{status: transcription.Transcribed, result: transcript.Transcript{
		Text: "So, <b>apples</b>.", Language: "en", Words: []transcript.Word{
			{Text: "So", Start: 20 * ms, End: 345 * ms, Confidence: 0.93333},
			{Text: "<b>apples</b>", Start: 345 * ms, End: time.Second, Confidence: 0.2},
			{Text: "well", Start: 61 * time.Second, End: 62 * time.Second, Confidence: transcript.Unknown},
		},
	}}
	h := newTranscriptAPI(t, transcriber)
	token, _ := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
	id := store.NewID()
	ask := func() (int, object) {
		t.Helper()
		status, answer, _ := h.Call("POST", "/i/"+token+"/uploads/"+id+"/transcript", nil)
		return status, answer
	}
	status, answer := ask()
	want := object{
		"status": "heard", "text": "So, <b>apples</b>.", "language": "en", "words": []any{
			map[string]any{"text": "So", "start": 0.02, "end": 0.345, "confidence": 0.933, "low": false},
			map[string]any{"text": "<b>apples</b>", "start": 0.345, "end": 1.0, "confidence": 0.2, "low": true},
			map[string]any{"text": "well", "start": 61.0, "end": 62.0, "confidence": nil, "low": false},
		},
	}
	if diff := cmp.Diff(want, answer); diff != "" || status != http.StatusOK {
		t.Errorf("%d (-want +got):\n%s", status, diff)
	}
	if len(transcriber.asked) != 1 || transcriber.asked[0][1] != id || transcriber.asked[0][0] == "" || transcriber.left {
		t.Errorf("transcribed %v; canceled with the request: %t", transcriber.asked, transcriber.left)
	}
	for _, empty := range []transcription.Status{transcription.Silent, transcription.None} {
		transcriber.status, transcriber.result = empty, transcript.Transcript{}
		status, answer := ask()
		if diff := cmp.Diff(object{"status": string(empty), "text": "", "words": []any{}, "language": nil}, answer); diff != "" || status != http.StatusOK {
			t.Errorf("%s: %d (-want +got):\n%s", empty, status, diff)
		}
	}
}

func TestTranscriptErrors(t *testing.T) {
	t.Parallel()
	transcriber := &fakeTranscription{}
	h := newTranscriptAPI(t, transcriber)
	link := h.Launch(participanttest.FileGuide(), h.Wallet).LinkID
	token, _ := h.Begin(link, "")
	withdrawn, _ := h.Begin(link, "")
	if status, _, _ := h.Call("POST", "/i/"+withdrawn+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	id := store.NewID()
	for _, tt := range []struct {
		method, token, id string
		err               error
		status            int
		code              string
	}{
		{"POST", token, id, recording.ErrNotFound, 404, "upload_not_found"},
		{"POST", token, "none", nil, 404, "upload_not_found"},
		{"POST", token, id, recording.ErrIncomplete, 409, "upload_incomplete"},
		{"POST", token, id, recording.ErrGone, 410, "upload_gone"},
		{"POST", token, id, response.ErrGone, 410, "interview_gone"},
		{"POST", token, id, outage.ErrBusy, 503, "busy"},
		{"POST", withdrawn, id, nil, 410, "interview_gone"},
		{"POST", strings.Repeat("a", 42), id, nil, 404, "interview_not_found"},
		{"GET", token, id, nil, 405, "method_not_allowed"},
	} {
		transcriber.err = tt.err
		status, answer, _ := h.Call(tt.method, "/i/"+tt.token+"/uploads/"+tt.id+"/transcript", nil)
		if status != tt.status || answer["code"] != tt.code {
			t.Errorf("%s with %v: %d %v, want %d %s", tt.method, tt.err, status, answer, tt.status, tt.code)
		}
	}
	if len(transcriber.asked) != 5 {
		t.Errorf("asked %d times: an unknown interview or an invalid id was transcribed", len(transcriber.asked))
	}
	without := newTranscriptAPI(t, nil)
	other, _ := without.Begin(without.Launch(participanttest.FileGuide(), without.Wallet).LinkID, "")
	if status, answer, _ := without.Call("POST", "/i/"+other+"/uploads/"+id+"/transcript", nil); status != 404 || answer["code"] != "upload_not_found" {
		t.Errorf("without a Transcription: %d %v", status, answer)
	}
}
