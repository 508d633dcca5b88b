package exporting

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/review"
)

// Kept is how long the file of an export can be fetched.
const Kept = 7 * 24 * time.Hour

// maxUnderway limits the exports of an organization that wait or are being written.
const maxUnderway = 10

// Errors of exports in the background.
var (
	ErrNoExport  = store.ErrNoExport
	ErrNotReady  = errors.New("the file is not complete")
	ErrTooMany   = errors.New("too many exports of the organization are being written")
	errDeletions = errors.New("responses were deleted while the file was written")
	errNoOptions = errors.New("the options of the export cannot be read")
	errNoObjects = errors.New("there is no place for files")
)

// Status is the status of a file.
type Status = store.ExportStatus

// Request names the file that is asked for. It is stored with the export.
type Request struct {
	Format   Format
	Layout   Layout
	Labels   bool
	Codebook bool
	Filter   review.Filter
	Query    string // the filter as the page's address has it, for people
}

// options returns the options of a request, but for the progress.
func (r Request) options() (Options, error) {
	o := Options{Format: r.Format, Layout: r.Layout, Labels: r.Labels, Codebook: r.Codebook}
	var err error
	if o.Filter, err = r.Filter.Prepared(); err == nil {
		err = o.Check()
	}
	return o, err
}

// File is a file that was asked for.
type File struct {
	store.StudyExport
	Request Request
}

// Name returns the name under which a browser saves the file.
func (f *File) Name(linkID string) string {
	return FileName(linkID, Options{Format: f.Request.Format, Layout: f.Request.Layout, Codebook: f.Request.Codebook})
}

func fileOf(e store.StudyExport) (f File, err error) {
	f.StudyExport = e
	if json.Unmarshal([]byte(e.Options), &f.Request) != nil {
		err = errNoOptions
	}
	return f, err
}

// Ask asks for a file. Where the same is being written for the study already, it is that one. ErrTooMany, review.ErrNoWords, and the errors of
// Options.Check.
func (s *Service) Ask(ctx context.Context, caller org.Caller, st study.Study, r Request) (f File, err error) {
	defer operation.Wrap(&err, "exporting.Ask")
	if _, err := r.options(); err != nil {
		return File{}, err
	}
	options, err := json.Marshal(r)
	if err != nil {
		return File{}, err
	}
	id := store.NewID()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		underway, err := tx.ExportsUnderway(ctx, st.OrgID)
		if err != nil {
			return err
		}
		for _, one := range underway {
			if one.StudyID == st.ID && one.Options == string(options) {
				f, err = fileOf(one)
				return err
			}
		}
		if len(underway) >= maxUnderway {
			return ErrTooMany
		}
		if err := tx.CreateStudyExport(ctx, store.StudyExport{ID: id, StudyID: st.ID, OrgID: st.OrgID, UserID: caller.UserID, Options: string(options)}); err != nil {
			return err
		}
		if err := jobs.Enqueue(ctx, tx, jobs.ExportArgs{ExportID: id, OrgID: st.OrgID}); err != nil {
			return err
		}
		made, err := tx.AnyExport(ctx, id)
		if err != nil {
			return err
		}
		if f, err = fileOf(made); err != nil {
			return err
		}
		detail := map[string]string{"format": string(r.Format), "export": id}
		if r.Query != "" {
			detail["filter"] = auditedFilter(r.Query)
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: caller.UserID, Action: org.AuditExported, Subject: st.LinkID, Detail: detail})
	})
	return f, err
}

// List lists the files of a study, the latest first.
func (s *Service) List(ctx context.Context, st study.Study) (all []File, err error) {
	defer operation.Wrap(&err, "exporting.List")
	found, err := s.Store.View().StudyExports(ctx, st.ID)
	for _, e := range found {
		f, err := fileOf(e)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, err
}

// Content is the content of a file being read. Close it.
type Content struct {
	io.ReadSeekCloser
	File
}

// Open returns the content of a file. A reading from its beginning is noted in the audit log. ErrNoExport, ErrNotReady, outage.ErrObjectsUnreachable.
func (s *Service) Open(ctx context.Context, caller org.Caller, st study.Study, id string, fromBeginning bool) (c Content, err error) {
	defer operation.Wrap(&err, "exporting.Open")
	e, err := s.Store.View().StudyExport(ctx, st.ID, id)
	if err != nil {
		return Content{}, err
	}
	if e.Status != store.ExportComplete {
		return Content{}, ErrNotReady
	}
	if c.File, err = fileOf(e); err != nil {
		return Content{}, err
	}
	if s.Objects == nil {
		return Content{}, ErrNoExport
	}
	info, err := s.Objects.Stat(ctx, e.Object)
	if errors.Is(err, blob.ErrNotFound) {
		err = ErrNoExport
	}
	if err == nil && fromBeginning {
		err = s.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.Audit(ctx, org.AuditEntry{
				OrgID: st.OrgID, UserID: caller.UserID, Action: org.AuditExportRead, Subject: st.LinkID, Detail: map[string]string{"format": string(c.Request.Format), "export": id},
			})
		})
	}
	if err != nil {
		return Content{}, err
	}
	c.ReadSeekCloser = blob.NewReader(ctx, s.Objects, e.Object, info.Size)
	return c, nil
}

// Remove removes a file, or ends its writing; ErrNoExport.
func (s *Service) Remove(ctx context.Context, caller org.Caller, st study.Study, id string) (err error) {
	defer operation.Wrap(&err, "exporting.Remove")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.RemoveStudyExport(ctx, st.ID, id); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: caller.UserID, Action: org.AuditExportRemoved, Subject: st.LinkID, Detail: map[string]string{"export": id}})
	})
}

// sweepBatch is the number of files that the sweep reads at once.
const sweepBatch = 100

// Sweep removes files whose time is over, and the objects of those that were removed. Every node may run it.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "exporting.Sweep")
	if s.Objects == nil {
		return errNoObjects
	}
	if err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.ExpireStudyExports(ctx) }); err != nil {
		return err
	}
	for {
		removed, err := s.Store.View().RemovedExports(ctx, "", sweepBatch)
		if err != nil {
			return err
		}
		for _, e := range removed {
			if err := s.Objects.DeletePrefix(ctx, store.ExportFolder(e.ID)); err != nil {
				return err
			}
			if err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropStudyExport(ctx, e.ID) }); err != nil {
				return err
			}
		}
		if len(removed) < sweepBatch {
			return nil
		}
	}
}

// auditedFilter returns a filter for the audit log, which is kept for ever: without link parameters and words, which may be of a person.
func auditedFilter(query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return ""
	}
	for _, name := range []string{"parameter", "q"} {
		if values.Get(name) != "" {
			values.Set(name, "…")
		}
	}
	text, _ := url.QueryUnescape(values.Encode())
	return text
}
