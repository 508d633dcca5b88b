package signin

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

// Link is an address with a one-time token, which is in no log since it stands behind the #.
type Link struct {
	Address   string // empty: it is mailed
	ExpiresAt time.Time
}

// by returns how a link reaches its reader, for the audit log.
func (l Link) by() string {
	if l.Address == "" {
		return "mail"
	}
	return "link"
}

// createLink stores a one-time token and returns its link.
func (s *Service) createLink(ctx context.Context, tx *store.Tx, t org.Token) (org.Token, Link, error) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: crypto/rand ends the program instead
	token := org.FormatToken(secret)
	t, err := tx.CreateToken(ctx, t, org.HashKey(token))
	page := map[org.TokenKind]string{org.SetUpToken: "/setup", org.InvitationToken: "/invite", org.ResetToken: "/reset", org.SignInToken: "/signin"}[t.Kind]
	return t, Link{Address: s.BaseURL + page + "#" + token, ExpiresAt: t.ExpiresAt}, err
}

// ErrSetUp means that an admin can sign in, so that the installation needs no set-up.
var ErrSetUp = errors.New("an admin can sign in already: use an invitation, or verbatim user reset-link")

// SetUpLink returns a link by which the first admin sets up the installation; ErrSetUp.
func (s *Service) SetUpLink(ctx context.Context) (link Link, err error) {
	defer operation.Wrap(&err, "signin.SetUpLink")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := refuseSecondSetUp(ctx, &tx.View, ErrSetUp); err != nil {
			return err
		}
		all, err := tx.Orgs(ctx)
		if err != nil {
			return err
		}
		t := org.Token{Kind: org.SetUpToken}
		if len(all) > 0 {
			t.OrgID = all[0].ID
		}
		_, link, err = s.createLink(ctx, tx, t)
		return err
	})
	return link, err
}

// refuseSecondSetUp returns refusal if an admin can sign in.
func refuseSecondSetUp(ctx context.Context, view *store.View, refusal error) error {
	can, err := view.AdminCanSignIn(ctx)
	if err == nil && can {
		err = refusal
	}
	return err
}

// OperatorLink returns a link by which a user signs in, or sets a new password; org.ErrNoUser. It is for operators.
func (s *Service) OperatorLink(ctx context.Context, kind org.TokenKind, userID string) (link Link, err error) {
	defer operation.Wrap(&err, "signin.OperatorLink")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, _, err := tx.CredentialOf(ctx, userID); err != nil {
			return err
		}
		_, link, err = s.createLink(ctx, tx, org.Token{Kind: kind, UserID: userID})
		return err
	})
	return link, err
}

// Purpose describes a one-time token.
type Purpose struct {
	org.Token
	OrgName string // empty: a new organization, or none
	Email   string // empty: not known yet
}

// CheckToken returns what a one-time token is for, and does not use it up; org.ErrNoToken.
func (s *Service) CheckToken(ctx context.Context, token string) (p Purpose, err error) {
	defer operation.Wrap(&err, "signin.CheckToken")
	view := s.Store.View()
	if p.Token, err = view.Token(ctx, org.HashKey(token)); err != nil {
		return Purpose{}, err
	}
	p.Email = p.Token.Email
	if p.Kind == org.SetUpToken {
		if err := refuseSecondSetUp(ctx, view, org.ErrNoToken); err != nil {
			return Purpose{}, err
		}
	}
	if p.OrgID != "" {
		o, err := view.Org(ctx, p.OrgID)
		if err != nil {
			return Purpose{}, err
		}
		p.OrgName = o.Name
	}
	if p.UserID != "" {
		u, _, err := view.CredentialOf(ctx, p.UserID)
		if err != nil {
			return Purpose{}, err
		}
		p.Email = u.Email
	}
	return p, nil
}

