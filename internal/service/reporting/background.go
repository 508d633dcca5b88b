package reporting

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Large is the number of responses of a study above which its report is made in the background.
const Large = 2000

const (
	keptReports    = 3           // complete reports of a study that stay, besides the last one without options
	plainReport    = "{}"        // options of a report without any
	progressPause  = time.Second // between two notes of the progress
	beginningAgain = 3           // times in one run, because a response was deleted meanwhile
)

// Errors of reports in the background.
var (
	ErrNoReport    = store.ErrNoReport
	ErrOtherReport = errors.New("another report on this study is being made: wait until it is complete")
	errDeletions   = errors.New("responses were deleted while the report was made")
)

// Request names the report that is asked for. It is stored with the report.
type Request struct {
	By      string   `json:"by,omitempty"`
	Scales  []string `json:"scales,omitempty"`
	Targets []Target `json:"targets,omitempty"`
	NoModel bool     `json:"noModel,omitempty"`
	Only    string   `json:"only,omitempty"`
}

func (r Request) options() Options {
	return Options{By: r.By, Scales: r.Scales, Targets: r.Targets, Only: r.Only}
}

// Study finds a study of an organization by its id or link id; study.ErrNotFound.
func (s *Service) Study(ctx context.Context, orgID, ref string) (_ study.Study, err error) {
	defer operation.Wrap(&err, "reporting.Study")
	return s.Store.View().StudyByRef(ctx, orgID, ref)
}

// Asked holds a report, or how far it is.
type Asked struct {
	Report []byte // as JSON; nil while it is made in the background
	Made   store.StudyReport
}

// Ask makes a report at once, or, of a study with many responses or by a model, in the background. Errors as of Start.
func (s *Service) Ask(ctx context.Context, st study.Study, r Request) (a Asked, err error) {
	defer operation.Wrap(&err, "reporting.Ask")
	background := s.Themer != nil && !r.NoModel
	if !background {
		if background, err = s.large(ctx, st); err != nil {
			return a, err
		}
	}
	if background {
		a.Made, err = s.Start(ctx, st, r)
		return a, err
	}
	plain := Service{Store: s.Store, Now: s.Now, Memory: s.Memory}
	report, err := plain.Analyse(ctx, st, r.options())
	if err != nil {
		return a, err
	}
	a.Made = store.StudyReport{StudyID: st.ID, OrgID: st.OrgID, Status: store.ReportComplete, Percent: 100, RequestedAt: report.MadeAt, AsOf: report.MadeAt, CompletedAt: report.MadeAt}
	a.Report, err = report.JSON()
	return a, err
}

// Find returns a report of an organization that was made in the background, or is being made; store.ErrNoReport.
func (s *Service) Find(ctx context.Context, orgID, id string) (a Asked, err error) {
	defer operation.Wrap(&err, "reporting.Find")
	if a.Made, err = s.Store.View().StudyReport(ctx, orgID, id); err == nil && a.Made.Status == store.ReportComplete {
		a.Report = []byte(a.Made.Body)
	}
	return a, err
}

func (s *Service) large(ctx context.Context, st study.Study) (bool, error) {
	counts, err := s.Store.View().ResponseCounts(ctx, st.ID)
	total := 0
	for _, c := range counts {
		total += c.Count
	}
	return total > cmp.Or(s.AtOnce, Large), err
}

// Start asks for a report in the background. Where the same one is being made already it returns that one. It fails with
// ErrOtherReport if one with other options is, and as Analyse where the options do not fit the study.
func (s *Service) Start(ctx context.Context, st study.Study, r Request) (made store.StudyReport, err error) {
	defer operation.Wrap(&err, "reporting.Start")
	if err := s.check(ctx, st, r); err != nil {
		return made, err
	}
	options, err := json.Marshal(r)
	if err != nil {
		return made, err
	}
	id := store.NewID()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		made, err = tx.ReportUnderway(ctx, st.ID)
		switch {
		case err == nil && made.Options == string(options):
			return nil
		case err == nil:
			return ErrOtherReport
		case !errors.Is(err, store.ErrNoReport):
			return err
		}
		created, err := tx.CreateStudyReport(ctx, store.StudyReport{ID: id, StudyID: st.ID, OrgID: st.OrgID, Options: string(options)})
		if err != nil {
			return err
		}
		if created {
			if err := jobs.Enqueue(ctx, tx, jobs.ReportArgs{ReportID: id, OrgID: st.OrgID}); err != nil {
				return err
			}
		}
		made, err = tx.ReportUnderway(ctx, st.ID)
		if err == nil && made.Options != string(options) {
			return ErrOtherReport
		}
		return err
	})
	return made, err
}

