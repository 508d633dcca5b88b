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

// languageParam is the query parameter that the language switch sets. Parameters that begin with an underscore are the
// service's own.
const languageParam = "_language"

// landingPage shows the welcome, discloses that an AI moderates, and asks for consent. An old link id redirects to the current one.
func (a *API) landingPage(w http.ResponseWriter, r *http.Request) error {
	landing, err := a.Fieldwork.Study(r.Context(), r.PathValue("linkId"))
	if err != nil {
		return err
	}
	if landing.LinkID != r.PathValue("linkId") {
		to := url.URL{Path: "/s/" + landing.LinkID, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusFound)
		return nil
	}
	if !landing.AcceptsParticipants {
		return fieldwork.ErrNotTakingParticipants
	}
	language := chosenLanguage(landing, r)
	if landing, err = a.Fieldwork.Localize(r.Context(), landing, language); err != nil {
		return err
	}
	brand, err := a.Fieldwork.Brand(r.Context(), landing.OrgID)
	if err != nil {
		return err
	}
	p := newLandingPage(landing, brand, language, r)
	link := url.URL{Path: "/s/" + landing.LinkID, RawQuery: p.Bootstrap.Query}
	p.Link = a.BaseURL + link.String()
	p.Bootstrap.Device.Link = p.Link
	return a.writePage(r.Context(), w, http.StatusOK, p)
}

// chosenLanguage returns the language that the link's parameter asks for, or the study's own.
func chosenLanguage(landing fieldwork.Landing, r *http.Request) string {
	if language := r.URL.Query().Get(languageParam); slices.Contains(landing.Languages, language) {
		return language
	}
	return landing.Languages[0]
}

func (a *API) startForm(w http.ResponseWriter, r *http.Request) error {
	if _, err := a.Fieldwork.Study(r.Context(), r.PathValue("linkId")); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	if err := a.checkDevice(r); err != nil {
		return err
	}
	token, _, err := a.Fieldwork.Begin(r.Context(), beginRequest(r, form.Get("language"), form.Get(startKeyField)))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
	return nil
}

