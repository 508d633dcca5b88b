package access

import (
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// IsInstanceAdmin reports whether a user may see and try the parts of the installation: an admin of its oldest organization, and whoever the
// operator allowed it.
func (s *Service) IsInstanceAdmin(ctx context.Context, userID string) (_ bool, err error) {
	defer operation.Wrap(&err, "access.IsInstanceAdmin")
	return s.Store.View().IsInstanceAdmin(ctx, userID)
}

// SetInstanceAdmin allows a user to see and try the parts of the installation, or takes that back; org.ErrNoUser. The audit log of each
// organization of the user has it.
func (s *Service) SetInstanceAdmin(ctx context.Context, userID string, allowed bool) (user org.User, err error) {
	defer operation.Wrap(&err, "access.SetInstanceAdmin")
	set, action := (*store.Tx).GrantInstance, org.AuditInstanceAdmin
	if !allowed {
		set, action = (*store.Tx).RevokeInstance, org.AuditNoInstanceAdmin
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if user, _, err = tx.CredentialOf(ctx, userID); err != nil {
			return err
		}
		changed, err := set(tx, ctx, userID)
		if err != nil || !changed {
			return err
		}
		memberships, err := tx.MembershipsOf(ctx, userID)
		for _, m := range memberships {
			if err = tx.Audit(ctx, org.AuditEntry{OrgID: m.OrgID, Action: action, Subject: userID}); err != nil {
				break
			}
		}
		return err
	})
	return user, err
}
