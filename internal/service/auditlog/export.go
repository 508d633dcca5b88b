package auditlog

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/exporting"
)

// ErrFormat refuses a format that is not known. Its text is shown to people.
var ErrFormat = errors.New("an audit log is written as csv or jsonl")

// The formats of a file.
const (
	CSV   = "csv"
	JSONL = "jsonl"
)

// Export writes the entries of an organization's log that pass a filter, newest first, and notes in the log that it was exported, by a
// person or, where userID is empty, by the operator; ErrFormat, org.ErrNotFound. It needs the memory of a thousand entries.
func (s *Service) Export(ctx context.Context, orgID, userID, format string, f org.AuditFilter, to io.Writer) (written int, err error) {
	defer operation.Wrap(&err, "auditlog.Export")
	if format != CSV && format != JSONL {
		return 0, ErrFormat
	}
	view := s.Store.View()
	if _, err := view.Org(ctx, orgID); err != nil {
		return 0, err
	}
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, org.AuditEntry{OrgID: orgID, UserID: userID, Action: org.AuditLogExported, Detail: map[string]string{"format": format}})
	}); err != nil {
		return 0, err
	}
	lines := newTable(format, to)
	for below := 0; ; {
		const batch = 1000
		page, err := view.AuditLog(ctx, orgID, f, below, batch)
		if err != nil {
			return written, err
		}
		for _, e := range page {
			if err := lines.add(e); err != nil {
				return written, err
			}
			below = e.Seq
		}
		written += len(page)
		if len(page) < batch {
			return written, lines.end()
		}
	}
}

// table writes entries in one of the formats.
type table struct {
	csv  *csv.Writer // nil: JSON lines
	json *json.Encoder
}

func newTable(format string, to io.Writer) *table {
	if format == JSONL {
		encoder := json.NewEncoder(to)
		encoder.SetEscapeHTML(false)
		return &table{json: encoder}
	}
	t := &table{csv: csv.NewWriter(to)}
	_ = t.csv.Write([]string{"number", "at", "user_id", "user", "action", "subject", "subject_name", "detail", "hash"}) // end returns the error
	return t
}

// line is an entry as a line of a file.
type line struct {
	Number      int               `json:"number"`
	At          string            `json:"at"`
	UserID      string            `json:"userId"`
	User        string            `json:"user"`
	Action      string            `json:"action"`
	Subject     string            `json:"subject"`
	SubjectName string            `json:"subjectName"`
	Detail      map[string]string `json:"detail"`
	Hash        string            `json:"hash"`
}

func (t *table) add(e org.NamedAuditEntry) error {
	at := e.At.UTC().Format("2006-01-02T15:04:05.000000Z")
	if t.json != nil {
		return t.json.Encode(line{e.Seq, at, e.UserID, e.UserName, e.Action, e.Subject, e.SubjectName, e.Detail, e.Hash})
	}
	var detail bytes.Buffer
	encoder := json.NewEncoder(&detail)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e.Detail); err != nil {
		return err
	}
	return t.csv.Write([]string{
		strconv.Itoa(e.Seq), at, e.UserID, exporting.Guarded(e.UserName), e.Action, exporting.Guarded(e.Subject), exporting.Guarded(e.SubjectName),
		string(bytes.TrimSpace(detail.Bytes())), e.Hash,
	})
}

func (t *table) end() error {
	if t.csv == nil {
		return nil
	}
	t.csv.Flush()
	return t.csv.Error()
}

// FileName returns the name under which a file is saved.
func FileName(orgID, format string, at time.Time) string {
	return "audit-" + orgID + "-" + at.UTC().Format(time.DateOnly) + "." + format
}
