package signin

import (
	"context"
	"errors"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// People are the members of an organization and who is invited.
type People struct {
	Members     []org.SigningMember
	Invitations []org.Token
	Mails       map[string]store.Mail // that bring invitations, by the invitation's id; none where the link was copied
}

// People lists who belongs to the caller's organization.
func (s *Service) People(ctx context.Context, caller org.Caller) (p People, err error) {
	defer operation.Wrap(&err, "signin.People")
	view := s.Store.View()
	if p.Members, err = view.SigningMembers(ctx, caller.OrgID); err != nil {
		return People{}, err
	}
	if p.Invitations, err = view.Invitations(ctx, caller.OrgID); err != nil {
		return People{}, err
	}
	p.Mails, err = view.InvitationMails(ctx, caller.OrgID)
	return p, err
}

// Invite invites a mail address, in place of an earlier invitation; ErrEmail, org.ErrMember, *mailing.LimitError.
func (s *Service) Invite(ctx context.Context, caller org.Caller, email string, role org.Role, by Delivery) (invitation org.Token, link Link, err error) {
	defer operation.Wrap(&err, "signin.Invite")
	email = normalized(email)
	if org.CheckEmail(email) != nil {
		return org.Token{}, Link{}, ErrEmail
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		user, err := tx.UserByEmail(ctx, email)
		if err == nil {
			_, err = tx.Member(ctx, caller.OrgID, user.ID)
			if err == nil {
				return org.ErrMember
			}
		}
		if !errors.Is(err, org.ErrNoUser) {
			return err
		}
		if err := tx.RemoveInvitations(ctx, caller.OrgID, email); err != nil {
			return err
		}
		invitation, link, err = s.createLink(ctx, tx, org.Token{Kind: org.InvitationToken, OrgID: caller.OrgID, Email: email, Role: role})
		if err != nil {
			return err
		}
		if err := s.deliver(ctx, tx, caller, store.MailInvitation, email, invitation, &link, by); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditInvited, invitation.ID, map[string]string{"role": string(role), "by": link.by()})
	})
	return invitation, link, err
}

// audit adds an entry to the log of the caller's organization.
func audit(ctx context.Context, tx *store.Tx, caller org.Caller, action, subject string, detail map[string]string) error {
	return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: action, Subject: subject, Detail: detail})
}

// Withdraw withdraws an invitation; org.ErrNoInvitation.
func (s *Service) Withdraw(ctx context.Context, caller org.Caller, id string) (err error) {
	defer operation.Wrap(&err, "signin.Withdraw")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.RemoveInvitation(ctx, caller.OrgID, id)
		if err != nil {
			return err
		}
		if err := tx.RemoveMailAbout(ctx, t.ID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditUninvited, t.ID, nil)
	})
}

// ChangeRole gives a member another role and ends the member's sessions; org.ErrNoUser, org.ErrLastAdmin. Whoever changes the own role gets a
// new session.
func (s *Service) ChangeRole(ctx context.Context, caller org.Caller, userID string, role org.Role, from Browser) (changed org.SigningMember, own *SignedIn, err error) {
	defer operation.Wrap(&err, "signin.ChangeRole")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		own = nil
		member, err := s.leaving(ctx, tx, caller.OrgID, userID, role)
		if err != nil {
			return err
		}
		changed = member
		if changed.Role = role; member.Role == role {
			return nil
		}
		if err := tx.SetMember(ctx, caller.OrgID, userID, role); err != nil {
			return err
		}
		if err := tx.EndSessions(ctx, userID); err != nil {
			return err
		}
		if userID == caller.UserID {
			began, err := start(ctx, tx, member.User, from)
			if err != nil {
				return err
			}
			own = &began
		}
		return audit(ctx, tx, caller, org.AuditRoleChanged, member.User.ID, map[string]string{"from": string(member.Role), "to": string(role)})
	})
	return changed, own, err
}

// leaving returns a member whose role becomes another one, or who leaves where it is empty; org.ErrNoUser, org.ErrLastAdmin.
func (s *Service) leaving(ctx context.Context, tx *store.Tx, orgID, userID string, role org.Role) (org.SigningMember, error) {
	if err := tx.LockOrg(ctx, orgID); err != nil { // two admins must not remove each other at the same time
		return org.SigningMember{}, err
	}
	members, err := tx.SigningMembers(ctx, orgID)
	if err != nil {
		return org.SigningMember{}, err
	}
	var found *org.SigningMember
	admins := 0
	for i := range members {
		if members[i].Role == org.Admin {
			admins++
		}
		if members[i].User.ID == userID {
			found = &members[i]
		}
	}
	switch {
	case found == nil:
		return org.SigningMember{}, org.ErrNoUser
	case found.Role == org.Admin && role != org.Admin && admins == 1:
		return org.SigningMember{}, org.ErrLastAdmin
	}
	return *found, nil
}

// Remove ends a membership; org.ErrNoUser, org.ErrLastAdmin. Keys that act for the member are refused from then on.
func (s *Service) Remove(ctx context.Context, caller org.Caller, userID string) (err error) {
	defer operation.Wrap(&err, "signin.Remove")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		member, err := s.leaving(ctx, tx, caller.OrgID, userID, "")
		if err != nil {
			return err
		}
		if err := tx.RemoveMember(ctx, caller.OrgID, userID); err != nil {
			return err
		}
		if err := tx.EndSessions(ctx, userID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditRemoved, member.User.ID, nil)
	})
}

// ResetLink makes a link by which a member sets a new password, and mails it where mails are configured; org.ErrNoUser, *mailing.LimitError,
// org.ErrSharedAccount for somebody who belongs to other organizations as well, whose admins have not agreed.
func (s *Service) ResetLink(ctx context.Context, caller org.Caller, userID string, by Delivery) (link Link, err error) {
	defer operation.Wrap(&err, "signin.ResetLink")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		member, err := ownMember(ctx, tx, caller, userID)
		if err != nil {
			return err
		}
		if err := tx.RemoveTokens(ctx, org.ResetToken, userID); err != nil {
			return err
		}
		var token org.Token
		if token, link, err = s.createLink(ctx, tx, org.Token{Kind: org.ResetToken, OrgID: caller.OrgID, UserID: userID}); err != nil {
			return err
		}
		if err := s.deliver(ctx, tx, caller, store.MailReset, member.User.Email, token, &link, by); err != nil {
			return err
		}
		return audit(ctx, tx, caller, org.AuditResetLink, member.User.ID, map[string]string{"by": link.by()})
	})
	return link, err
}

// ownMember returns a member of the caller's organization; org.ErrNoUser, org.ErrSharedAccount for one who belongs to others as well.
func ownMember(ctx context.Context, tx *store.Tx, caller org.Caller, userID string) (org.Membership, error) {
	member, err := tx.Member(ctx, caller.OrgID, userID)
	if err != nil {
		return member, err
	}
	all, err := tx.MembershipsOf(ctx, userID)
	if err == nil && len(all) > 1 {
		err = org.ErrSharedAccount
	}
	return member, err
}
