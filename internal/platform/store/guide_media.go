package store

import (
	"context"
	"encoding/hex"
	"iter"
	"slices"
	"time"

	"verbatim/internal/domain/guidemedia"
)

const selectMedia = `select m.id, m.org_id, m.study_id, m.user_id, m.kind, m.stage, m.name, m.size, m.received, m.parts, m.file, m.stored, m.width, m.height,
		m.duration_us, m.problem, m.created_at, m.used_at
	from guide_media m `

func scanMedia(r scanner) (m guidemedia.Media, err error) {
	var micro int64
	err = r.Scan(&m.ID, &m.OrgID, &m.StudyID, &m.UserID, &m.Kind, &m.Stage, &m.Name, &m.Size, &m.Received, &m.Parts, &m.File, &m.Stored, &m.Width, &m.Height,
		&micro, &m.Problem, nullTime{&m.CreatedAt}, nullTime{&m.UsedAt})
	m.Duration = time.Duration(micro) * time.Microsecond
	return m, err
}

// CreateGuideMedia stores an upload of which nothing has arrived. Its id and times are set here; guidemedia.ErrFull where the files of the
// organization would be larger than limit.
func (tx *Tx) CreateGuideMedia(ctx context.Context, m guidemedia.Media, limit int64) (guidemedia.Media, error) {
	if err := tx.lock(ctx, `select id from org where id = $1`, m.OrgID); err != nil {
		return m, err
	}
	used, err := tx.MediaBytes(ctx, m.OrgID)
	if err != nil {
		return m, err
	}
	if used+m.Size > limit {
		return m, guidemedia.ErrFull
	}
	m.ID, m.Stage, m.CreatedAt, m.UsedAt = hex.EncodeToString(randomBytes(16)), guidemedia.Uploading, tx.at, tx.at
	return m, tx.run(ctx, `insert into guide_media (id, org_id, study_id, user_id, kind, stage, name, size, created_at, used_at)
		values ($1, $2, $3, $4, '', $5, $6, $7, $8, $8)`, m.ID, m.OrgID, m.StudyID, m.UserID, m.Stage, m.Name, m.Size, micros(tx.at))
}

// MediaBytes returns how much the files for the guides of an organization take, those on their way in as a whole.
func (v *View) MediaBytes(ctx context.Context, orgID string) (bytes int64, err error) {
	err = v.q.QueryRowContext(ctx, `select cast(coalesce(sum(case when stage in ('uploading', 'queued') then size else stored end), 0) as bigint)
		from guide_media
		where org_id = $1`, orgID).Scan(&bytes)
	return bytes, err
}

// GuideMedia finds a file of an organization; guidemedia.ErrNotFound.
func (v *View) GuideMedia(ctx context.Context, orgID, id string) (guidemedia.Media, error) {
	m, err := scanMedia(v.q.QueryRowContext(ctx, selectMedia+`where m.id = $1 and m.org_id = $2`, id, orgID))
	return m, noRowsAs(err, guidemedia.ErrNotFound)
}

// AnyGuideMedia finds a file of any organization, for jobs; guidemedia.ErrNotFound.
func (v *View) AnyGuideMedia(ctx context.Context, id string) (guidemedia.Media, error) {
	m, err := scanMedia(v.q.QueryRowContext(ctx, selectMedia+`where m.id = $1`, id))
	return m, noRowsAs(err, guidemedia.ErrNotFound)
}

// StudyMedia lists the files that were uploaded for a study or that its guides name, the newest first.
func (v *View) StudyMedia(ctx context.Context, orgID, studyID string, limit int) ([]guidemedia.Media, error) {
	return collect(ctx, v, scanMedia, selectMedia+`where m.org_id = $1
			and (m.study_id = $2 or exists (select 1 from guide_media_use u where u.media_id = m.id and u.study_id = $2))
		order by m.created_at desc, m.id
		limit cast($3 as bigint)`, orgID, studyID, limit)
}

// AppendGuideMedia notes that the next bytes of an upload arrived as an object; guidemedia.ErrOffset if others came first, or it is not open.
func (tx *Tx) AppendGuideMedia(ctx context.Context, m guidemedia.Media, object string, size int64) error {
	n, err := tx.exec(ctx, `update guide_media
		set received = received + cast($3 as bigint), parts = parts + 1, kind = $4, used_at = $5
		where id = $1 and received = $2 and stage = 'uploading'`, m.ID, m.Received, size, m.Kind, micros(tx.at))
	if err == nil && n == 0 {
		err = guidemedia.ErrOffset
	}
	if err != nil {
		return err
	}
	return tx.run(ctx, `insert into guide_media_part (media_id, seq, object, size) values ($1, $2, $3, $4)`, m.ID, m.Parts, object, size)
}