// check returns an error of options that do not fit the study, as far as that can be seen without reading all responses.
func (s *Service) check(ctx context.Context, st study.Study, r Request) error {
	view := s.Store.View()
	schema, err := readSchema(ctx, view, st)
	if err != nil {
		return err
	}
	if err := schema.order(r.Scales); err != nil {
		return err
	}
	if _, err := (&reader{view: view, schema: schema}).groupsBy(ctx, st.ID, r.By); err != nil {
		return err
	}
	if _, err := schema.onlyOf(r.Only, len(r.Targets) > 0); err != nil {
		return err
	}
	_, err = schema.margins(r.Targets)
	return err
}

// Worker makes reports in the background.
type Worker struct {
	Service Service // its Themer is used unless a request says otherwise
}

// Run makes the report of a job, from the beginning also where an earlier run was interrupted.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "reporting.Worker.Run")
	s := w.Service.Store
	asked, err := s.View().StudyReport(ctx, "", jobs.DecodeReport(job).ReportID)
	if errors.Is(err, store.ErrNoReport) {
		return nil // its study is gone
	}
	if err != nil || asked.Status != store.ReportQueued && asked.Status != store.ReportRunning {
		return err
	}
	st, err := s.View().Study(ctx, asked.OrgID, asked.StudyID)
	if err != nil {
		return err
	}
	for range beginningAgain {
		done, err := w.make(ctx, st, asked)
		if Usage(err) != nil { // the study changed since the options were checked; trying again would not help
			return s.Write(ctx, func(tx *store.Tx) error { return tx.FailStudyReport(ctx, asked.ID) })
		}
		if err != nil || done {
			return err
		}
	}
	return errDeletions
}

// Discard notes that a report could not be made.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "reporting.Worker.Discard")
	return tx.FailStudyReport(ctx, jobs.DecodeReport(job).ReportID)
}

// make makes a report. done is false if a response was deleted meanwhile.
func (w *Worker) make(ctx context.Context, st study.Study, asked store.StudyReport) (done bool, err error) {
	var r Request
	if err := json.Unmarshal([]byte(asked.Options), &r); err != nil {
		return false, err
	}
	service := w.Service
	if r.NoModel {
		service.Themer = nil
	}
	err = service.Store.Write(ctx, func(tx *store.Tx) error {
		asked.Deletions, err = tx.StartStudyReport(ctx, asked.ID)
		return err
	})
	if errors.Is(err, store.ErrNoReport) {
		return true, nil // another process made it
	}
	if err != nil {
		return false, err
	}
	options := r.options()
	options.Progress = service.noteProgress(ctx, asked.ID)
	report, err := service.Analyse(ctx, st, options)
	if err != nil {
		return false, err
	}
	body, err := report.JSON()
	if err != nil {
		return false, err
	}
	asked.Body, asked.Markdown = string(body), string(report.Markdown())
	err = service.Store.Write(ctx, func(tx *store.Tx) error {
		done, err = tx.CompleteStudyReport(ctx, asked, keptReports, plainReport)
		return err
	})
	return done, err
}

// percentOf returns how much of a report is done: where each step begins, and how much of the whole it is.
func percentOf(step Step, done, of int) int {
	begin, part := map[Step]int{Reading: 0, Coding: 60, Estimating: 85}[step], map[Step]int{Reading: 60, Coding: 25, Estimating: 15}[step]
	if of > 0 {
		begin += part * min(done, of) / of
	}
	return min(begin, 99)
}

// noteProgress returns a function that stores how far a report is, about once a second. What cannot be stored is left out.
func (s *Service) noteProgress(ctx context.Context, id string) func(step Step, done, of int) {
	var last time.Time
	return func(step Step, done, of int) {
		now := s.Now()
		if !last.IsZero() && now.Sub(last) < progressPause {
			return
		}
		last = now
		_ = s.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.StudyReportProgress(ctx, id, string(step), percentOf(step, done, of))
		})
	}
}
