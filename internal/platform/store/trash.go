package store

import (
	"context"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
)

// SaveFolder moves a study into a folder; study.ErrNotFound.
func (tx *Tx) SaveFolder(ctx context.Context, studyID string, path []string) error {
	folder, err := folderText(path)
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update study set folder_path = $1, updated_at = $2 where id = $3 and deleted_at is null`, folder, micros(tx.at), studyID)
	if err == nil && n == 0 {
		err = study.ErrNotFound
	}
	return err
}

// Folder is a folder and the number of studies in it.
type Folder struct {
	Path    []string
	Studies int
}

// Folders lists the folders that studies of an organization are in, and those that people made.
func (v *View) Folders(ctx context.Context, orgID string) ([]Folder, error) {
	return collect(ctx, v, func(r scanner) (f Folder, err error) {
		var text string
		if err = r.Scan(&text, &f.Studies); err == nil {
			f.Path, err = folderPath(text)
		}
		return f, err
	}, `select f.folder_path, cast(sum(f.studies) as bigint)
		from (
			select s.folder_path, count(*) as studies
			from study s
			where s.org_id = $1 and s.deleted_at is null and s.folder_path is not null and s.folder_path <> '[]'
			group by s.folder_path
			union all
			select m.folder_path, 0
			from study_folder m
			where m.org_id = $1
		) f
		group by f.folder_path
		order by f.folder_path`, orgID)
}

// Trash puts a study into the trash: no other read finds it from then on; study.ErrNotFound.
func (tx *Tx) Trash(ctx context.Context, studyID, userID string) error {
	n, err := tx.exec(ctx, `update study set deleted_at = $1, trashed_by = $2 where id = $3 and deleted_at is null`, micros(tx.at), userID, studyID)
	if err == nil && n == 0 {
		err = study.ErrNotFound
	}
	return err
}

// Untrash takes a study out of the trash; study.ErrNotFound if it is not there.
func (tx *Tx) Untrash(ctx context.Context, studyID string, since time.Time) error {
	n, err := tx.exec(ctx, `update study
		set deleted_at = null, trashed_by = null, updated_at = $1
		where id = $2 and deleted_at > $3 and purged_at is null`, micros(tx.at), studyID, micros(since))
	if err == nil && n == 0 {
		err = study.ErrNotFound
	}
	return err
}

// TrashedStudy is a study in the trash.
type TrashedStudy struct {
	study.Listed
	TrashedAt time.Time
	Granted   bool // the user who asked has a permission on it
}

// TrashedStudies lists the studies that were put into an organization's trash after a time, the last one first.
func (v *View) TrashedStudies(ctx context.Context, orgID, userID string, since time.Time, limit int) ([]TrashedStudy, error) {
	return collect(ctx, v, func(r scanner) (t TrashedStudy, err error) {
		var name, email string
		t.Study, err = scanStudy(r, nullTime{&t.TrashedAt}, &t.Granted, nullText{&name}, nullText{&email})
		if t.CreatorID != "" {
			t.Creator = &study.Creator{Name: name, Email: email}
		}
		return t, err
	}, selectStudy+`, s.deleted_at, exists (select 1 from study_grant g where g.study_id = s.id and g.user_id = $4), p.name, p.email
		from study s
		left join person p on p.id = s.creator_id
		where s.org_id = $1 and s.deleted_at > $2 and s.purged_at is null
		order by s.deleted_at desc, s.id
		limit cast($3 as bigint)`, orgID, micros(since), limit, userID)
}

// TrashedForUser finds a study that was put into the trash after a time, as StudyForUser finds others; study.ErrNotFound.
func (v *View) TrashedForUser(ctx context.Context, userID, ref string, since time.Time) (s study.Listed, m org.NamedMembership, err error) {
	return v.studyForUser(ctx, userID, ref, `s.deleted_at > $3 and s.purged_at is null`, micros(since))
}

// StudiesToPurge lists studies that were put into the trash before a time and are not purged, the first one first. Those that a legal hold
// protects are left out.
func (v *View) StudiesToPurge(ctx context.Context, before time.Time, limit int) ([]study.Study, error) {
	return collect(ctx, v, func(r scanner) (study.Study, error) { return scanStudy(r) }, selectStudy+`
		from study s
		where s.deleted_at <= $1 and s.purged_at is null
			and not exists (select 1 from retention_rule h where h.org_id = s.org_id and h.study_id in ('', s.id) and h.legal_hold)
		order by s.deleted_at, s.id
		limit cast($2 as bigint)`, micros(before), limit)
}

// LiveResponses lists the ids of responses of a study that are not deleted, whatever became of the study.
func (v *View) LiveResponses(ctx context.Context, studyID string, limit int) ([]string, error) {
	return collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) }, `select id
		from response
		where study_id = $1 and deleted_at is null
		order by id
		limit cast($2 as bigint)`, studyID, limit)
}

// purgeStudy removes what a study $1 has besides its responses. Its row stays, for receipts and billing name it.
var purgeStudy = []string{
	`delete from guide_version where study_id = $1`,
	`delete from translation where study_id = $1`,
	`delete from study_report where study_id = $1`,
	`delete from theme_change where study_id = $1`,
	`delete from code_frame where study_id = $1`,
	`delete from study_grant where study_id = $1`,
	`delete from consent_text where study_id = $1`,
	`delete from guide_media_use where study_id = $1`,
	`delete from guide_presence where study_id = $1`,
	`delete from study_link where study_id = $1`,
	`delete from study_revision where study_id = $1`,
	`delete from annotation_tag where study_id = $1`,
}

// PurgeStudy removes what a study in the trash has besides its responses, and reports whether that was still to do. The caller has deleted
// the responses.
func (tx *Tx) PurgeStudy(ctx context.Context, studyID string) (purged bool, err error) {
	n, err := tx.exec(ctx, `update study
		set purged_at = $1, title = '', folder_path = null, link_id = $2
		where id = $3 and deleted_at is not null and purged_at is null`, micros(tx.at), "gone-"+strings.ReplaceAll(studyID, "-", ""), studyID)
	if err != nil || n == 0 {
		return false, err
	}
	for _, statement := range purgeStudy {
		if _, err := tx.exec(ctx, statement, studyID); err != nil {
			return false, err
		}
	}
	return true, nil
}