// GuideMediaParts lists the names of the objects of an upload, in order.
func (v *View) GuideMediaParts(ctx context.Context, id string) ([]string, error) {
	return collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) }, `select object from guide_media_part where media_id = $1 order by seq`, id)
}

// AdvanceGuideMedia stores that a file got from one stage to that of m, with what is known of it there, and reports whether it was still at the first.
func (tx *Tx) AdvanceGuideMedia(ctx context.Context, m guidemedia.Media, from guidemedia.Stage) (advanced bool, err error) {
	n, err := tx.exec(ctx, `update guide_media
		set stage = $3, kind = $4, file = $5, stored = $6, width = $7, height = $8, duration_us = $9, problem = $10, used_at = $11
		where id = $1 and stage = $2`, m.ID, from, m.Stage, m.Kind, m.File, m.Stored, m.Width, m.Height, m.Duration.Microseconds(), m.Problem, micros(tx.at))
	if err != nil || n == 0 || m.Stage == guidemedia.Queued {
		return n > 0, err
	}
	return true, tx.run(ctx, `delete from guide_media_part where media_id = $1`, m.ID)
}

// DropGuideMedia removes a file in a stage, and reports whether there was one.
func (tx *Tx) DropGuideMedia(ctx context.Context, id string, stage guidemedia.Stage) (dropped bool, err error) {
	n, err := tx.exec(ctx, `delete from guide_media where id = $1 and stage = $2`, id, stage)
	return n > 0, err
}

// DueGuideMedia lists files that may have to be removed: those that were not completed and have rested since a time, and complete ones that were
// last known to be used before another.
func (v *View) DueGuideMedia(ctx context.Context, restedSince, usedBefore time.Time, limit int) ([]guidemedia.Media, error) {
	return collect(ctx, v, scanMedia, selectMedia+`where m.used_at <= $1 and (m.stage in ('uploading', 'failed') or m.stage = 'ready' and m.used_at <= $2)
		order by m.used_at, m.id
		limit cast($3 as bigint)`, micros(restedSince), micros(usedBefore), limit)
}

// GuideMediaUsed reports whether a revision or version of a guide of the file's organization names it. It reads the guides of the studies that are
// known to have named it, and, if none does any more, all of them.
func (v *View) GuideMediaUsed(ctx context.Context, m guidemedia.Media) (used bool, err error) {
	for _, studies := range []string{
		`select u.study_id from guide_media_use u where u.media_id = $1`,
		`select s.id from study s where s.org_id = (select o.org_id from guide_media o where o.id = $1)`,
	} {
		err = v.q.QueryRowContext(ctx, `select exists (select 1 from study_revision r where r.study_id in (`+studies+`) and r.guide like $2)
			or exists (select 1 from guide_version g where g.study_id in (`+studies+`) and g.guide like $2)`, m.ID, "%"+m.ID+"%").Scan(&used)
		if err != nil || used {
			return used, err
		}
	}
	return false, nil
}

// TouchGuideMedia notes that a file is in use now.
func (tx *Tx) TouchGuideMedia(ctx context.Context, id string) error {
	return tx.run(ctx, `update guide_media set used_at = $2 where id = $1`, id, micros(tx.at))
}

// noteMedia notes which files of its organization a study's guide names.
func (tx *Tx) noteMedia(ctx context.Context, studyID string, guide []byte) error {
	for ids := range slices.Chunk(guidemedia.IDsIn(string(guide)), 100) {
		_, err := tx.exec(ctx, `insert into guide_media_use (media_id, study_id)
			select m.id, s.id
			from guide_media m
			join study s on s.org_id = m.org_id
			where s.id in `+tx.d.placeholders(1, 1)+` and m.id in `+tx.d.placeholders(2, len(ids))+`
			on conflict (media_id, study_id) do nothing`, append([]any{studyID}, anySlice(ids)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// GuideMediaObjects yields the names of the objects of complete files. An error ends it.
func (v *View) GuideMediaObjects(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		const batch = 500
		for last := ""; ; {
			page, err := collect(ctx, v, scanMedia, selectMedia+`where m.id > $1 and m.stage = 'ready' order by m.id limit cast($2 as bigint)`, last, batch)
			if err != nil {
				yield("", err)
				return
			}
			for _, m := range page {
				if !yield(m.Folder()+m.File, nil) {
					return
				}
				last = m.ID
			}
			if len(page) < batch {
				return
			}
		}
	}
}
