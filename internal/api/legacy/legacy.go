package legacy

import (
	"net/http"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/results"
)

// API serves the unversioned API. Share one value.
type API struct {
	Authoring *authoring.Service
	Results   *results.Service
	BaseURL   string // absolute, without a trailing slash
}

// Routes returns all routes of the unversioned API.
func (a *API) Routes() httpx.Routes {
	return httpx.Routes{
		"GET /api/public/list_surveys":                      a.listSurveys,
		"GET /api/public/responses/{link_id}":               a.listResponses,
		"GET /api/public/responses/{link_id}/{response_id}": a.getResponse,
		"GET /api/public/studies/{study_id}/questions":      a.listQuestions,
	}
}

// Errors maps the errors of the services to status and code.
var Errors = httpx.WithOutages(httpx.Table{
	{Err: study.ErrNotFound, Status: http.StatusNotFound, Code: "study_not_found", Message: "There is no such study in your organization."},
	{Err: response.ErrNotFound, Status: http.StatusNotFound, Code: "response_not_found", Message: "The study has no such response."},
	{Err: results.ErrBadRef, Status: http.StatusBadRequest, Code: "bad_request", Message: "A response is named by its UUID or its response_number, such as 1."},
})

// timestamp is a time that is encoded as RFC 3339 with microseconds and the offset +00:00.
type timestamp time.Time

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000-07:00"), nil
}

// orNull returns a pointer to s, or nil where s is empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// list returns s, or an empty slice in place of nil, which would be encoded as null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
