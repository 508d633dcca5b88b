package store

import (
	"context"
	"errors"
	"time"
)

// ErrNoExport means that there is no such file of an export, or not any more.
var ErrNoExport = errors.New("export not found")

// ExportStatus is the status of a file with the responses of a study.
type ExportStatus string

// The statuses of an export.
const (
	ExportQueued   ExportStatus = "queued"
	ExportRunning  ExportStatus = "running"
	ExportComplete ExportStatus = "complete"
	ExportFailed   ExportStatus = "failed"
	ExportRemoved  ExportStatus = "removed" // for every reader it is gone; its objects are about to be
)

// StudyExport is a file with the responses of a study that is written in the background.
type StudyExport struct {
	ID, StudyID, OrgID string
	UserID, UserName   string // who asked for it
	Options            string // as the service encodes them
	Status             ExportStatus
	Done, Total        int // responses
	Newest             int // no response with a greater number is in it
	Deletions          int // of the study's responses since it was requested
	Object             string
	Size               int64 // bytes
	Unreadable         int   // responses whose answers could not be read
	Cut                int   // texts that were too long
	Missing            int   // recordings and files that are gone
	Problem            string
	RequestedAt        time.Time
	CompletedAt        time.Time // zero before
	ExpiresAt          time.Time // zero before it is complete
}

// ExportFolder returns the prefix of the names of an export's objects.
func ExportFolder(id string) string { return "exports/" + id + "/" }

const selectExport = `select e.id, e.study_id, e.org_id, e.user_id, e.options, e.status, e.done, e.total, e.newest, e.deletions, e.object, e.size,
		e.unreadable, e.texts_cut, e.files_missing, e.problem, e.requested_at, e.completed_at, e.expires_at,
		case when p.name = '' then p.email else p.name end
	from study_export e
	left join person p on p.id = e.user_id `

func scanExport(r scanner) (e StudyExport, err error) {
	return e, r.Scan(&e.ID, &e.StudyID, &e.OrgID, &e.UserID, &e.Options, &e.Status, &e.Done, &e.Total, &e.Newest, &e.Deletions, &e.Object, &e.Size,
		&e.Unreadable, &e.Cut, &e.Missing, &e.Problem, nullTime{&e.RequestedAt}, nullTime{&e.CompletedAt}, nullTime{&e.ExpiresAt}, nullText{&e.UserName})
}

// StudyExport finds an export of a study; ErrNoExport, also for one that was removed or has expired.
func (v *View) StudyExport(ctx context.Context, studyID, id string) (StudyExport, error) {
	e, err := scanExport(v.q.QueryRowContext(ctx, selectExport+`where e.id = $1 and e.study_id = $2 and e.status <> 'removed'
		and (e.expires_at is null or e.expires_at > $3)`, id, studyID, micros(v.now())))
	return e, noRowsAs(err, ErrNoExport)
}

// AnyExport finds an export of any study, for jobs; ErrNoExport.
func (v *View) AnyExport(ctx context.Context, id string) (StudyExport, error) {
	e, err := scanExport(v.q.QueryRowContext(ctx, selectExport+`where e.id = $1`, id))
	return e, noRowsAs(err, ErrNoExport)
}

// StudyExports lists the exports of a study that exist, the latest first.
func (v *View) StudyExports(ctx context.Context, studyID string) ([]StudyExport, error) {
	return collect(ctx, v, scanExport, selectExport+`where e.study_id = $1 and e.status <> 'removed'
		and (e.expires_at is null or e.expires_at > $2)
		order by e.requested_at desc, e.id desc`, studyID, micros(v.now()))
}

// ExportsUnderway lists the exports of an organization that are queued or running.
func (v *View) ExportsUnderway(ctx context.Context, orgID string) ([]StudyExport, error) {
	return collect(ctx, v, scanExport, selectExport+`where e.status in ('queued', 'running') and e.org_id = $1 order by e.requested_at`, orgID)
}

