package v1

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/access"
	"verbatim/internal/service/asking"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/billing"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/reporting"
	"verbatim/internal/service/results"
)

// API serves the versioned API. Share one value.
type API struct {
	Authoring *authoring.Service
	Results   *results.Service
	Billing   *billing.Service
	Erasure   *erasure.Service
	Asking    *asking.Service
	Reporting *reporting.Service
	BaseURL   string // absolute, without a trailing slash

	inFlight httpx.InFlight
}

// Routes returns all routes of the versioned API.
func (a *API) Routes() httpx.Routes {
	return httpx.Routes{
		"POST /api/public/v1/studies/create":                        a.createStudy,
		"GET /api/public/v1/studies":                                a.listStudies,
		"GET /api/public/v1/studies/{studyId}/questions":            a.listQuestions,
		"POST /api/public/v1/studies/{studyId}/launch":              a.launchStudy,
		"POST /api/public/v1/studies/{studyId}/ask":                 a.askStudy,
		"POST /api/public/v1/ask":                                   a.askOrganization,
		"POST /api/public/v1/studies/{studyId}/reports":             a.makeReport,
		"GET /api/public/v1/study-reports/{reportId}":               a.getReport,
		"GET /api/public/v1/studies/{studyId}/themes":               a.listThemes,
		"POST /api/public/v1/studies/{studyId}/themes/{questionId}": a.editThemes,
		"GET /api/public/v1/responses/{linkId}":                     access.WithProof(a.listResponses),
		"GET /api/public/v1/responses/{linkId}/{responseId}":        access.WithProof(a.getResponse),
		"GET /api/public/v1/responses":                              access.WithProof(a.searchResponses),
		"DELETE /api/public/v1/responses":                           a.deleteResponse,
		"GET /api/public/v1/response-deletions/{deletionId}":        a.getDeletion,
		"GET /api/public/v1/wallets":                                a.listWallets,
	}
}

// Errors maps the errors of the services to status and code. A new code also goes into openapi/v1.yaml: into ErrorCode, and into the
// answer of each operation that gives it, with an example; then into TestErrors.
//
// A handler may answer with a code of its own by httpx.Errorf, as brokenRules does. Package httpx has the codes that every API
// answers with: those of bodies and parameters (error.go), of addresses and methods (route.go), and of outages (outage.go). Those of
// keys and quotas are in accessErrors, in package server.
var Errors = httpx.WithOutages(httpx.Table{
	{Err: study.ErrNotFound, Status: http.StatusNotFound, Code: "study_not_found", Message: "There is no such study in your organization."},
	{Err: response.ErrNotFound, Status: http.StatusNotFound, Code: "response_not_found", Message: "The study has no such response."},
	{Err: response.ErrNoDeletion, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such deletion in your organization."},
	{Err: study.ErrLaunchDenied, Status: http.StatusForbidden, Code: "launch_permission_denied", Message: "You may not launch this study: the key's user lacks the permission to start recruitment on it."},
	{Err: wallet.ErrAccessDenied, Status: http.StatusForbidden, Code: "wallet_access_denied", Message: "Your organization has no access to this wallet."},
	{Err: wallet.ErrRequired, Status: http.StatusBadRequest, Code: "wallet_required", Message: "Your organization has several wallets: name one with walletId."},
	{Err: wallet.ErrInsufficient, Status: http.StatusBadRequest, Code: "insufficient_credits", Message: "The wallet cannot pay for a response: its balance, or what your organization may spend from it, is too low."},
	{Err: study.ErrOtherWallet, Status: http.StatusConflict, Code: "conflict", Message: "The study is live already and billed to another wallet."},
	{Err: study.ErrClosed, Status: http.StatusConflict, Code: "conflict", Message: "The study is closed. Whoever runs the service can reopen it."},
	{Err: study.ErrConflict, Status: http.StatusConflict, Code: "conflict", Message: "The study was edited while it was launched. Refresh and try again."},
	{Err: workingcopy.ErrProblems, Status: http.StatusConflict, Code: "conflict", Message: "The study has unpublished edits in the dashboard that are incomplete. Complete them there, and launch again."},
	{Err: org.ErrKeyReused, Status: http.StatusConflict, Code: "conflict", Message: "This Idempotency-Key was used with another body."},
	{Err: study.ErrBusy, Status: http.StatusConflict, Code: "study_busy", Message: "The study is being changed. Try again after a moment."},
	{Err: authoring.ErrConcurrent, Status: http.StatusConflict, Code: "concurrent_modification", Message: "Another change got in between. Send the request again."},
	{Err: asking.ErrNoQuestion, Status: http.StatusBadRequest, Code: "bad_request", Message: "A question has from 1 to 500 characters."},
	{Err: asking.ErrBusy, Status: http.StatusTooManyRequests, Code: "rate_limited", Message: "Two questions of your organization are being answered already. Try again in 2 s.", RetryAfter: 2 * time.Second},
	{Err: reporting.ErrNoReport, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such report in your organization. The results of earlier reports go when newer ones are made, and when a response is deleted."},
	{Err: reporting.ErrOtherReport, Status: http.StatusConflict, Code: "conflict", Message: "Another report on this study is being made. Ask again when it is complete."},
	{Err: codeframe.ErrNone, Status: http.StatusNotFound, Code: "not_found", Message: "There are no themes of this question yet. Make a report first."},
	{Err: codeframe.ErrConflict, Status: http.StatusConflict, Code: "conflict", Message: "Somebody else changed these themes meanwhile. List them again, and repeat the change with their version."},
	{Err: results.ErrBadRef, Status: http.StatusBadRequest, Code: "bad_request", Message: "A response is named by its UUID or its readable id, such as 1."},
	{Err: results.ErrBadCursor, Status: http.StatusBadRequest, Code: "bad_request", Message: "The cursor is not one of this search: parameter, value and includeHidden must stay as they were."},
})

// brokenRules turns the error of a guide that contradicts itself into an answer whose message has every broken rule.
func brokenRules(err error) error {
	if rules, ok := errors.AsType[*guide.RulesError](err); ok {
		return httpx.Errorf(http.StatusBadRequest, "invalid_study_guide", "%s", rules)
	}
	return err
}

// timestamp is a time that is encoded as RFC 3339 in UTC with microseconds.
type timestamp time.Time

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000Z"), nil
}

func (a *API) selfRecruitLink(linkID string) string {
	return a.BaseURL + "/s/" + url.PathEscape(linkID)
}

func (a *API) studyURL(linkID string) string { return a.BaseURL + "/p/" + url.PathEscape(linkID) }
