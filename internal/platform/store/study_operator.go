package store

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// OperatedStudy is a study with the name of its organization, for the operator.
type OperatedStudy struct {
	study.Study
	OrgName string
}

// OperatorStudies lists the newest studies of an organization, or of all organizations if orgID is empty, newest first.
func (v *View) OperatorStudies(ctx context.Context, orgID string, limit int) ([]OperatedStudy, error) {
	of, args := "", []any{limit}
	if orgID != "" {
		of, args = " and s.org_id = $2", append(args, orgID)
	}
	return collect(ctx, v, func(r scanner) (s OperatedStudy, err error) {
		s.Study, err = scanStudy(r, &s.OrgName)
		return s, err
	}, selectStudy+`, o.name from study s join org o on o.id = s.org_id
		where s.deleted_at is null`+of+` order by s.created_at desc, s.id desc limit $1`, args...)
}

// SetStudyStatus changes a study's status from one to another; study.ErrConflict if it has a different status by now.
func (tx *Tx) SetStudyStatus(ctx context.Context, id string, from, to study.Status) error {
	n, err := tx.exec(ctx, `update study set status = $1, updated_at = $2 where id = $3 and status = $4 and deleted_at is null`,
		to, micros(tx.at), id, from)
	if err == nil && n == 0 {
		return study.ErrConflict
	}
	return err
}

// ResponseCount is the number of responses of a study with the same progress and flags.
type ResponseCount struct {
	Progress  response.Progress
	Abandoned bool
	Hidden    bool
	Count     int
}

// ResponseCounts counts the responses of a study by their progress and flags. Those that are being deleted do not count.
func (v *View) ResponseCounts(ctx context.Context, studyID string) ([]ResponseCount, error) {
	return collect(ctx, v, func(r scanner) (c ResponseCount, err error) {
		return c, r.Scan(&c.Progress, &c.Abandoned, &c.Hidden, &c.Count)
	}, `select progress, abandoned, hidden, count(*)
		from response
		where study_id = $1 and deleted_at is null
		group by progress, abandoned, hidden
		order by progress, abandoned, hidden`, studyID)
}

// StudyGrant is a permission of a user on one study.
type StudyGrant struct {
	User       org.User
	Permission org.Permission
	CreatedAt  time.Time
}

// StudyGrants lists the permissions of users on a study, oldest first.
func (v *View) StudyGrants(ctx context.Context, studyID string) ([]StudyGrant, error) {
	return collect(ctx, v, func(r scanner) (g StudyGrant, err error) {
		return g, r.Scan(&g.User.ID, &g.User.Email, &g.User.Name, &g.Permission, nullTime{&g.CreatedAt})
	}, `select p.id, p.email, p.name, g.permission, g.created_at
		from study_grant g
		join person p on p.id = g.user_id
		where g.study_id = $1
		order by g.created_at, p.id`, studyID)
}

// RevokeStudyGrant removes a permission on a study; org.ErrNoGrant.
func (tx *Tx) RevokeStudyGrant(ctx context.Context, studyID, userID string, p org.Permission) error {
	n, err := tx.exec(ctx, `delete from study_grant where study_id = $1 and user_id = $2 and permission = $3`, studyID, userID, p)
	if err == nil && n == 0 {
		return org.ErrNoGrant
	}
	return err
}
