package pages

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/panel"
	"verbatim/internal/service/fieldwork"
)

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
		"media-src https: http: blob:; frame-src https: http:; form-action 'self'; base-uri 'none'; " + framedNowhere
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
	answer, known := participant.Errors.Translate(participant.HTTPError(err))
	if !known {
		if httpx.ClientGone(r) {
			return
		}
		a.Protocol.Log.ErrorContext(r.Context(), "request failed",
			"request_id", httpx.RequestID(r.Context()), "method", httpx.MethodName(r), "route", r.Pattern, "error", err)
	}
	for name, values := range answer.Header {
		header[name] = values
	}
	p := a.noticeOf(r, answer, err)
	if httpx.IsOutage(answer) && r.Method == http.MethodPost {
		p = p.withKeptForm(w, r)
	}
	if err := a.writePage(r.Context(), w, answer.Status, p); err != nil {
		a.Protocol.Log.ErrorContext(r.Context(), "rendering an error page", "error", err)
	}
}

// noticeOf returns the page of an error, with the study's own text for a full quota, and the way back to the panel.
func (a *API) noticeOf(r *http.Request, answer *httpx.Error, err error) page {
	p := a.errorPage(r, answer)
	if full, ok := errors.AsType[*fieldwork.QuotaFullError](err); ok && strings.TrimSpace(full.Cell.FullText) != "" {
		p.Text = full.Cell.FullText
	}
	return a.withLinkExit(r, answer, p)
}

// errorPage returns the page of an error, with a link back where the visitor can continue.
func (a *API) errorPage(r *http.Request, answer *httpx.Error) page {
	p := noticePage(a.languageOf(r, answer), cmp.Or(rules.Notices[answer.Code], plainNotices[answer.Code], "failed"))
	if answer.Status == http.StatusRequestEntityTooLarge {
		p.Title, p.Heading, p.Text = p.Words["errorsTitle"], p.Words["errorsTitle"], p.Words.Number("errLong", interview.MaxText)
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
	browser := locale.Accepted(r.Header.Get("Accept-Language"))
	if token := r.PathValue("token"); token != "" {
		if answer.Status >= http.StatusInternalServerError {
			return browser // the store, which knows the response's language, may be unavailable
		}
		if resp, err := a.Protocol.Fieldwork.ResponseByToken(r.Context(), token); err == nil {
			return resp.Language
		}
		return browser
	}
	if r.PathValue("linkId") != "" {
		if language := r.URL.Query().Get(participant.LanguageParam); locale.Has(language) {
			return language
		}
	}
	return browser
}

// linkExits maps the errors of a study's link by which nobody can begin to the outcomes for a panel.
var linkExits = map[string]panel.Outcome{
	"study_not_found": panel.Closed, "not_taking_participants": panel.Closed, "study_not_started": panel.Closed, "study_ended": panel.Closed,
	"study_paused": panel.Closed, "target_reached": panel.QuotaFull, "quota_full": panel.QuotaFull,
}

// withLinkExit returns the page of a study that takes nobody now with the way back to the panel of the study, if it names one.
func (a *API) withLinkExit(r *http.Request, answer *httpx.Error, p page) page {
	linkID, outcome := r.PathValue("linkId"), linkExits[answer.Code]
	if linkID == "" || outcome == "" {
		return p
	}
	exit, err := a.Protocol.Fieldwork.LinkExit(r.Context(), linkID, r.URL.RawQuery, outcome)
	if err != nil || exit.URL == "" {
		return p
	}
	p.Exit = exit.URL
	if answer.Code == "study_not_found" {
		p.Title, p.Heading, p.Text = p.Words["closedTitle"], p.Words["closedTitle"], p.Words["closedText"]
	}
	return p
}
