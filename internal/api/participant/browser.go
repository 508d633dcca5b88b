package participant

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/fieldwork"
)

// languageParam is the link's parameter that the language switch sets; like all that start with an underscore it is the
// service's own.
const languageParam = "_language"

// studyPage welcomes, tells that an AI moderates, and asks for consent. An old link id leads to the current one.
func (d *API) studyPage(w http.ResponseWriter, r *http.Request) error {
	landing, err := d.Fieldwork.Study(r.Context(), r.PathValue("linkId"))
	if err != nil {
		return err
	}
	if landing.LinkID != r.PathValue("linkId") {
		to := url.URL{Path: "/s/" + landing.LinkID, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusFound)
		return nil
	}
	if !landing.Taking {
		return fieldwork.ErrNotTakingParticipants
	}
	language := chosen(landing, r)
	if landing, err = d.Fieldwork.In(r.Context(), landing, language); err != nil {
		return err
	}
	brand, err := d.Fieldwork.Brand(r.Context(), landing.OrgID)
	if err != nil {
		return err
	}
	p := landingPage(landing, brand, language, r)
	link := url.URL{Path: "/s/" + landing.LinkID, RawQuery: p.Bootstrap.Query}
	p.Link = d.BaseURL + link.String()
	p.Bootstrap.Device.Link = p.Link
	return d.writePage(r.Context(), w, http.StatusOK, p)
}

// chosen is the language of a front that the link's parameter asks for, or the study's own.
func chosen(landing fieldwork.Landing, r *http.Request) string {
	if language := r.URL.Query().Get(languageParam); slices.Contains(landing.Languages, language) {
		return language
	}
	return landing.Languages[0]
}

func (d *API) startForm(w http.ResponseWriter, r *http.Request) error {
	if _, err := d.Fieldwork.Study(r.Context(), r.PathValue("linkId")); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	if err := d.checkDevice(r); err != nil {
		return err
	}
	token, _, err := d.Fieldwork.Begin(r.Context(), beginning(r, form.Get("language"), form.Get(beginKeyField)))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
	return nil
}

