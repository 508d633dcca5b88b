package store

import (
	"context"
	"encoding/json"

	"verbatim/internal/domain/workingcopy"
)

const selectVersion = `select g.study_id, g.version, g.valid, g.revision, g.origin, g.restored, g.user_id, g.summary, g.began_at, g.saved_at,
	case when p.name = '' then p.email else p.name end`

const fromVersion = `
		from guide_version g
		left join person p on p.id = g.user_id`

// scanVersion reads the columns of selectVersion, then those that the query adds.
func scanVersion(r scanner, more ...any) (g workingcopy.Version, err error) {
	var summary []byte
	dest := []any{
		&g.StudyID, &g.Number, &g.Valid, &g.Revision, &g.Origin, &g.Restored, &g.UserID, &summary, nullTime{&g.Began}, nullTime{&g.At}, nullText{&g.UserName},
	}
	if err := r.Scan(append(dest, more...)...); err != nil {
		return g, err
	}
	return g, json.Unmarshal(summary, &g.Summary)
}

// NewestVersion returns the newest stored version of the working copy of a study; workingcopy.ErrNoVersion.
func (v *View) NewestVersion(ctx context.Context, studyID string) (g workingcopy.Version, err error) {
	var guide []byte
	g, err = scanVersion(v.q.QueryRowContext(ctx, selectVersion+`, g.guide`+fromVersion+`
		where g.study_id = $1
		order by g.version desc
		limit 1`, studyID), &guide)
	g.Guide = guide
	return g, noRowsAs(err, workingcopy.ErrNoVersion)
}

// Version returns a stored version of the working copy of a study; workingcopy.ErrNoVersion.
func (v *View) Version(ctx context.Context, studyID string, number int) (g workingcopy.Version, err error) {
	var guide []byte
	g, err = scanVersion(v.q.QueryRowContext(ctx, selectVersion+`, g.guide`+fromVersion+`
		where g.study_id = $1 and g.version = $2`, studyID, number), &guide)
	g.Guide = guide
	return g, noRowsAs(err, workingcopy.ErrNoVersion)
}

// Versions lists stored versions of the working copy of a study without their guides, newest first: those before a number, or from the
// newest where it is 0.
func (v *View) Versions(ctx context.Context, studyID string, before, limit int) ([]workingcopy.Version, error) {
	return collect(ctx, v, func(r scanner) (workingcopy.Version, error) { return scanVersion(r) }, selectVersion+fromVersion+`
		where g.study_id = $1 and (cast($2 as bigint) = 0 or g.version < $2)
		order by g.version desc
		limit cast($3 as bigint)`, studyID, before, limit)
}

// AddVersion stores a version of the working copy of a study.
func (tx *Tx) AddVersion(ctx context.Context, g workingcopy.Version) error {
	summary, err := json.Marshal(g.Summary)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `insert into guide_version (study_id, version, guide, valid, revision, origin, restored, user_id, summary, began_at, saved_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		g.StudyID, g.Number, string(g.Guide), g.Valid, g.Revision, g.Origin, g.Restored, g.UserID, string(summary), micros(g.Began), micros(g.At))
	if err != nil {
		return err
	}
	return tx.noteMedia(ctx, g.StudyID, g.Guide)
}

// DropVersion removes a version of the working copy of a study.
func (tx *Tx) DropVersion(ctx context.Context, studyID string, number int) error {
	_, err := tx.exec(ctx, `delete from guide_version where study_id = $1 and version = $2`, studyID, number)
	return err
}

// PruneVersions removes the oldest versions of the working copy of a study: all but the newest count, and of these as many as together
// have at most the given number of characters, but at least one.
func (tx *Tx) PruneVersions(ctx context.Context, studyID string, count, size int) error {
	_, err := tx.exec(ctx, `delete from guide_version
		where study_id = $1 and version in (
			select kept.version
			from (
				select version, row_number() over (order by version desc) as place, sum(length(guide)) over (order by version desc) as size
				from guide_version
				where study_id = $1
			) kept
			where kept.place > cast($2 as bigint) or kept.place > 1 and kept.size > cast($3 as bigint)
		)`, studyID, count, size)
	return err
}

// PruneRevisions removes revisions of a study's guide that nobody was or will be interviewed with: those after the published one, but for
// the newest few. Of a study that was not launched they are removed only while it has no responses, since imported ones name the revision
// of their time.
func (tx *Tx) PruneRevisions(ctx context.Context, studyID string, few int) error {
	_, err := tx.exec(ctx, `delete from study_revision
		where study_id = $1
			and revision > (select s.published_revision from study s where s.id = $1 and (s.published_revision > 0 or s.last_readable_id = 0))
			and revision <= (select s.revision - cast($2 as bigint) from study s where s.id = $1)`, studyID, few)
	return err
}

// SetStudyTitle stores the title of a study whose working copy was saved without becoming a revision, if there is one, and the time.
func (tx *Tx) SetStudyTitle(ctx context.Context, studyID, title string) error {
	_, err := tx.exec(ctx, `update study set title = coalesce($1, title), updated_at = $2 where id = $3`, nullIfEmpty(title), micros(tx.at), studyID)
	return err
}

// PublishRevision makes the revision of a launched study that was read the one that new participants get, and reports whether it did: not
// if the study was edited meanwhile, or is a draft or closed.
func (tx *Tx) PublishRevision(ctx context.Context, studyID string, revision int) (published bool, err error) {
	n, err := tx.exec(ctx, `update study
		set published_revision = revision, updated_at = $1
		where id = $2 and revision = $3 and status not in ('draft', 'closed') and deleted_at is null`,
		micros(tx.at), studyID, revision)
	return n > 0, err
}

// CountChosen counts the responses of a study in which an option of an item was chosen, or, without one, in which an item was answered.
// It reads the log of every response. An id is a value of the answer's JSON where no colon follows it; replace finds it on both engines
// with regard to case.
func (v *View) CountChosen(ctx context.Context, studyID, itemID, optionID string) (n int, err error) {
	query, args := `select count(distinct t.response_id)
		from response r
		join turn t on t.response_id = r.id and t.item_id = $2 and t.kind = 'answer'
		where r.study_id = $1 and r.deleted_at is null and not r.hidden`, []any{studyID, itemID}
	if optionID != "" {
		id, err := json.Marshal(optionID)
		if err != nil {
			return 0, err
		}
		query += ` and (replace(t.body, $3, '') <> t.body or replace(t.body, $4, '') <> t.body or replace(t.body, $5, '') <> t.body)`
		args = append(args, string(id)+",", string(id)+"]", string(id)+"}")
	}
	err = v.q.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}
