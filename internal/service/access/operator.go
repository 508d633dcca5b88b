package access

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// ErrNoName refuses an organization without a name. Its text is shown to operators.
var ErrNoName = errors.New("a name is needed")

// CreateOrg adds an organization; ErrNoName.
func (s *Service) CreateOrg(ctx context.Context, name string) (o org.Organization, err error) {
	defer operation.Wrap(&err, "access.CreateOrg")
	if strings.TrimSpace(name) == "" {
		return org.Organization{}, ErrNoName
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		o, err = tx.CreateOrg(ctx, name)
		return err
	})
	return o, err
}

// UpdateOrg applies change to an organization and saves it; org.ErrNotFound, ErrNoName.
func (s *Service) UpdateOrg(ctx context.Context, id string, change func(*org.Organization)) (o org.Organization, err error) {
	defer operation.Wrap(&err, "access.UpdateOrg")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if o, err = tx.Org(ctx, id); err != nil {
			return err
		}
		change(&o)
		if strings.TrimSpace(o.Name) == "" {
			return ErrNoName
		}
		if err := tx.SaveOrg(ctx, o); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: id, Action: org.AuditOrgChanged, Detail: map[string]string{"name": o.Name, "colour": o.Colour.String(), "logo": o.Logo.File}})
	})
	return o, err
}

// Orgs lists every organization, oldest first.
func (s *Service) Orgs(ctx context.Context) (_ []org.Organization, err error) {
	defer operation.Wrap(&err, "access.Orgs")
	return s.Store.View().Orgs(ctx)
}

// CreateUser makes a person a member of an organization. A person with a known e-mail address, in any letter case, keeps the
// stored name; the role of an existing member is changed. org.ErrNotFound if there is no such organization, and an error with a
// text for people if the address is invalid.
func (s *Service) CreateUser(ctx context.Context, orgID, email, name string, role org.Role) (user org.User, err error) {
	defer operation.Wrap(&err, "access.CreateUser")
	email = strings.ToLower(strings.TrimSpace(email))
	if err := org.CheckEmail(email); err != nil {
		return org.User{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Org(ctx, orgID); err != nil {
			return err
		}
		user, err = tx.UserByEmail(ctx, email)
		if errors.Is(err, org.ErrNoUser) {
			user, err = tx.CreateUser(ctx, email, name)
		}
		if err != nil {
			return err
		}
		if err := tx.SetMember(ctx, orgID, user.ID, role); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: orgID, Action: org.AuditPersonAdded, Subject: user.ID, Detail: map[string]string{"role": string(role)}})
	})
	return user, err
}

// RemoveUser ends a membership: the user's keys of that organization are refused from then on. org.ErrNoUser.
func (s *Service) RemoveUser(ctx context.Context, orgID, userID string) (err error) {
	defer operation.Wrap(&err, "access.RemoveUser")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.RemoveMember(ctx, orgID, userID); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: orgID, Action: org.AuditRemoved, Subject: userID})
	})
}

// CreateKey creates a key that acts for a member of any role, and returns it with its stored record. The key itself is not
// stored: this is the only time it can be seen. org.ErrNoUser if the user is not a member. Only operators may call it; if users
// create keys themselves, org.Role.ManagesKeys decides who may.
func (s *Service) CreateKey(ctx context.Context, orgID, userID, name string) (kept org.Key, key string, err error) {
	defer operation.Wrap(&err, "access.CreateKey")
	return s.CreateLimitedKey(ctx, orgID, userID, name, org.KeyLimits{})
}

// ErrExpired refuses to create a key that would already be expired. Its text is shown to operators.
var ErrExpired = errors.New("the key would be expired already")

// CreateLimitedKey is CreateKey for a key with limits; it also returns ErrExpired.
func (s *Service) CreateLimitedKey(ctx context.Context, orgID, userID, name string, limits org.KeyLimits) (kept org.Key, key string, err error) {
	defer operation.Wrap(&err, "access.CreateLimitedKey")
	if !limits.ExpiresAt.IsZero() && !limits.ExpiresAt.After(s.now()) {
		return org.Key{}, "", ErrExpired
	}
	return s.createKey(ctx, org.Key{OrgID: orgID, UserID: userID, Name: name, KeyLimits: limits}, func(tx *store.Tx, k org.Key) error {
		return tx.Audit(ctx, org.AuditEntry{OrgID: k.OrgID, Action: org.AuditKeyCreated, Subject: k.Prefix, Detail: map[string]string{"name": k.Name}})
	})
}

