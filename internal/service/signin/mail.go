package signin

import (
	"cmp"
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
	"verbatim/internal/service/mailing"
)

// ErrNoMail means that nobody can be sent a mail.
var ErrNoMail = errors.New("no mail server is configured")

// Delivery says how a link is to reach its reader.
type Delivery struct {
	ByLink   bool   // the link is returned although it could be mailed
	Language string // of the mail, as far as it is known
}

// deliver mails a link where mails are configured, and takes its address away: whoever asks for it need not know it. *mailing.LimitError.
func (s *Service) deliver(ctx context.Context, tx *store.Tx, caller org.Caller, kind store.MailKind, to string, token org.Token, link *Link, by Delivery) error {
	if by.ByLink || !s.Mail.On() {
		return nil
	}
	o, err := tx.Org(ctx, caller.OrgID)
	if err != nil {
		return err
	}
	inviter, _, err := tx.CredentialOf(ctx, caller.UserID)
	if err != nil {
		return err
	}
	err = s.Mail.Add(ctx, tx, mailing.Mail{
		Kind: kind, To: to, Language: by.Language, OrgID: caller.OrgID, About: token.ID, Expires: token.ExpiresAt,
		Values: map[string]string{"link": link.Address, "organization": o.Name, "inviter": cmp.Or(inviter.Name, inviter.Email)},
	})
	link.Address = ""
	return err
}

// How often a new password may be asked for: for one address, and from one network.
var (
	askLimit        = slowLimit{free: 5, longest: 15 * time.Minute}
	askNetworkLimit = slowLimit{free: 20, longest: 15 * time.Minute}
)

// AskReset has a link for a new password mailed to an address, if it has an account; ErrNoMail, *WaitError. The work is the same for every
// address: a job finds out later what it is.
func (s *Service) AskReset(ctx context.Context, email, language string) (err error) {
	defer operation.Wrap(&err, "signin.AskReset")
	if !s.Mail.On() {
		return ErrNoMail
	}
	email = normalized(email)
	names := []limited{{"ask " + org.HashKey(email), askLimit}, {"ask network " + access.NetworkOf(ctx), askNetworkLimit}}
	if wait := s.slow.begin(s.Store.Now(), names...); wait > 0 {
		return &WaitError{wait}
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return s.Mail.AddReset(ctx, tx, email, language) })
}

// ResetMail returns the mail with a link for a new password of an address; ok is false where nobody in an organization has it. It is
// mailing.Worker's Reset.
func (s *Service) ResetMail(ctx context.Context, tx *store.Tx, to string) (m mailing.Mail, ok bool, err error) {
	defer operation.Wrap(&err, "signin.ResetMail")
	user, err := tx.UserByEmail(ctx, to)
	if errors.Is(err, org.ErrNoUser) {
		return mailing.Mail{}, false, nil
	}
	if err != nil {
		return mailing.Mail{}, false, err
	}
	memberships, err := tx.MembershipsOf(ctx, user.ID)
	if err != nil || len(memberships) == 0 {
		return mailing.Mail{}, false, err
	}
	token, link, err := s.createLink(ctx, tx, org.Token{Kind: org.ResetToken, UserID: user.ID})
	if err != nil {
		return mailing.Mail{}, false, err
	}
	for _, of := range memberships { // nobody is signed in: it may be a stranger who asked
		if err := tx.Audit(ctx, org.AuditEntry{OrgID: of.OrgID, Action: org.AuditResetAsked, Subject: user.ID}); err != nil {
			return mailing.Mail{}, false, err
		}
	}
	return mailing.Mail{About: token.ID, Values: map[string]string{"link": link.Address}}, true, nil
}
