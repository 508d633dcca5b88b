package access

import (
	"context"
	"slices"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// StudyMember is a member of a study's organization.
type StudyMember struct {
	org.Membership
	Granted   bool // has a grant on the study
	MayChange bool // by role, as the creator, or by a grant
}

// StudyMembers lists the members of a study's organization with what they may do with the study.
func (s *Service) StudyMembers(ctx context.Context, of study.Study) (all []StudyMember, err error) {
	defer operation.Wrap(&err, "access.StudyMembers")
	view := s.Store.View()
	members, err := view.Members(ctx, of.OrgID)
	if err != nil {
		return nil, err
	}
	granted, err := view.GrantedOn(ctx, of.ID, org.StartRecruitment)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		has := slices.Contains(granted, m.User.ID)
		all = append(all, StudyMember{m, has, study.MayLaunch(of, org.Caller{OrgID: of.OrgID, UserID: m.User.ID, Role: m.Role}, has)})
	}
	return all, nil
}

// ShareStudy gives a member of a study's organization the right to change and launch it, or takes the grant back; study.ErrNotFound for somebody
// else, org.ErrNoGrant where there is none to take back.
func (s *Service) ShareStudy(ctx context.Context, caller org.Caller, of study.Study, userID string, share bool) (err error) {
	defer operation.Wrap(&err, "access.ShareStudy")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		change, action := tx.RevokeStudyGrant, org.AuditGrantEnded
		if share {
			change, action = tx.GrantStudy, org.AuditGranted
		}
		if err := change(ctx, of.ID, userID, org.StartRecruitment); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: of.OrgID, UserID: caller.UserID, Action: action, Subject: of.LinkID, Detail: map[string]string{"user": userID}})
	})
}