func (d *API) interviewPage(w http.ResponseWriter, r *http.Request) error {
	view, err := d.Fieldwork.Current(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	return d.writeStep(w, r, http.StatusOK, stepPage(view, r.PathValue("token")), view)
}

// answerForm takes the form of a step and leads on to the next. An answer that does not fit shows the step again, with
// what was given; a form of a step that the interview has left leads to where it stands.
func (d *API) answerForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if err := d.Fieldwork.Prepare(r.Context(), token); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	view, err := d.Fieldwork.Current(r.Context(), token)
	if err != nil {
		return err
	}
	if view.Step.ID != form.Get("stepId") {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	given, violations := readForm(view.Step, form)
	if len(violations) == 0 {
		_, err = d.Fieldwork.Answer(r.Context(), token, view.Step.ID, given)
		if wrong, ok := errors.AsType[*interview.AnswerError](err); ok {
			violations, err = violationsOf(wrong), nil
		} else if err == nil || errors.Is(err, interview.ErrStaleStep) {
			http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
			return nil
		}
	}
	p := stepPage(view, token).filled(form)
	if errors.Is(err, fieldwork.ErrNotTakingParticipants) { // later it may go on, with what was typed
		p.Errors = []string{p.Words["fullKept"]}
		return d.writeStep(w, r, http.StatusConflict, p, view)
	}
	if err != nil {
		return err
	}
	for _, f := range violations {
		p.Errors = append(p.Errors, p.Words.number(f.key, f.n))
	}
	return d.writeStep(w, r, http.StatusBadRequest, p, view)
}

// writeStep writes a page of an interview in its organization's look.
func (d *API) writeStep(w http.ResponseWriter, r *http.Request, status int, p page, view fieldwork.View) error {
	brand, err := d.Fieldwork.Brand(r.Context(), view.Response.OrgID)
	if err != nil {
		return err
	}
	return d.writePage(r.Context(), w, status, p.branded(brand))
}

func (d *API) withdrawForm(w http.ResponseWriter, r *http.Request) error {
	language := preferred(r.Header.Get("Accept-Language"))
	var brand *org.Brand
	if holder, err := d.Fieldwork.ResponseByToken(r.Context(), r.PathValue("token")); err == nil {
		language = holder.Language // whatever stands in the way of going on, taking back is always possible
		if its, err := d.Fieldwork.Brand(r.Context(), holder.OrgID); err == nil {
			brand = &its
		}
	}
	if err := d.Fieldwork.Withdraw(r.Context(), r.PathValue("token")); err != nil {
		return err
	}
	p := noticePage(language, "withdrawn")
	if brand != nil {
		p = p.branded(*brand)
	}
	return d.writePage(r.Context(), w, http.StatusOK, p)
}

// notices names the words of the errors that have some of their own.
var notices = map[string]string{
	"study_not_found":         "unknown",
	"interview_not_found":     "lost",
	"interview_gone":          "gone",
	"not_taking_participants": "full",
	"rate_limited":            "crowded",
	"device_not_supported":    "devices",
	"not_found":               "lost",
	"busy":                    "outage",
	"insufficient_storage":    "outage",
	httpx.Unavailable:         "outage",
}

// pagePowers lets the page, and nothing that it embeds, record.
var pagePowers = httpx.PermissionsPolicy("camera", "microphone", "display-capture")

// servePage runs a handler of the page, with its headers, and shows its errors as pages.
//
// The policy allows what studies show: pictures, films and embedded pages from elsewhere. Scripts are the app's files alone,
// and styles that stand in the page those of this program.
// The referrer stays within this origin, for the address of an interview is the key to it; leaving it out altogether
// would make browsers send the forms with a null origin.
func (d *API) servePage(w http.ResponseWriter, r *http.Request, h httpx.Handler) {
	header := w.Header()
	styles := plainStylesheet.source
	if d.app != nil {
		styles += " " + d.app.style.source
	}
	policy := "default-src 'none'; style-src " + styles + "; img-src 'self' https: http: data:; " +
		"media-src https: http: blob:; frame-src https: http:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if d.app != nil {
		policy += "; script-src 'self'; connect-src 'self'"
	}
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Permissions-Policy", pagePowers)
	header.Set("X-Robots-Tag", "noindex")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "private, no-store")
	err := h(w, r)
	if err == nil {
		return
	}
	answer, known := table.Translate(explain(err))
	if !known {
		if httpx.Left(r) {
			return
		}
		d.Log.ErrorContext(r.Context(), "request failed",
			"request_id", httpx.RequestID(r.Context()), "method", httpx.MethodName(r), "route", r.Pattern, "error", err)
	}
	for name, values := range answer.Header {
		header[name] = values
	}
	p := d.errorPage(r, answer)
	if httpx.IsOutage(answer) && r.Method == http.MethodPost {
		p = p.keeping(w, r)
	}
	if err := d.writePage(r.Context(), w, answer.Status, p); err != nil {
		d.Log.ErrorContext(r.Context(), "rendering a notice", "error", err)
	}
}

// errorPage makes the page of an error. Where the visitor can go on, it has a link that leads there.
func (d *API) errorPage(r *http.Request, answer *httpx.Error) page {
	p := noticePage(d.languageOf(r, answer), cmp.Or(notices[answer.Code], "failed"))
	if answer.Status == http.StatusRequestEntityTooLarge {
		p.Title, p.Heading, p.Text = p.Words["errorsTitle"], p.Words["errorsTitle"], p.Words.number("errLong", interview.MaxText)
	}
	switch answer.Status {
	case http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusInsufficientStorage:
		p.Back, p.BackText = pageOf(r), p.Words["recTry"]
		if r.PathValue("token") != "" {
			p.BackText = p.Words["resume"]
		}
	}
	return p
}

// languageOf returns the language of an error's page: of a study link the one that was chosen, of an interview its response's, and
// otherwise the browser's.
func (d *API) languageOf(r *http.Request, answer *httpx.Error) string {
	browser := preferred(r.Header.Get("Accept-Language"))
	if token := r.PathValue("token"); token != "" {
		if answer.Status >= http.StatusInternalServerError {
			return browser // the store, which knows the response, may be the reason
		}
		if holder, err := d.Fieldwork.ResponseByToken(r.Context(), token); err == nil {
			return holder.Language
		}
		return browser
	}
	if r.PathValue("linkId") != "" {
		if language := r.URL.Query().Get(languageParam); hasWords(language) {
			return language
		}
	}
	return browser
}
