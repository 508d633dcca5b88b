package mailing

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Sender sends mails; a *mail.Sender.
type Sender interface {
	Send(ctx context.Context, m mail.Message) error
}

// Service queues mails. Share one value. A nil one is not configured.
type Service struct {
	Store   *store.Store
	Ring    func() signing.Ring // seals what mails bring
	Sender  Sender              // nil: mails are not configured
	BaseURL string              // public address, which mails name
}

// On reports whether mails can be sent.
func (s *Service) On() bool { return s != nil && s.Sender != nil }

// How many mails an address gets, and an organization causes, within limitFor.
const (
	maxAddress = 5
	maxOrg     = 100
	limitFor   = time.Hour
)

// LimitError refuses a mail because there were many.
type LimitError struct {
	Org bool // they were many of the organization, not of the address
	For time.Duration
}

// Error implements error.
func (e *LimitError) Error() string {
	if e.Org {
		return fmt.Sprintf("the organization sent %d mails within an hour", maxOrg)
	}
	return fmt.Sprintf("the address got %d mails within an hour", maxAddress)
}

// Mail is a mail that is to be sent.
type Mail struct {
	Kind     store.MailKind
	To       string
	Language string            // of the reader, as far as it is known; others than those of the texts become English
	OrgID    string            // whose limit it counts against; empty: none
	About    string            // id of the one-time token that it brings; may be empty
	Values   map[string]string // what its text has in {names}, besides {host}
	Expires  time.Time         // not sent from then on
}

// Add stores a mail and the job that sends it, in the transaction of its cause; *LimitError.
func (s *Service) Add(ctx context.Context, tx *store.Tx, m Mail) (err error) {
	defer operation.Wrap(&err, "mailing.Add")
	if err := checkLimits(ctx, tx, m.To, m.OrgID); err != nil {
		return err
	}
	content, err := s.seal(m.Values, tx.Now())
	if err != nil {
		return err
	}
	return enqueue(ctx, tx, store.Mail{
		Kind: m.Kind, To: m.To, Language: languageOf(m.Language), OrgID: m.OrgID, About: m.About, Content: content, ExpiresAt: m.Expires,
	})
}

// AddReset stores that somebody asked for a new password for an address, whether it has an account or not: the job finds out, so that the
// answer takes as long either way.
func (s *Service) AddReset(ctx context.Context, tx *store.Tx, to, language string) (err error) {
	defer operation.Wrap(&err, "mailing.AddReset")
	return enqueue(ctx, tx, store.Mail{Kind: store.MailResetAsked, To: to, Language: languageOf(language), ExpiresAt: tx.Now().Add(askedFor)})
}

// askedFor is how long somebody who asked for a new password waits for the mail.
const askedFor = time.Hour

func enqueue(ctx context.Context, tx *store.Tx, m store.Mail) error {
	id, err := tx.AddMail(ctx, m)
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, jobs.MailArgs{MailID: id, OrgID: m.OrgID})
}

// checkLimits returns a *LimitError if an address or an organization had its share.
func checkLimits(ctx context.Context, tx *store.Tx, to, orgID string) error {
	ofAddress, ofOrg, err := tx.CountMails(ctx, to, orgID, tx.Now().Add(-limitFor))
	switch {
	case err != nil:
		return err
	case ofAddress >= maxAddress:
		return &LimitError{For: limitFor}
	case orgID != "" && ofOrg >= maxOrg:
		return &LimitError{Org: true, For: limitFor}
	}
	return nil
}

// SendTest sends a mail at once that tries the settings; a *mail.Error says why it could not be sent, ErrOff that nothing is configured.
func (s *Service) SendTest(ctx context.Context, to, language string) (err error) {
	defer operation.Wrap(&err, "mailing.SendTest")
	if !s.On() {
		return ErrOff
	}
	return s.Sender.Send(ctx, s.message(store.NewID(), "test", to, languageOf(language), map[string]string{}))
}

// ErrOff means that no mail server is configured.
var ErrOff = &mail.Error{Permanent: true, Reason: "no mail server is configured: see --mail-host"}

// Status returns what became of the mails of the last day.
func (s *Service) Status(ctx context.Context) (_ store.MailCounts, err error) {
	defer operation.Wrap(&err, "mailing.Status")
	return s.Store.View().MailCounts(ctx)
}

// Sweep forgets old mails.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "mailing.Sweep")
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.RemoveOldMails(ctx) })
}

// message returns a mail with its text.
func (s *Service) message(id, kind, to, language string, values map[string]string) mail.Message {
	values["host"] = s.BaseURL
	if u, err := url.Parse(s.BaseURL); err == nil && u.Host != "" {
		values["host"] = u.Host
	}
	return mail.Message{
		ID: id, To: to, Language: language,
		Subject: fill(language, kind+".subject", values), Text: fill(language, kind+".text", values) + "\n",
	}
}

// sealPurpose keeps what is sealed for mails apart from everything else.
const sealPurpose = "mail"

func (s *Service) seal(values map[string]string, now time.Time) (string, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	var nonce [signing.NonceBytes]byte
	_, _ = rand.Read(nonce[:]) // never fails: crypto/rand ends the program instead
	return s.Ring().Seal(sealPurpose, string(text), nonce, now), nil
}