// RemovedExports lists exports of a study, or with an empty id of all, that were removed.
func (v *View) RemovedExports(ctx context.Context, studyID string, limit int) ([]StudyExport, error) {
	return collect(ctx, v, scanExport, selectExport+`where e.status = 'removed' and ($1 = '' or e.study_id = $1) order by e.id limit cast($2 as bigint)`, studyID, limit)
}

// CreateStudyExport stores an export that is to be written.
func (tx *Tx) CreateStudyExport(ctx context.Context, e StudyExport) error {
	return tx.run(ctx, `insert into study_export (id, study_id, org_id, user_id, options, status, requested_at)
		values ($1, $2, $3, $4, $5, 'queued', $6)`, e.ID, e.StudyID, e.OrgID, e.UserID, e.Options, micros(tx.at))
}

// StartStudyExport notes that an export is being written, from its beginning, and returns how many deletions it has to know of; ErrNoExport
// unless it is queued or running.
func (tx *Tx) StartStudyExport(ctx context.Context, id string) (deletions int, err error) {
	err = tx.q.QueryRowContext(ctx, `update study_export
		set status = 'running', done = 0, total = 0
		where id = $1 and status in ('queued', 'running')
		returning deletions`, id).Scan(&deletions)
	return deletions, noRowsAs(err, ErrNoExport)
}

// StudyExportProgress notes how far an export is; ErrNoExport once it was removed.
func (tx *Tx) StudyExportProgress(ctx context.Context, id string, done, total int) error {
	n, err := tx.exec(ctx, `update study_export set done = $2, total = $3 where id = $1 and status = 'running'`, id, done, total)
	if err == nil && n == 0 {
		err = ErrNoExport
	}
	return err
}

// CompleteStudyExport stores what was written. done is false if a response was deleted since it began: it may be in the file.
func (tx *Tx) CompleteStudyExport(ctx context.Context, e StudyExport) (done bool, err error) {
	n, err := tx.exec(ctx, `update study_export
		set status = 'complete', done = $3, total = $3, newest = $4, object = $5, size = $6, unreadable = $7, texts_cut = $8, files_missing = $9,
			completed_at = $10, expires_at = $11
		where id = $1 and deletions = $2 and status = 'running'`,
		e.ID, e.Deletions, e.Done, e.Newest, e.Object, e.Size, e.Unreadable, e.Cut, e.Missing, micros(tx.at), micros(e.ExpiresAt))
	return n > 0, err
}

// FailStudyExport notes that an export could not be written, and until when that is shown.
func (tx *Tx) FailStudyExport(ctx context.Context, id, problem string, until time.Time) error {
	return tx.run(ctx, `update study_export set status = 'failed', problem = $2, completed_at = $3, expires_at = $4
		where id = $1 and status in ('queued', 'running')`, id, problem, micros(tx.at), micros(until))
}

// RemoveStudyExport removes an export; ErrNoExport if there is none. Its objects go with the sweep.
func (tx *Tx) RemoveStudyExport(ctx context.Context, studyID, id string) error {
	n, err := tx.exec(ctx, `update study_export set status = 'removed' where id = $1 and study_id = $2 and status <> 'removed'`, id, studyID)
	if err == nil && n == 0 {
		err = ErrNoExport
	}
	return err
}

// ExpireStudyExports removes the exports whose time is over.
func (tx *Tx) ExpireStudyExports(ctx context.Context) error {
	return tx.run(ctx, `update study_export set status = 'removed' where expires_at <= $1 and status <> 'removed'`, micros(tx.at))
}

// DropStudyExport removes the row of a removed export.
func (tx *Tx) DropStudyExport(ctx context.Context, id string) error {
	return tx.run(ctx, `delete from study_export where id = $1 and status = 'removed'`, id)
}

// forgetExports removes the exports that a response with this number may be in. One that is completed at the same time either is there
// already, or sees that the number of deletions has changed.
func (tx *Tx) forgetExports(ctx context.Context, studyID string, number int) error {
	if err := tx.run(ctx, `update study_export set deletions = deletions + 1 where study_id = $1 and status in ('queued', 'running')`, studyID); err != nil {
		return err
	}
	return tx.run(ctx, `update study_export set status = 'removed' where study_id = $1 and status = 'complete' and newest >= $2`, studyID, number)
}
