package participant

import (
	"bytes"
	"errors"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/strictjson"
)

func (a *API) landing(w http.ResponseWriter, r *http.Request) error {
	landing, err := a.Fieldwork.Visit(r.Context(), r.PathValue("linkId"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	language := ChosenLanguage(landing, r)
	w.Header().Add("Vary", "Accept-Language")
	if landing, err = a.Fieldwork.Localize(r.Context(), landing, language); err != nil {
		return err
	}
	if err := a.Fieldwork.Admits(r.Context(), landing, r.URL.RawQuery); err != nil {
		return err
	}
	brand, err := a.Fieldwork.Brand(r.Context(), landing.OrgID)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, r, http.StatusOK, LandingOf(landing, brand, language))
}

// start reads the body only if the link exists.
func (a *API) start(w http.ResponseWriter, r *http.Request) error {
	landing, err := a.Fieldwork.Visit(r.Context(), r.PathValue("linkId"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	body, err := httpx.ReadSmallBody(w, r)
	if err != nil {
		return err
	}
	var language string
	var given Given
	if len(bytes.TrimSpace(body)) > 0 {
		if err := strictjson.Decode(body, func(o *strictjson.Object) {
			language = o.Text("language", strictjson.Nullable)
			given.Version = o.Text("consent", strictjson.Nullable)
			given.Age = oldEnough(o)
		}); err != nil {
			return err
		}
	}
	if err := a.CheckDevice(r); err != nil {
		return err
	}
	start := StartRequest(r, language, r.Header.Get("Idempotency-Key"))
	if start.Consent, err = a.Consented(r.Context(), landing, language, given); err != nil {
		return err
	}
	token, view, err := a.Fieldwork.Begin(r.Context(), start)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/i/"+token)
	return httpx.WriteJSON(w, r, http.StatusCreated, startedBody{Token: token, Step: StepOf(view)})
}

func (a *API) current(w http.ResponseWriter, r *http.Request) error {
	view, err := a.Fieldwork.Current(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	due, err := a.ConsentDue(r.Context(), view)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, r, http.StatusOK, standingBody{StepOf(view), AnsweredOf(view), !view.Unfunded, due})
}

// answer reads the body only if the interview exists.
func (a *API) answer(w http.ResponseWriter, r *http.Request) error {
	if err := a.Fieldwork.Prepare(r.Context(), r.PathValue("token")); err != nil {
		return err
	}
	body, err := httpx.ReadSmallBody(w, r)
	if err != nil {
		return err
	}
	stepID, answer, err := decodeAnswer(body)
	if err != nil && !a.isRepeat(r, stepID, err) {
		return err
	}
	view, err := a.Fieldwork.Answer(r.Context(), r.PathValue("token"), stepID, answer)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, r, http.StatusOK, takenBody{StepOf(view), AnsweredOf(view), !view.Superseded})
}

// isRepeat reports whether an invalid body is for a step that was answered before. The first answer to a step stands, whatever a
// repeated request holds.
func (a *API) isRepeat(r *http.Request, stepID string, err error) bool {
	if _, schema := errors.AsType[*strictjson.SchemaError](err); !schema || stepID == "" {
		return false
	}
	view, err := a.Fieldwork.Current(r.Context(), r.PathValue("token"))
	return err == nil && view.Step.ID != stepID
}

func (a *API) withdraw(w http.ResponseWriter, r *http.Request) error {
	goodbye, err := a.Fieldwork.Withdraw(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	if goodbye.URL != "" {
		return httpx.WriteJSON(w, r, http.StatusOK, withdrawnBody{goodbye.URL})
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// maxCounted is the maximum of each number in an answer's telemetry.
const maxCounted = 1_000_000

// decodeAnswer reads the body of an answer.
func decodeAnswer(body []byte) (stepID string, a interview.Answer, err error) {
	err = strictjson.Decode(body, func(o *strictjson.Object) { stepID, a = ReadAnswer(o) })
	return stepID, a, err
}

// ReadAnswer reads an answer and the id of its step. A key that is null counts as missing.
func ReadAnswer(o *strictjson.Object) (stepID string, a interview.Answer) {
	stepID = o.NonEmpty("stepId", strictjson.Required)
	a.Text = o.Text("text", strictjson.Nullable)
	a.Selected = o.Texts("selected", strictjson.Nullable, 0)
	a.CustomText = o.Text("customText", strictjson.Nullable)
	a.Ranking = o.Texts("ranking", strictjson.Nullable, 0)
	a.Cells = o.TextMap("cells", strictjson.Nullable)
	a.Best = o.Text("best", strictjson.Nullable)
	a.Worst = o.Text("worst", strictjson.Nullable)
	a.Uploads = o.Texts("uploads", strictjson.Nullable, 0)
	o.Object("recordings", strictjson.Nullable, func(o *strictjson.Object) {
		a.Recordings.Audio = o.Text("audio", strictjson.Nullable)
		a.Recordings.Video = o.Text("video", strictjson.Nullable)
		a.Recordings.ScreenVideo = o.Text("screenVideo", strictjson.Nullable)
	})
	var t interview.Telemetry
	if o.Object("telemetry", strictjson.Nullable, func(o *strictjson.Object) {
		t.Pasted = o.Int("pasted", strictjson.Nullable, 0, maxCounted)
		t.Typed = o.Int("typed", strictjson.Nullable, 0, maxCounted)
		t.Seconds = o.Int("seconds", strictjson.Nullable, 0, maxCounted)
		t.Blurs = o.Int("blurs", strictjson.Nullable, 0, maxCounted)
	}) {
		a.Telemetry = &t
	}
	return stepID, a
}