// checkKind is CheckToken for a token that must be of a kind.
func (s *Service) checkKind(ctx context.Context, token string, kind org.TokenKind) (Purpose, error) {
	p, err := s.CheckToken(ctx, token)
	if err == nil && p.Kind != kind {
		err = org.ErrNoToken
	}
	return p, err
}

// SetUp holds the answers of the first admin.
type SetUp struct {
	Token, Email, Name, Password string
	Organization                 string // the name of a new one
}

// SetUp makes the first admin and, where there is none yet, the organization; org.ErrNoToken, org.ErrWeakPassword, ErrNoOrgName, and an error of
// org.CheckEmail.
func (s *Service) SetUp(ctx context.Context, given SetUp, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.SetUp")
	email := normalized(given.Email)
	if org.CheckEmail(email) != nil {
		return SignedIn{}, ErrEmail
	}
	purpose, err := s.checkKind(ctx, given.Token, org.SetUpToken) // before a password is hashed for nothing
	if err != nil {
		return SignedIn{}, err
	}
	name := strings.TrimSpace(given.Organization)
	if purpose.OrgID == "" && name == "" {
		return SignedIn{}, ErrNoOrgName
	}
	hash, err := s.newHash(ctx, given.Password, email)
	if err != nil {
		return SignedIn{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.TakeToken(ctx, org.SetUpToken, org.HashKey(given.Token))
		if err != nil {
			return err
		}
		if err := refuseSecondSetUp(ctx, &tx.View, org.ErrNoToken); err != nil {
			return err
		}
		if t.OrgID == "" {
			o, err := tx.CreateOrg(ctx, name)
			if err != nil {
				return err
			}
			t.OrgID = o.ID
		}
		user, err := join(ctx, tx, t.OrgID, email, given.Name, org.Admin)
		if err != nil {
			return err
		}
		if err := replacePassword(ctx, tx, user.ID, hash); err != nil {
			return err
		}
		if err := tx.RemoveTokens(ctx, org.SetUpToken, ""); err != nil {
			return err
		}
		if made, err = start(ctx, tx, user, from); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: t.OrgID, UserID: user.ID, Action: org.AuditSetUp, Subject: user.ID})
	})
	return made, err
}

// Errors of what people give.
var (
	ErrEmail     = errors.New("not a mail address")
	ErrNoOrgName = errors.New("the organization needs a name")
)

// newHash checks a new password and hashes it.
func (s *Service) newHash(ctx context.Context, password, email string) (string, error) {
	if err := org.CheckPassword(password, email); err != nil {
		return "", err
	}
	return s.hashOf(ctx, password)
}

// join makes the person with a mail address a member. A known person keeps the stored name.
func join(ctx context.Context, tx *store.Tx, orgID, email, name string, role org.Role) (org.User, error) {
	user, err := tx.UserByEmail(ctx, email)
	if errors.Is(err, org.ErrNoUser) {
		user, err = tx.CreateUser(ctx, email, strings.TrimSpace(name))
	}
	if err != nil {
		return org.User{}, err
	}
	return user, tx.SetMember(ctx, orgID, user.ID, role)
}

