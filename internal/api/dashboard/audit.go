package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/auditlog"
)

type auditJSON struct {
	Seq         int               `json:"seq"`
	At          timestamp         `json:"at"`
	Action      string            `json:"action"`
	UserID      *string           `json:"userId"`
	UserName    string            `json:"userName"`
	Subject     string            `json:"subject"`
	SubjectName string            `json:"subjectName"`
	Detail      map[string]string `json:"detail"`
}

func auditOf(e org.NamedAuditEntry) auditJSON {
	return auditJSON{e.Seq, timestamp(e.At), e.Action, orNull(e.UserID), e.UserName, e.Subject, e.SubjectName, e.Detail}
}

type auditPersonJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// byOperator is the person of the filter that means the operator.
const byOperator = "operator"

// auditFilter reads the filter of an audit log.
func auditFilter(query *httpx.Params) (f org.AuditFilter) {
	switch who, given := query.Text("user"); {
	case given && who == byOperator:
		f.ByOperator = true
	case given && !study.IsUUID(who):
		query.Refuse("user must be the UUID of a person, or %s.", byOperator)
	case given:
		f.UserID = strings.ToLower(who)
	}
	f.Action, _ = query.Text("action")
	f.Since, _ = query.Time("since")
	f.Until, _ = query.Time("until")
	return f
}

func (a *API) listAudit(c *call) error {
	query := httpx.Query(c.r)
	below, f := query.Int("after", 0, 1, 0), auditFilter(query)
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.AuditLog.Page(c.r.Context(), c.caller.OrgID, f, below)
	if err != nil {
		return err
	}
	next := ""
	if page.Next > 0 {
		next = strconv.Itoa(page.Next)
	}
	return c.answer(http.StatusOK, struct {
		Entries []auditJSON       `json:"entries"`
		People  []auditPersonJSON `json:"people"`
		Next    *string           `json:"next"`
	}{list(page.Entries, auditOf), list(page.People, func(u org.User) auditPersonJSON { return auditPersonJSON{u.ID, u.Name} }), orNull(next)})
}

// auditTypes are the media types of the formats of a file.
var auditTypes = map[string]string{auditlog.CSV: "text/csv; charset=utf-8", auditlog.JSONL: "application/jsonl; charset=utf-8"}

// exportAudit answers with the audit log as a file.
func (a *API) exportAudit(c *call) error {
	query := httpx.Query(c.r)
	f := auditFilter(query)
	format, _ := query.Text("format")
	if auditTypes[format] == "" {
		query.Refuse("format must be csv or jsonl.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	header := c.w.Header()
	header.Set("Content-Type", auditTypes[format])
	header.Set("Content-Disposition", "attachment; filename="+strconv.Quote(auditlog.FileName(c.caller.OrgID, format, a.SignIn.Store.Now())))
	to := &lateWriter{to: c.w, csv: format == auditlog.CSV}
	_, err := a.AuditLog.Export(c.r.Context(), c.caller.OrgID, c.caller.UserID, format, f, to)
	switch {
	case err != nil && to.begun:
		panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
	case err != nil:
		header.Del("Content-Disposition")
		return err
	case !to.begun:
		_, _ = to.Write(nil) // the client may be gone
	}
	return nil
}

// lateWriter begins an answer with the first bytes of its body, so that an error before them has an answer of its own.
type lateWriter struct {
	to         http.ResponseWriter
	csv, begun bool
}

// Write implements io.Writer.
func (w *lateWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.begun = true
		w.to.WriteHeader(http.StatusOK)
		if w.csv {
			_, _ = w.to.Write([]byte("\ufeff")) // spreadsheets read UTF-8 by it
		}
	}
	return w.to.Write(p)
}
