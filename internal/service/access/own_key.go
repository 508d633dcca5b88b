package access

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// KeyChange holds the new values of a key. What is nil stays.
type KeyChange struct {
	Name     *string
	ReadOnly *bool
	After    *time.Duration // until it expires, from now on; 0: never
}

// ChangeKey changes a key of the caller's organization that is neither revoked nor expired, and notes it in the audit log; org.ErrRoleNeeded,
// org.ErrNoKey. Requests that are on their way may still be answered by the former limits.
func (s *Service) ChangeKey(ctx context.Context, caller org.Caller, id string, change KeyChange) (k org.Key, err error) {
	defer operation.Wrap(&err, "access.ChangeKey")
	if !caller.Role.ManagesKeys() {
		return org.Key{}, org.ErrRoleNeeded
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if k, err = tx.Key(ctx, caller.OrgID, id); err != nil {
			return err
		}
		if !k.RevokedAt.IsZero() || !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(tx.Now()) {
			return org.ErrNoKey
		}
		detail := map[string]string{}
		if change.Name != nil && *change.Name != k.Name {
			k.Name = *change.Name
			detail["name"] = k.Name
		}
		if change.ReadOnly != nil && *change.ReadOnly != k.ReadOnly {
			k.ReadOnly = *change.ReadOnly
			detail["scope"] = map[bool]string{true: "read", false: "write"}[k.ReadOnly]
		}
		if change.After != nil {
			k.ExpiresAt = time.Time{}
			detail["expires"] = "never"
			if *change.After > 0 {
				k.ExpiresAt = tx.Now().Add(*change.After)
				detail["expires"] = k.ExpiresAt.Format(time.DateOnly)
			}
		}
		if len(detail) == 0 {
			return nil
		}
		if err := tx.SaveKey(ctx, k); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: k.OrgID, UserID: caller.UserID, Action: org.AuditKeyChanged, Subject: k.Prefix, Detail: detail})
	})
	return k, err
}
