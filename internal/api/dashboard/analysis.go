package dashboard

import (
	"cmp"
	"encoding/json"
	"mime"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/reporting"
)

// maxOptions limits the texts that name what a report is made by.
const maxOptions = 1000

type reportJSON struct {
	State     string          `json:"state"`
	ReportID  *string         `json:"reportId"`
	AsOf      *timestamp      `json:"asOf"`
	New       int             `json:"newResponses"`
	Changed   bool            `json:"themesChanged"`
	Failed    bool            `json:"lastFailed"`
	Underway  *underwayJSON   `json:"underway"`
	Report    json.RawMessage `json:"report"`
	HasThemer bool            `json:"usesModel"`
}

type underwayJSON struct {
	Same    bool   `json:"same"`
	Step    string `json:"step"`
	Percent int    `json:"percent"`
}

func (a *API) getReport(c *call) error {
	query := httpx.Query(c.r)
	by, _ := query.Text("by")
	only, _ := query.Text("only")
	known, _ := query.Text("known")
	if len(by) > maxOptions || len(only) > maxOptions {
		query.Refuse("by and only are too long.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	return a.answerReport(c, reporting.Request{By: by, Only: only}, known, http.StatusOK)
}

// answerReport answers with the stored report, unless its id is the known one, and how far the next one is.
func (a *API) answerReport(c *call, asked reporting.Request, known string, status int) error {
	found, err := a.Reports.Stored(c.r.Context(), c.study.Study, asked)
	if err != nil {
		return err
	}
	made := reportJSON{State: "none", New: found.New, Changed: found.Changed, Failed: found.Failed, Report: found.Report, HasThemer: a.Reports.Themer != nil}
	switch {
	case found.Report != nil:
		made.State, made.ReportID, made.AsOf = "complete", orNull(found.Made.ID), optional(found.Made.AsOf)
	case found.Failed:
		made.State = "failed"
	}
	if known != "" && known == found.Made.ID {
		made.Report = nil
	}
	if u := found.Underway; u != nil {
		made.Underway = &underwayJSON{found.Matches, cmp.Or(u.Step, "queued"), u.Percent}
	}
	return c.answer(status, made)
}

func (a *API) makeReport(c *call) error {
	var asked reporting.Request
	if err := c.body(func(o *strictjson.Object) {
		asked.By = o.NonEmptyUpTo("by", strictjson.Optional, maxOptions)
		asked.Only = o.NonEmptyUpTo("only", strictjson.Optional, maxOptions)
	}); err != nil {
		return err
	}
	if _, err := a.Reports.Start(c.r.Context(), c.study.Study, asked); err != nil {
		return err
	}
	return a.answerReport(c, asked, "", http.StatusAccepted)
}

// downloadTable answers with a table of a stored report as CSV.
func (a *API) downloadTable(c *call) error {
	query := httpx.Query(c.r)
	section, _ := query.Text("section")
	table, _ := query.Text("table")
	if section == "" || table == "" {
		query.Refuse("section and table name the table.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	id := c.r.PathValue("reportId")
	if !study.IsUUID(id) {
		return reporting.ErrNoReport
	}
	file, err := a.Reports.Table(c.r.Context(), c.study.Study, id, section, table)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": c.study.LinkID + "-" + file.Name}))
	_, _ = c.w.Write([]byte("\ufeff")) // spreadsheets read UTF-8 by it
	_ = file.Write(c.w)                // the client may be gone
	return nil
}

type groupingJSON struct {
	By     string       `json:"by"`
	Label  string       `json:"label"`
	Number *int         `json:"number"`
	Values []choiceJSON `json:"values"`
}

type choiceJSON struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

func (a *API) listGroupings(c *call) error {
	all, err := a.Reports.Groupings(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Groupings []groupingJSON `json:"groupings"`
	}{list(all, func(g reporting.Grouping) groupingJSON {
		return groupingJSON{g.By, g.Label, orNull(g.Number), list(g.Values, func(v reporting.Choice) choiceJSON { return choiceJSON(v) })}
	})})
}
