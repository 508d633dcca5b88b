package participant_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/speaking"
)

// fakeSpeech reads aloud, or fails with an error.
type fakeSpeech struct {
	err    error
	spoken []string
}

func (f *fakeSpeech) Speak(_ context.Context, _ *guide.Guide, at interview.Step) (speaking.Sound, error) {
	f.spoken = append(f.spoken, at.Words)
	return speaking.Sound{Audio: []byte("ID3 sound"), Type: "audio/mpeg"}, f.err
}

// TestSpeech: only the words of the current step are read aloud, and every answer is documented.
func TestSpeech(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	reader := &fakeSpeech{}
	api := newAPI(t, s, func(a *participant.API) { a.Speech = reader })
	h := &testAPI{participanttest.New(t, s, 100*wallet.Credit, api.Register, participanttest.Contract(t))}
	token, step := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
	id := step["stepId"].(string)
	answer, err := http.Get(h.URL + "/i/" + token + "/steps/" + id + "/speech")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	sound, err := io.ReadAll(answer.Body)
	if string(sound) != "ID3 sound" || err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "audio/mpeg" {
		t.Errorf("%d, %v, %q", answer.StatusCode, answer.Header, sound)
	}
	if len(reader.spoken) != 1 || reader.spoken[0] != step["moderator"] {
		t.Errorf("spoken: %q", reader.spoken)
	}
	for _, tt := range []struct {
		token, step string
		err         error
		status      int
		code        string
	}{
		{token, id, speaking.ErrUnavailable, 404, "speech_unavailable"},
		{token, id, speaking.ErrFailed, 503, "speech_failed"},
		{token, "none", nil, 409, "stale_step"},
		{token + "x", id, nil, 404, "interview_not_found"},
	} {
		reader.err = tt.err
		if status, answer, _ := h.Call("GET", "/i/"+tt.token+"/steps/"+tt.step+"/speech", nil); status != tt.status || answer["code"] != tt.code {
			t.Errorf("%s: %d %v, want %d %s", tt.code, status, answer, tt.status, tt.code)
		}
	}
	if len(reader.spoken) != 3 {
		t.Errorf("spoken: %q", reader.spoken)
	}
}