func (a *API) interviewPage(w http.ResponseWriter, r *http.Request) error {
	view, err := a.Fieldwork.Current(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	return a.writeStep(w, r, http.StatusOK, stepPage(view, r.PathValue("token")), view)
}

// answerForm accepts the form of a step and redirects to the next step. An invalid answer shows the step again, with what was
// entered. The form of an earlier step redirects to the current one.
func (a *API) answerForm(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if err := a.Fieldwork.Prepare(r.Context(), token); err != nil {
		return err
	}
	form, err := readPosted(w, r)
	if err != nil {
		return err
	}
	view, err := a.Fieldwork.Current(r.Context(), token)
	if err != nil {
		return err
	}
	if view.Step.ID != form.Get("stepId") {
		http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
		return nil
	}
	answer, violations := readForm(view.Step, form)
	if len(violations) == 0 {
		_, err = a.Fieldwork.Answer(r.Context(), token, view.Step.ID, answer)
		if wrong, ok := errors.AsType[*interview.AnswerError](err); ok {
			violations, err = violationsOf(wrong), nil
		} else if err == nil || errors.Is(err, interview.ErrStaleStep) {
			http.Redirect(w, r, "/i/"+token, http.StatusSeeOther)
			return nil
		}
	}
	p := stepPage(view, token).withForm(form)
	if errors.Is(err, fieldwork.ErrNotTakingParticipants) { // the participant may try again later, with what was typed
		p.Errors = []string{p.Words["fullKept"]}
		return a.writeStep(w, r, http.StatusConflict, p, view)
	}
	if err != nil {
		return err
	}
	for _, f := range violations {
		p.Errors = append(p.Errors, p.Words.number(f.key, f.n))
	}
	return a.writeStep(w, r, http.StatusBadRequest, p, view)
}

// writeStep writes a page of an interview with its organization's brand.
func (a *API) writeStep(w http.ResponseWriter, r *http.Request, status int, p page, view fieldwork.View) error {
	brand, err := a.Fieldwork.Brand(r.Context(), view.Response.OrgID)
	if err != nil {
		return err
	}
	return a.writePage(r.Context(), w, status, p.withBrand(brand))
}

func (a *API) withdrawForm(w http.ResponseWriter, r *http.Request) error {
	language := acceptedLanguage(r.Header.Get("Accept-Language"))
	var brand *org.Brand
	if resp, err := a.Fieldwork.ResponseByToken(r.Context(), r.PathValue("token")); err == nil {
		language = resp.Language // an error here must not prevent the withdrawal
		if b, err := a.Fieldwork.Brand(r.Context(), resp.OrgID); err == nil {
			brand = &b
		}
	}
	if err := a.Fieldwork.Withdraw(r.Context(), r.PathValue("token")); err != nil {
		return err
	}
	p := noticePage(language, "withdrawn")
	if brand != nil {
		p = p.withBrand(*brand)
	}
	return a.writePage(r.Context(), w, http.StatusOK, p)
}

// plainNotices maps error codes to the prefixes of their words, for errors that have a plain page of their own, and that the app handles in
// another way; rules.Notices has the others.
var plainNotices = map[string]string{
	"rate_limited":         "crowded",
	"device_not_supported": "devices",
	"busy":                 "outage",
	"insufficient_storage": "outage",
	httpx.Unavailable:      "outage",
}

// pagePermissions lets the page record, but not what it embeds.
var pagePermissions = httpx.PermissionsPolicy("camera", "microphone", "display-capture")

// servePage runs a page's handler with the headers of pages, and shows its errors as pages.
//
// The Content-Security-Policy allows what studies show: images, videos and embedded pages of other sites. Scripts are only the
// app's files, and inline styles only those of this program. The referrer stays within this origin, because the address of an
// interview gives access to it; no-referrer would make browsers send forms with a null origin.
func (a *API) servePage(w http.ResponseWriter, r *http.Request, h httpx.Handler) {
	header := w.Header()
	styles := plainStylesheet.source
	if a.app != nil {
		styles += " " + a.app.style.source
	}
	policy := "default-src 'none'; style-src " + styles + "; img-src 'self' https: http: data:; " +
		"media-src https: http: blob:; frame-src https: http:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if a.app != nil {
		policy += "; script-src 'self'; connect-src 'self'"
	}
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Permissions-Policy", pagePermissions)
	header.Set("X-Robots-Tag", "noindex")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "private, no-store")
	err := h(w, r)
	if err == nil {
		return
	}
	answer, known := table.Translate(asHTTPError(err))
	if !known {
		if httpx.ClientGone(r) {
			return
		}
		a.Log.ErrorContext(r.Context(), "request failed",
			"request_id", httpx.RequestID(r.Context()), "method", httpx.MethodName(r), "route", r.Pattern, "error", err)
	}
	for name, values := range answer.Header {
		header[name] = values
	}
	p := a.errorPage(r, answer)
	if httpx.IsOutage(answer) && r.Method == http.MethodPost {
		p = p.withKeptForm(w, r)
	}
	if err := a.writePage(r.Context(), w, answer.Status, p); err != nil {
		a.Log.ErrorContext(r.Context(), "rendering an error page", "error", err)
	}
}

// errorPage returns the page of an error, with a link back where the visitor can continue.
func (a *API) errorPage(r *http.Request, answer *httpx.Error) page {
	p := noticePage(a.languageOf(r, answer), cmp.Or(rules.Notices[answer.Code], plainNotices[answer.Code], "failed"))
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

// languageOf returns the language of an error's page: the chosen language of a study link, the language of an interview's response,
// or else the browser's.
func (a *API) languageOf(r *http.Request, answer *httpx.Error) string {
	browser := acceptedLanguage(r.Header.Get("Accept-Language"))
	if token := r.PathValue("token"); token != "" {
		if answer.Status >= http.StatusInternalServerError {
			return browser // the store, which knows the response's language, may be unavailable
		}
		if resp, err := a.Fieldwork.ResponseByToken(r.Context(), token); err == nil {
			return resp.Language
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
