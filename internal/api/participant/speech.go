package participant

import (
	"context"
	"net/http"
	"strconv"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/service/speaking"
)

// Speech reads the moderator's words aloud; *speaking.Service implements it.
type Speech interface {
	Speak(ctx context.Context, g *guide.Guide, at interview.Step) (speaking.Sound, error)
}

// speech returns the words of the current step as sound.
func (a *API) speech(w http.ResponseWriter, r *http.Request) error {
	view, err := a.Fieldwork.Current(r.Context(), r.PathValue("token"))
	switch {
	case err != nil:
		return err
	case view.Step.ID != r.PathValue("stepId"):
		return interview.ErrStaleStep
	case a.Speech == nil || view.Preview:
		return speaking.ErrUnavailable
	}
	sound, err := a.Speech.Speak(r.Context(), view.Guide, view.Step)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", sound.Type)
	header.Set("Content-Length", strconv.Itoa(len(sound.Audio)))
	header.Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(sound.Audio) // fails when the client is gone, which needs no handling
	return nil
}