// AcceptInvitation makes the invited person a member and signs in; org.ErrNoToken, org.ErrWeakPassword, and ErrFailed or *WaitError for somebody
// who has a password and gives another one. Somebody with a second step needs a code: ErrCodeNeeded, ErrWrongCode.
func (s *Service) AcceptInvitation(ctx context.Context, token, name, password string, given Second, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.AcceptInvitation")
	invitation, err := s.checkKind(ctx, token, org.InvitationToken)
	if err != nil {
		return SignedIn{}, err
	}
	known, stored, err := s.Store.View().Credential(ctx, invitation.Email)
	if err != nil {
		return SignedIn{}, err
	}
	hash := ""
	if stored == "" {
		hash, err = s.newHash(ctx, password, invitation.Email)
	} else {
		err = s.prove(ctx, invitation.Email, password, stored)
	}
	if err != nil {
		return SignedIn{}, err
	}
	step, err := s.second(ctx, known, given)
	if err != nil {
		return SignedIn{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.TakeToken(ctx, org.InvitationToken, org.HashKey(token))
		if err != nil {
			return err
		}
		user, now, err := tx.Credential(ctx, t.Email)
		if err != nil {
			return err
		}
		if now != stored { // a password was set in between: that of the invitation must not replace it
			return org.ErrNoToken
		}
		if err := step.use(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Member(ctx, t.OrgID, user.ID); err == nil {
			t.Role = "" // somebody made the person a member in between: the invitation changes no role
		} else if !errors.Is(err, org.ErrNoUser) {
			return err
		}
		if t.Role != "" {
			if user, err = join(ctx, tx, t.OrgID, t.Email, name, t.Role); err != nil {
				return err
			}
		}
		if hash != "" {
			if err := replacePassword(ctx, tx, user.ID, hash); err != nil {
				return err
			}
		}
		if made, err = start(ctx, tx, user, from); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: t.OrgID, UserID: user.ID, Action: org.AuditJoined, Subject: user.ID, Detail: map[string]string{"role": string(t.Role), "invitation": t.ID}})
	})
	if err == nil {
		step.succeeded()
	}
	return made, err
}

// prove checks the password of an address as SignIn does; ErrFailed, *WaitError.
func (s *Service) prove(ctx context.Context, email, password, hash string) error {
	names := namesOf(ctx, email)
	if wait := s.slow.begin(s.Store.Now(), names...); wait > 0 {
		return &WaitError{wait}
	}
	same, err := s.matches(ctx, password, hash)
	if err != nil {
		return err
	}
	if !same {
		return ErrFailed
	}
	s.slow.succeeded(names...)
	return nil
}

// ResetPassword sets the password of a reset link's user, ends the user's sessions and signs in; org.ErrNoToken, org.ErrWeakPassword. A user
// with a second step needs a code, since admins can make such links: ErrCodeNeeded, ErrWrongCode, *WaitError.
func (s *Service) ResetPassword(ctx context.Context, token, password string, given Second, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.ResetPassword")
	purpose, err := s.checkKind(ctx, token, org.ResetToken)
	if err != nil {
		return SignedIn{}, err
	}
	hash, err := s.newHash(ctx, password, purpose.Email)
	if err != nil {
		return SignedIn{}, err
	}
	user, _, err := s.Store.View().CredentialOf(ctx, purpose.UserID)
	if err != nil {
		return SignedIn{}, err
	}
	step, err := s.second(ctx, user, given)
	if err != nil {
		return SignedIn{}, err
	}
	made, err = s.begin(ctx, user, from, org.AuditPasswordReset, by("link"+step.and()), func(tx *store.Tx) error {
		t, err := tx.TakeToken(ctx, org.ResetToken, org.HashKey(token))
		if err != nil {
			return err
		}
		if err := step.use(ctx, tx); err != nil {
			return err
		}
		all, err := tx.MembershipsOf(ctx, user.ID)
		if err != nil {
			return err
		}
		if t.OrgID != "" && len(all) > 1 { // the person joined another organization after an admin of this one made the link
			return org.ErrNoToken
		}
		return replacePassword(ctx, tx, user.ID, hash)
	})
	if err == nil {
		step.succeeded()
	}
	return made, err
}

// SignInByLink begins a session of a sign-in link's user, without a second step: only the operator makes such links; org.ErrNoToken.
func (s *Service) SignInByLink(ctx context.Context, token string, from Browser) (made SignedIn, err error) {
	defer operation.Wrap(&err, "signin.SignInByLink")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.TakeToken(ctx, org.SignInToken, org.HashKey(token))
		if err != nil {
			return err
		}
		user, _, err := tx.CredentialOf(ctx, t.UserID)
		if err != nil {
			return err
		}
		if made, err = start(ctx, tx, user, from); err != nil {
			return err
		}
		return auditOf(ctx, tx, user, user.ID, org.AuditSignedIn, by("link"))
	})
	return made, err
}
