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

// Door is the API of the unversioned paths.
type API struct {
	Authoring *authoring.Service
	Results   *results.Service
	BaseURL   string // absolute, without a slash at its end
}

// Routes is the whole door.
func (a *API) Routes() httpx.Routes {
	return httpx.Routes{
		"GET /api/public/list_surveys":                      a.listSurveys,
		"GET /api/public/responses/{link_id}":               a.listResponses,
		"GET /api/public/responses/{link_id}/{response_id}": a.getResponse,
		"GET /api/public/studies/{study_id}/questions":      a.listQuestions,
	}
}

// Errors is the dialect: which error of the work is which status and code.
var Errors = httpx.WithOutages(httpx.Table{
	{Err: study.ErrNotFound, Status: http.StatusNotFound, Code: "study_not_found", Message: "There is no such study in your organization."},
	{Err: response.ErrNotFound, Status: http.StatusNotFound, Code: "response_not_found", Message: "The study has no such response."},
	{Err: results.ErrBadRef, Status: http.StatusBadRequest, Code: "bad_request", Message: "A response is named by its UUID or its response_number, such as 1."},
})

// timestamp is how this door writes times: RFC 3339 with microseconds and +00:00.
type timestamp time.Time

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000-07:00"), nil
}

// orNull is the text, or null where there is none.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// list is the slice, or an empty one in the place of nil, which would be null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
