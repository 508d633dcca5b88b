package pages

import (
	"errors"
	"net/http"
	"net/url"

	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

// landingPage shows the welcome, discloses that an AI moderates, and asks for consent. An old link id redirects to the current one.
func (a *API) landingPage(w http.ResponseWriter, r *http.Request) error {
	landing, err := a.Protocol.Fieldwork.Visit(r.Context(), r.PathValue("linkId"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	if landing.LinkID != r.PathValue("linkId") {
		to := url.URL{Path: "/s/" + landing.LinkID, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusFound)
		return nil
	}
	allowFraming(w, landing.Guide)
	w.Header().Add("Vary", "Accept-Language")
	if err := a.Protocol.Fieldwork.CheckLink(r.Context(), landing.LinkID, r.URL.RawQuery); err != nil {
		return err
	}
	language := participant.ChosenLanguage(landing, r)
	if landing, err = a.Protocol.Fieldwork.Localize(r.Context(), landing, language); err != nil {
		return err
	}
	refusal := a.Protocol.Fieldwork.Admits(r.Context(), landing, r.URL.RawQuery)
	if refusal == nil && !landing.AcceptsParticipants {
		refusal = fieldwork.ErrNotTakingParticipants
	}
	brand, err := a.Protocol.Fieldwork.Brand(r.Context(), landing.OrgID)
	if err != nil {
		return err
	}
	p := newLandingPage(landing, brand, language, r)
	link := url.URL{Path: "/s/" + landing.LinkID, RawQuery: p.Bootstrap.Query}
	p.Link = a.Protocol.BaseURL + link.String()
	p.Bootstrap.Device.Link = p.Link
	if refusal != nil {
		return a.closedPage(w, r, p, refusal)
	}
	p.LinkPreview = newLinkPreview(p, a.Protocol.BaseURL, landing.LinkID)
	return a.writePage(r.Context(), w, http.StatusOK, p)
}

// closedPage writes the page for a study that takes nobody now. The app offers to continue one that was begun in this browser.
func (a *API) closedPage(w http.ResponseWriter, r *http.Request, p page, refusal error) error {
	answer, known := participant.Errors.Translate(participant.HTTPError(refusal))
	if !known || answer.Status != http.StatusConflict {
		return refusal
	}
	notice := a.noticeOf(r, answer, refusal)
	p.Body, p.Title, p.Heading, p.Text, p.Exit = "notice", notice.Title, notice.Heading, notice.Text, notice.Exit
	p.Bootstrap.Closed = &bootstrapClosed{notice.Heading, notice.Text, notice.Exit}
	return a.writePage(r.Context(), w, answer.Status, p)
}

// startKeyField is the form's field with the idempotency key of a start. Programs send it in the header Idempotency-Key.
const startKeyField = "beginKey"

func (a *API) startForm(w http.ResponseWriter, r *http.Request) error {
	landing, err := a.Protocol.Fieldwork.Visit(r.Context(), r.PathValue("linkId"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	allowFraming(w, landing.Guide)
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	if err := a.Protocol.CheckDevice(r); err != nil {
		return err
	}
	start := participant.StartRequest(r, form.Get("language"), form.Get(startKeyField))
	start.Consent, err = a.Protocol.Consented(r.Context(), landing, start.Language, participant.Given{
		Version: form.Get("consent"), Age: participant.Answered(form.Get("oldEnough")),
	})
	if participant.AskAgain(err, form.Get("oldEnough")) { // another text, or no answer to the question for the age
		http.Redirect(w, r, pageOf(r), http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	token, _, err := a.Protocol.Fieldwork.Begin(r.Context(), start)
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
	return nil
}

func (a *API) interviewPage(w http.ResponseWriter, r *http.Request) error {
	view, err := a.Protocol.Fieldwork.Current(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	p := stepPage(view, r.PathValue("token"))
	due, err := a.Protocol.ConsentDue(r.Context(), view)
	if err != nil {
		return err
	}
	if due != nil {
		p.Body, p.Consent, p.Bootstrap.Consent, p.Heading, p.Text = "consent", due, due, due.Again.Title, due.Again.Text
		return a.writeStep(w, r, http.StatusOK, p, view)
	}
	if view.Unfunded {
		p.Remark = p.Words["fullNow"]
	}
	return a.writeStep(w, r, http.StatusOK, p, view)
}

// answerForm accepts the form of a step and redirects to the next step. An invalid answer shows the step again, with what was
// entered. The form of an earlier step redirects to the current one, or says that another answer stands.
func (a *API) answerForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if err := a.Protocol.Fieldwork.Prepare(r.Context(), token); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	view, err := a.Protocol.Fieldwork.Current(r.Context(), token)
	if err != nil {
		return err
	}
	if stepID := form.Get("stepId"); view.Step.ID != stepID {
		return a.answeredElsewhere(w, r, token, stepID, form)
	}
	answer, violations := readForm(view.Step, form)
	if len(violations) == 0 {
		var done bool
		if done, violations, err = a.answer(w, r, token, view.Step.ID, answer, form); done {
			return err
		}
	}
	p := stepPage(view, token).withForm(form)
	return a.writeRefusal(w, r, p, view, violations, err, "fullKept") // the participant may try again later, with what was typed
}

// answer answers the step that a form shows, and redirects to the next one, or says that another answer stands. It reports whether it
// did; otherwise it returns what is wrong with the answer.
func (a *API) answer(w http.ResponseWriter, r *http.Request, token, stepID string, answer interview.Answer, form url.Values) (done bool, violations []violation, err error) {
	view, err := a.Protocol.Fieldwork.Answer(r.Context(), token, stepID, answer)
	if wrong, ok := errors.AsType[*interview.AnswerError](err); ok {
		return false, violationsOf(wrong), nil
	}
	if errors.Is(err, interview.ErrStaleStep) || err == nil && view.Superseded {
		return true, nil, a.answeredElsewhere(w, r, token, stepID, form)
	}
	if err == nil {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return true, nil, nil
	}
	return false, nil, err
}

// writeRefusal writes a step again with what is wrong with its answer. full is the key of the words for a study that takes no
// participants now.
func (a *API) writeRefusal(w http.ResponseWriter, r *http.Request, p page, view fieldwork.View, violations []violation, err error, full string) error {
	if errors.Is(err, fieldwork.ErrNotTakingParticipants) {
		p.Errors = []string{p.Words[full]}
		return a.writeStep(w, r, http.StatusConflict, p, view)
	}
	if err != nil {
		return err
	}
	for _, f := range violations {
		p.Errors = append(p.Errors, p.Words.Number(f.key, f.n))
	}
	return a.writeStep(w, r, http.StatusBadRequest, p, view)
}

// writeStep writes a page of an interview with its organization's brand.
func (a *API) writeStep(w http.ResponseWriter, r *http.Request, status int, p page, view fieldwork.View) error {
	allowFraming(w, view.Guide)
	brand, err := a.Protocol.Fieldwork.Brand(r.Context(), view.Response.OrgID)
	if err != nil {
		return err
	}
	return a.writePage(r.Context(), w, status, p.withBrand(brand))
}

// consentForm accepts the form of a consent that is given again. Where its text has changed meanwhile, the page asks for that one.
func (a *API) consentForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if err := a.Protocol.Fieldwork.Prepare(r.Context(), token); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	if _, err := a.Protocol.AgreeAgain(r.Context(), token, form.Get("consent")); err != nil && !participant.AskAgain(err, "") {
		return err
	}
	http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
	return nil
}

func (a *API) withdrawForm(w http.ResponseWriter, r *http.Request) error {
	language := locale.Accepted(r.Header.Get("Accept-Language"))
	var brand *org.Brand
	if resp, err := a.Protocol.Fieldwork.ResponseByToken(r.Context(), r.PathValue("token")); err == nil {
		language = resp.Language // an error here must not prevent the withdrawal
		if b, err := a.Protocol.Fieldwork.Brand(r.Context(), resp.OrgID); err == nil {
			brand = &b
		}
	}
	if g, err := a.Protocol.Fieldwork.GuideOf(r.Context(), r.PathValue("token")); err == nil {
		allowFraming(w, g)
	}
	goodbye, err := a.Protocol.Fieldwork.Withdraw(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	p := noticePage(language, "withdrawn")
	p.Exit = goodbye.URL
	if brand != nil {
		p = p.withBrand(*brand)
	}
	return a.writePage(r.Context(), w, http.StatusOK, p)
}
