package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
)

// CreateStudy adds a draft with its first revision. The study's id, times and link id are set here.
func (tx *Tx) CreateStudy(ctx context.Context, s study.Study, guide []byte) (study.Study, error) {
	s.ID, s.Status, s.Revision, s.CreatedAt, s.UpdatedAt = NewID(), study.Draft, 1, tx.at, tx.at
	folder, err := folderText(s.FolderPath)
	if err != nil {
		return study.Study{}, err
	}
	if s.LinkID, err = tx.freeLinkID(ctx); err != nil {
		return study.Study{}, err
	}
	if _, err := tx.exec(ctx, `insert into study (id, org_id, link_id, title, status, revision, creator_id, folder_path,
			created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, s.ID, s.OrgID, s.LinkID, s.Title, s.Status, s.Revision,
		nullIfEmpty(s.CreatorID), folder, micros(s.CreatedAt), micros(s.UpdatedAt)); err != nil {
		return study.Study{}, err
	}
	if _, err := tx.exec(ctx, `insert into study_link (link_id, study_id, created_at) values ($1, $2, $3)`, s.LinkID, s.ID, micros(tx.at)); err != nil {
		return study.Study{}, err
	}
	return s, tx.addRevision(ctx, s.ID, s.Revision, guide)
}

// freeLinkID draws link ids until one is unused in all organizations.
func (tx *Tx) freeLinkID(ctx context.Context) (string, error) {
	for range 8 {
		id := study.NewLinkID(randomBytes(study.LinkIDBytes))
		var taken bool
		if err := tx.q.QueryRowContext(ctx, `select exists (select 1 from study_link where link_id = $1)`, id).Scan(&taken); err != nil {
			return "", err
		}
		if !taken {
			return id, nil
		}
	}
	return "", errors.New("store: no free link id found")
}

func (tx *Tx) addRevision(ctx context.Context, studyID string, revision int, guide []byte) error {
	if _, err := tx.exec(ctx, `insert into study_revision (study_id, revision, guide, created_at) values ($1, $2, $3, $4)`,
		studyID, revision, string(guide), micros(tx.at)); err != nil {
		return err
	}
	return tx.noteMedia(ctx, studyID, guide)
}

// ReviseStudy stores an edited guide as the next revision; study.ErrConflict when another edit came first.
func (tx *Tx) ReviseStudy(ctx context.Context, s study.Study, guide []byte) error {
	n, err := tx.exec(ctx, `update study
		set revision = revision + 1, title = $1, updated_at = $2
		where id = $3 and org_id = $4 and revision = $5 and deleted_at is null`, s.Title, micros(tx.at), s.ID, s.OrgID, s.Revision)
	if err != nil {
		return err
	}
	if n == 0 {
		return study.ErrConflict
	}
	return tx.addRevision(ctx, s.ID, s.Revision+1, guide)
}

// RenameLink gives a study another link id. The old one still resolves. A link id that another study only used to have is
// taken over; study.ErrLinkTaken when it is another study's current one.
func (tx *Tx) RenameLink(ctx context.Context, orgID, studyID, linkID string) error {
	n, err := tx.exec(ctx, `update study set link_id = $1, updated_at = $2 where id = $3 and org_id = $4 and deleted_at is null`,
		linkID, micros(tx.at), studyID, orgID)
	if err != nil && tx.d.uniqueViolation(err) {
		return study.ErrLinkTaken
	}
	if err == nil && n == 0 {
		return study.ErrNotFound
	}
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `insert into study_link (link_id, study_id, created_at)
		values ($1, $2, $3)
		on conflict (link_id) do update set study_id = excluded.study_id, created_at = excluded.created_at`, linkID, studyID, micros(tx.at))
	return err
}

const selectStudy = `select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id,
	s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at`

// scanStudy reads the columns of selectStudy, then those that the query adds.
func scanStudy(r scanner, more ...any) (s study.Study, err error) {
	var folder string
	dest := []any{
		&s.ID, &s.OrgID, &s.LinkID, &s.Title, &s.Status, &s.Revision, &s.PublishedRevision,
		nullText{&s.CreatorID},
		nullText{&folder},
		nullText{&s.WalletID},
		&s.CompletedCount,
		nullTime{&s.CreatedAt},
		nullTime{&s.UpdatedAt},
		nullTime{&s.LaunchedAt},
	}
	if err := r.Scan(append(dest, more...)...); err != nil {
		return study.Study{}, err
	}
	if folder != "" {
		s.FolderPath, err = folderPath(folder)
	}
	return s, err
}

func folderPath(text string) (path []string, err error) {
	return path, json.Unmarshal([]byte(text), &path)
}

func folderText(path []string) (any, error) {
	if path == nil {
		return nil, nil
	}
	b, err := json.Marshal(path)
	return string(b), err
}

// Study finds a study of the organization by its id; study.ErrNotFound.
func (v *View) Study(ctx context.Context, orgID, id string) (study.Study, error) {
	s, err := scanStudy(v.q.QueryRowContext(ctx, selectStudy+` from study s where s.id = $1 and s.org_id = $2 and s.deleted_at is null`, id, orgID))
	return s, noRowsAs(err, study.ErrNotFound)
}

// Study is View.Study with the study's row locked until this transaction ends.
func (tx *Tx) Study(ctx context.Context, orgID, id string) (study.Study, error) {
	if err := tx.lock(ctx, `select id from study where id = $1`, id); err != nil {
		return study.Study{}, err
	}
	return tx.View.Study(ctx, orgID, id)
}

// StudyByLink finds a study of the organization by any link id it has or had; study.ErrNotFound.
func (v *View) StudyByLink(ctx context.Context, orgID, linkID string) (study.Study, error) {
	s, err := scanStudy(v.q.QueryRowContext(ctx, selectStudy+`
		from study_link l
		join study s on s.id = l.study_id
		where l.link_id = $1 and s.org_id = $2 and s.deleted_at is null`, linkID, orgID))
	return s, noRowsAs(err, study.ErrNotFound)
}

// StudyByRef finds a study of the organization by its id or by any link id it has or had; study.ErrNotFound.
func (v *View) StudyByRef(ctx context.Context, orgID, ref string) (study.Study, error) {
	switch {
	case study.IsUUID(ref):
		return v.Study(ctx, orgID, strings.ToLower(ref))
	case study.ValidLinkID(ref):
		return v.StudyByLink(ctx, orgID, ref)
	}
	return study.Study{}, study.ErrNotFound
}

// namedStudy returns the select of a study's id and link id by the name $1, which is ref, and the organization $2.
func namedStudy(name string) (query, ref string, err error) {
	switch {
	case study.IsUUID(name):
		return `select s.id, s.link_id from study s where s.id = $1 and s.org_id = $2 and s.deleted_at is null`, strings.ToLower(name), nil
	case study.ValidLinkID(name):
		return `select s.id, s.link_id
			from study_link l
			join study s on s.id = l.study_id
			where l.link_id = $1 and s.org_id = $2 and s.deleted_at is null`, name, nil
	}
	return "", "", study.ErrNotFound
}

// PublicStudy finds a study of any organization by any link id, for participants; study.ErrNotFound.
func (v *View) PublicStudy(ctx context.Context, linkID string) (study.Study, error) {
	s, err := scanStudy(v.q.QueryRowContext(ctx, selectStudy+`
		from study_link l
		join study s on s.id = l.study_id
		where l.link_id = $1 and s.deleted_at is null`, linkID))
	return s, noRowsAs(err, study.ErrNotFound)
}

// Studies lists the newest studies of an organization, newest first.
func (v *View) Studies(ctx context.Context, orgID string, limit int) ([]study.Listed, error) {
	return collect(ctx, v, func(r scanner) (l study.Listed, err error) {
		var name, email string
		l.Study, err = scanStudy(r, nullText{&name}, nullText{&email})
		if err == nil && l.CreatorID != "" {
			l.Creator = &study.Creator{Name: name, Email: email}
		}
		return l, err
	}, selectStudy+`, p.name, p.email from study s left join person p on p.id = s.creator_id
		where s.org_id = $1 and s.deleted_at is null order by s.created_at desc, s.id desc limit $2`, orgID, limit)
}

// StudyGuide reads the stored guide of one revision; study.ErrNotFound.
func (v *View) StudyGuide(ctx context.Context, orgID, studyID string, revision int) (guide []byte, err error) {
	err = v.q.QueryRowContext(ctx, `select r.guide
		from study_revision r
		join study s on s.id = r.study_id
		where r.study_id = $1 and r.revision = $2 and s.org_id = $3`, studyID, revision, orgID).Scan(&guide)
	return guide, noRowsAs(err, study.ErrNotFound)
}

// Publish makes the revision that was read the live one and bills it to the wallet; study.ErrConflict when the study was
// edited or launched meanwhile.
func (tx *Tx) Publish(ctx context.Context, s study.Study, walletID string) error {
	n, err := tx.exec(ctx, `update study
		set status = 'live', published_revision = revision, wallet_id = $1, launched_at = $2, updated_at = $2
		where id = $3 and org_id = $4 and revision = $5 and status = 'draft' and deleted_at is null`,
		nullIfEmpty(walletID), micros(tx.at), s.ID, s.OrgID, s.Revision)
	if err == nil && n == 0 {
		return study.ErrConflict
	}
	return err
}

// GrantStudy gives a user a permission on one study; study.ErrNotFound.
func (tx *Tx) GrantStudy(ctx context.Context, studyID, userID string, p org.Permission) error {
	if err := tx.lock(ctx, `select user_id from member where user_id = $1 and org_id = (select org_id from study where id = $2)`,
		userID, studyID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `insert into study_grant (study_id, user_id, permission, created_at)
		select s.id, m.user_id, $3, $4
		from study s
		join member m on m.org_id = s.org_id
		where s.id = $1 and m.user_id = $2
		on conflict (study_id, user_id, permission) do update set created_at = study_grant.created_at`, studyID, userID, p, micros(tx.at))
	if err == nil && n == 0 {
		return study.ErrNotFound
	}
	return err
}

// HasStudyGrant reports whether a user has a permission on a study.
func (v *View) HasStudyGrant(ctx context.Context, studyID, userID string, p org.Permission) (granted bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from study_grant where study_id = $1 and user_id = $2 and permission = $3)`,
		studyID, userID, p).Scan(&granted)
	return granted, err
}

// GrantedOn lists the ids of the users who have a permission on a study.
func (v *View) GrantedOn(ctx context.Context, studyID string, p org.Permission) ([]string, error) {
	return collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) }, `select user_id
		from study_grant
		where study_id = $1 and permission = $2
		order by user_id`, studyID, p)
}

// OperatorStudy finds a study of any organization by its id, for the operator; study.ErrNotFound.
func (v *View) OperatorStudy(ctx context.Context, id string) (study.Study, error) {
	s, err := scanStudy(v.q.QueryRowContext(ctx, selectStudy+` from study s where s.id = $1 and s.deleted_at is null`, id))
	return s, noRowsAs(err, study.ErrNotFound)
}

// AnyStudy finds a study of any organization, also in the trash or purged; study.ErrNotFound.
func (v *View) AnyStudy(ctx context.Context, id string) (study.Study, error) {
	s, err := scanStudy(v.q.QueryRowContext(ctx, selectStudy+` from study s where s.id = $1`, id))
	return s, noRowsAs(err, study.ErrNotFound)
}
