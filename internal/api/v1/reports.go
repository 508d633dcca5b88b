package v1

import (
	"encoding/json"
	"net/http"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
	"verbatim/internal/service/reporting"
)

type studyReport struct {
	ReportID    *string         `json:"reportId"`
	StudyID     string          `json:"studyId"`
	Status      string          `json:"status"`
	Step        *string         `json:"step"`
	Percent     int             `json:"percent"`
	RequestedAt timestamp       `json:"requestedAt"`
	AsOf        *timestamp      `json:"asOf"`
	CompletedAt *timestamp      `json:"completedAt"`
	Report      json.RawMessage `json:"report"`
}

// makeReport makes a report on a study, or begins to.
func (a *API) makeReport(w http.ResponseWriter, r *http.Request) error {
	body, err := httpx.ReadBody(w, r)
	if err != nil {
		return err
	}
	var asked reporting.Request
	if len(body) > 0 {
		err = strictjson.Decode(body, func(o *strictjson.Object) {
			asked.By = o.NonEmpty("by", strictjson.Optional)
			asked.Scales = o.TextsUpTo("scales", strictjson.Optional, 0, 200, 200)
			asked.NoModel = o.Bool("noModel", strictjson.Optional)
			o.ObjectsUpTo("weights", strictjson.Optional, 0, 500, func(e *strictjson.Object) {
				asked.Targets = append(asked.Targets, reporting.Target{
					By: e.NonEmpty("by", strictjson.Required), Value: e.Text("value", strictjson.Required), Percent: e.Number("percent", strictjson.Required, 0, 100),
				})
			})
		})
	}
	if err != nil {
		return err
	}
	st, err := a.Reporting.Study(r.Context(), access.CallerOf(r.Context()).OrgID, r.PathValue("studyId"))
	if err != nil {
		return err
	}
	got, err := a.Reporting.Ask(r.Context(), st, asked)
	if wrong := reporting.Usage(err); wrong != nil {
		return httpx.BadRequest("%s", wrong)
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if got.Report == nil {
		status = http.StatusAccepted
	}
	return httpx.WriteJSON(w, r, status, reportOf(got))
}

// getReport returns a report that was made in the background, or how far it is.
func (a *API) getReport(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("reportId")
	if !study.IsUUID(id) {
		return httpx.BadRequest("The report id must be a UUID.")
	}
	got, err := a.Reporting.Find(r.Context(), access.CallerOf(r.Context()).OrgID, id)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, r, http.StatusOK, reportOf(got))
}

func reportOf(got reporting.Asked) studyReport {
	m := got.Made
	out := studyReport{
		StudyID: m.StudyID, Status: string(m.Status), Percent: m.Percent, RequestedAt: timestamp(m.RequestedAt),
		AsOf: timeOrNull(m.AsOf), CompletedAt: timeOrNull(m.CompletedAt), Report: got.Report,
	}
	if m.ID != "" {
		out.ReportID = &m.ID
	}
	if m.Step != "" {
		out.Step = &m.Step
	}
	return out
}

// timeOrNull returns a time, or nil for the zero one.
func timeOrNull(at time.Time) *timestamp {
	if at.IsZero() {
		return nil
	}
	t := timestamp(at)
	return &t
}
