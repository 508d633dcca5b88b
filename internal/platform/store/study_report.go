package store

import (
	"context"
	"errors"
	"time"
)

// ErrNoReport means that there is no such report.
var ErrNoReport = errors.New("report not found")

// ReportStatus is the status of a report that is made in the background.
type ReportStatus string

// The statuses of a report.
const (
	ReportQueued   ReportStatus = "queued"
	ReportRunning  ReportStatus = "running"
	ReportComplete ReportStatus = "complete"
	ReportFailed   ReportStatus = "failed"
)

// StudyReport is a report that is made in the background.
type StudyReport struct {
	ID, StudyID, OrgID string
	Options            string // as the service encodes them
	Status             ReportStatus
	Step               string // what is being done
	Percent            int    // of the whole
	Deletions          int    // of the study's responses since it was requested
	RequestedAt        time.Time
	AsOf               time.Time // when its responses began to be read; zero before
	CompletedAt        time.Time // zero before
	Body, Markdown     string    // the report in both forms, once it is complete; empty in lists
}

const selectReport = `select id, study_id, org_id, options, status, step, percent, deletions, requested_at, as_of, completed_at`

func scanReport(r scanner, more ...any) (s StudyReport, err error) {
	dest := []any{&s.ID, &s.StudyID, &s.OrgID, &s.Options, &s.Status, &s.Step, &s.Percent, &s.Deletions, nullTime{&s.RequestedAt}, nullTime{&s.AsOf}, nullTime{&s.CompletedAt}}
	return s, r.Scan(append(dest, more...)...)
}

// StudyReport finds a report of an organization with its result; ErrNoReport. An empty orgID stands for any organization.
func (v *View) StudyReport(ctx context.Context, orgID, id string) (StudyReport, error) {
	var body, markdown string
	s, err := scanReport(v.q.QueryRowContext(ctx, selectReport+`, body, markdown from study_report where id = $1 and ($2 = '' or org_id = $2)`, id, orgID), &body, &markdown)
	s.Body, s.Markdown = body, markdown
	return s, noRowsAs(err, ErrNoReport)
}

// StudyReports lists the reports of a study without their results, the latest first.
func (v *View) StudyReports(ctx context.Context, studyID string) ([]StudyReport, error) {
	return collect(ctx, v, func(r scanner) (StudyReport, error) { return scanReport(r) },
		selectReport+` from study_report where study_id = $1 order by requested_at desc, id desc`, studyID)
}

// ReportUnderway finds the report of a study that is queued or running; ErrNoReport.
func (v *View) ReportUnderway(ctx context.Context, studyID string) (StudyReport, error) {
	s, err := scanReport(v.q.QueryRowContext(ctx, selectReport+` from study_report where study_id = $1 and status in ('queued', 'running')`, studyID))
	return s, noRowsAs(err, ErrNoReport)
}

// CreateStudyReport stores a report that is to be made. created is false if another one of the study is under way.
func (tx *Tx) CreateStudyReport(ctx context.Context, s StudyReport) (created bool, err error) {
	n, err := tx.exec(ctx, `insert into study_report (id, study_id, org_id, options, status, requested_at)
		values ($1, $2, $3, $4, 'queued', $5)
		on conflict do nothing`, s.ID, s.StudyID, s.OrgID, s.Options, micros(tx.at))
	return n > 0, err
}

// StartStudyReport notes that a report is being made, from its beginning, and returns how many deletions it has to know of; ErrNoReport
// unless it is under way.
func (tx *Tx) StartStudyReport(ctx context.Context, id string) (deletions int, err error) {
	err = tx.q.QueryRowContext(ctx, `update study_report
		set status = 'running', step = '', percent = 0, as_of = $2
		where id = $1 and status in ('queued', 'running')
		returning deletions`, id, micros(tx.at)).Scan(&deletions)
	return deletions, noRowsAs(err, ErrNoReport)
}

// StudyReportProgress notes how far a report is.
func (tx *Tx) StudyReportProgress(ctx context.Context, id, step string, percent int) error {
	return tx.run(ctx, `update study_report set step = $2, percent = $3 where id = $1 and status = 'running'`, id, step, percent)
}

// CompleteStudyReport stores the result of a report. done is false if a response was deleted since the report began: it may be in the
// result. The results of earlier reports of the study go, except for so many, and for the last one with the options plain.
func (tx *Tx) CompleteStudyReport(ctx context.Context, s StudyReport, kept int, plain string) (done bool, err error) {
	n, err := tx.exec(ctx, `update study_report
		set status = 'complete', step = '', percent = 100, completed_at = $3, body = $4, markdown = $5
		where id = $1 and deletions = $2 and status = 'running'`, s.ID, s.Deletions, micros(tx.at), s.Body, s.Markdown)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.exec(ctx, `delete from study_report
		where study_id = $1 and status in ('complete', 'failed') and id <> $2 and id not in (
			select id from study_report where study_id = $1 and status = 'complete' order by completed_at desc limit $3
		) and id not in (
			select id from study_report where study_id = $1 and status = 'complete' and options = $4 order by completed_at desc limit 1
		)`, s.StudyID, s.ID, kept, plain)
	return true, err
}

// FailStudyReport notes that a report could not be made.
func (tx *Tx) FailStudyReport(ctx context.Context, id string) error {
	return tx.run(ctx, `update study_report set status = 'failed', step = '' where id = $1 and status in ('queued', 'running')`, id)
}

// forgetReports removes the results of a study's reports, which may quote a response that is being deleted. A report that is completed at
// the same time either is there already, or sees that the number of deletions has changed.
func (tx *Tx) forgetReports(ctx context.Context, studyID string) error {
	if _, err := tx.exec(ctx, `update study_report set deletions = deletions + 1 where study_id = $1`, studyID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `delete from study_report where study_id = $1 and status in ('complete', 'failed')`, studyID)
	return err
}

// EndedSince counts the responses of a study that ended after a time, without the hidden ones.
func (v *View) EndedSince(ctx context.Context, studyID string, after time.Time) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*)
		from response
		where study_id = $1 and ended_at > $2 and deleted_at is null and not hidden`, studyID, micros(after)).Scan(&n)
	return n, err
}
