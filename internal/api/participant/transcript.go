package participant

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/service/transcription"
)

// Transcription returns the transcripts of uploads; *transcription.Service implements it.
type Transcription interface {
	Transcribe(ctx context.Context, responseID, uploadID string) (transcription.Status, transcript.Transcript, error)
}

type (
	transcriptBody struct {
		Status   string            `json:"status"` // heard, silent or none
		Text     string            `json:"text"`
		Words    []transcribedWord `json:"words"`
		Language *string           `json:"language"`
	}
	transcribedWord struct {
		Text       string   `json:"text"`
		Start      float64  `json:"start"` // seconds
		End        float64  `json:"end"`
		Confidence *float64 `json:"confidence"`
		Low        bool     `json:"low"`
	}
)

// transcript returns the transcript of an upload. It waits until the upload is transcribed. If the client leaves meanwhile, the
// transcription continues, and a later request returns it.
func (a *API) transcript(w http.ResponseWriter, r *http.Request) error {
	resp, err := a.Fieldwork.ResponseByToken(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if a.Transcription == nil || uuid.Validate(id) != nil {
		return recording.ErrNotFound
	}
	status, recognized, err := a.Transcription.Transcribe(context.WithoutCancel(r.Context()), resp.ID, id)
	if err != nil {
		return err
	}
	body := transcriptBody{Status: string(status), Text: recognized.Text, Words: []transcribedWord{}, Language: orNull(recognized.Language)}
	for _, word := range recognized.Words {
		shown := transcribedWord{Text: word.Text, Start: inSeconds(word.Start), End: inSeconds(word.End), Low: word.IsLow()}
		if word.Confidence != transcript.Unknown {
			shown.Confidence = new(math.Round(word.Confidence*1000) / 1000)
		}
		body.Words = append(body.Words, shown)
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, r, http.StatusOK, body)
}

func inSeconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