// createKey creates a key in one transaction with note.
func (s *Service) createKey(ctx context.Context, wanted org.Key, note func(*store.Tx, org.Key) error) (kept org.Key, key string, err error) {
	wanted.ExpiresAt = wanted.ExpiresAt.UTC().Truncate(time.Microsecond)
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: crypto/rand ends the program instead
	key = org.FormatKey(secret)
	wanted.Prefix = org.KeyPrefix(key)
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err = tx.Member(ctx, wanted.OrgID, wanted.UserID); err != nil {
			return err
		}
		if kept, err = tx.CreateKey(ctx, wanted, org.HashKey(key)); err != nil {
			return err
		}
		return note(tx, kept)
	})
	if err != nil {
		return org.Key{}, "", err
	}
	return kept, key, nil
}

// CreateOwnKey creates a key that acts for the caller, whose role must manage keys; org.ErrRoleNeeded. It expires after a time; 0: never. The
// audit log of the organization has it.
func (s *Service) CreateOwnKey(ctx context.Context, caller org.Caller, name string, limits org.KeyLimits, after time.Duration) (kept org.Key, key string, err error) {
	defer operation.Wrap(&err, "access.CreateOwnKey")
	if !caller.Role.ManagesKeys() {
		return org.Key{}, "", org.ErrRoleNeeded
	}
	if after > 0 {
		limits.ExpiresAt = s.now().Add(after)
	}
	return s.createKey(ctx, org.Key{OrgID: caller.OrgID, UserID: caller.UserID, Name: name, KeyLimits: limits}, func(tx *store.Tx, k org.Key) error {
		return tx.Audit(ctx, org.AuditEntry{OrgID: k.OrgID, UserID: caller.UserID, Action: org.AuditKeyCreated, Subject: k.Prefix, Detail: map[string]string{"name": k.Name}})
	})
}

// RevokeOrgKey revokes a key of the caller's organization, whose role must manage keys; org.ErrRoleNeeded, org.ErrNoKey. Revoking again changes
// nothing.
func (s *Service) RevokeOrgKey(ctx context.Context, caller org.Caller, id string) (err error) {
	defer operation.Wrap(&err, "access.RevokeOrgKey")
	if !caller.Role.ManagesKeys() {
		return org.ErrRoleNeeded
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		k, err := tx.RevokeKey(ctx, id, "")
		if err != nil {
			return err
		}
		if k.OrgID != caller.OrgID {
			return org.ErrNoKey // the transaction is rolled back
		}
		if !k.RevokedAt.Equal(tx.Now()) { // it was revoked before
			return nil
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: k.OrgID, UserID: caller.UserID, Action: org.AuditKeyRevoked, Subject: k.Prefix, Detail: map[string]string{"name": k.Name}})
	})
}

// ListKeys returns an organization's keys, oldest first, including revoked and expired ones; org.ErrNotFound.
func (s *Service) ListKeys(ctx context.Context, orgID string) (_ []org.Key, err error) {
	defer operation.Wrap(&err, "access.ListKeys")
	view := s.Store.View()
	if _, err := view.Org(ctx, orgID); err != nil {
		return nil, err
	}
	return view.Keys(ctx, orgID)
}

// RevokeKey revokes a key, given its id or the key itself; org.ErrNoKey. Revoking again changes nothing.
func (s *Service) RevokeKey(ctx context.Context, idOrKey string) (k org.Key, err error) {
	defer operation.Wrap(&err, "access.RevokeKey")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if k, err = tx.RevokeKey(ctx, idOrKey, org.HashKey(idOrKey)); err != nil || !k.RevokedAt.Equal(tx.Now()) {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: k.OrgID, Action: org.AuditKeyRevoked, Subject: k.Prefix, Detail: map[string]string{"name": k.Name}})
	})
	return k, err
}

// GrantStudy gives a user a permission on one study; study.ErrNotFound if there is no such study, or the user is not a member
// of its organization.
func (s *Service) GrantStudy(ctx context.Context, studyID, userID string, p org.Permission) (err error) {
	defer operation.Wrap(&err, "access.GrantStudy")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.GrantStudy(ctx, studyID, userID, p); err != nil {
			return err
		}
		return auditGrant(ctx, tx, studyID, userID, org.AuditStudyGranted, p)
	})
}

// RevokeStudyGrant revokes a permission on one study; org.ErrNoGrant.
func (s *Service) RevokeStudyGrant(ctx context.Context, studyID, userID string, p org.Permission) (err error) {
	defer operation.Wrap(&err, "access.RevokeStudyGrant")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.RevokeStudyGrant(ctx, studyID, userID, p); err != nil {
			return err
		}
		return auditGrant(ctx, tx, studyID, userID, org.AuditStudyRevoked, p)
	})
}

// auditGrant adds an entry about a permission on a study to the audit log.
func auditGrant(ctx context.Context, tx *store.Tx, studyID, userID, action string, p org.Permission) error {
	st, err := tx.AnyStudy(ctx, studyID)
	if err != nil {
		return err
	}
	return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, Action: action, Subject: st.LinkID, Detail: map[string]string{"user": userID, "permission": string(p)}})
}
