package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/service/fieldwork"
)

// answeredElsewhere answers the form of a step that was answered before: a form that was sent twice redirects to the current step. Where
// another answer stands, the page of the current step shows it, with what was written in the form.
func (a *API) answeredElsewhere(w http.ResponseWriter, r *http.Request, token, stepID string, form url.Values) error {
	view, err := a.Protocol.Fieldwork.Answer(r.Context(), token, stepID, interview.Answer{}) // only returns the answer that stands
	if stale, ok := errors.AsType[*fieldwork.StaleStepError](err); ok {
		view, err = stale.View, nil
	}
	if err != nil {
		return err
	}
	stands := view.Answered
	if stands != nil {
		answer, _ := readForm(stands.Step, form)
		if stands.Answer.Same(&answer) {
			stands = nil
		}
	}
	if stands == nil {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	p := stepPage(view, token)
	p.Remark, p.Elsewhere = p.Words["otherTab"], participant.AnsweredOf(view)
	p.Unsent = strings.TrimSpace(textField(form, "text"))
	if p.Unsent == "" {
		p.Unsent = strings.TrimSpace(textField(form, "customText"))
	}
	p.Bootstrap.Unsent = p.Unsent
	return a.writeStep(w, r, http.StatusConflict, p, view)
}
