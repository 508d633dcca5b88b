package store

import (
	"context"
	"errors"
	"time"
)

// ErrNoMail means that a mail is not kept, or not any more.
var ErrNoMail = errors.New("mail not found")

// MailKind names what a mail is for.
type MailKind string

// The kinds. Of MailResetAsked it is not known yet whether the address has an account: it becomes MailReset, or nothing.
const (
	MailInvitation MailKind = "invitation"
	MailReset      MailKind = "reset"
	MailResetAsked MailKind = "reset_asked"
)

// MailState names a stage of a mail.
type MailState string

// The states.
const (
	MailWaiting MailState = "waiting"
	MailSent    MailState = "sent"
	MailFailed  MailState = "failed"
)

// keepMails is how long mails are kept after they were made.
const keepMails = 30 * 24 * time.Hour

// Mail is a mail to a person.
type Mail struct {
	ID        string
	OrgID     string // may be empty
	Kind      MailKind
	To        string
	Language  string
	About     string // id of the one-time token that it brings; may be empty
	Content   string // sealed; empty once it ended
	State     MailState
	Attempts  int
	Problem   string // why the last attempt failed
	CreatedAt time.Time
	ExpiresAt time.Time // not sent from then on
}

// AddMail stores a mail that waits, and returns its id.
func (tx *Tx) AddMail(ctx context.Context, m Mail) (id string, err error) {
	id = NewID()
	_, err = tx.exec(ctx, `insert into mail (id, org_id, kind, recipient, language, about, content, state, created_at, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, nullIfEmpty(m.OrgID), m.Kind, m.To, m.Language, m.About, m.Content, MailWaiting, micros(tx.at), micros(m.ExpiresAt))
	return id, err
}

// Mail finds a mail; ErrNoMail.
func (v *View) Mail(ctx context.Context, id string) (m Mail, err error) {
	err = v.q.QueryRowContext(ctx, `select id, org_id, kind, recipient, language, about, content, state, attempts, problem, created_at, expires_at
		from mail
		where id = $1`, id).
		Scan(&m.ID, nullText{&m.OrgID}, &m.Kind, &m.To, &m.Language, &m.About, &m.Content, &m.State, &m.Attempts, &m.Problem, nullTime{&m.CreatedAt}, nullTime{&m.ExpiresAt})
	return m, noRowsAs(err, ErrNoMail)
}

// CompleteMail makes a reset that was asked for one that can be sent.
func (tx *Tx) CompleteMail(ctx context.Context, id, about, content string) error {
	_, err := tx.exec(ctx, `update mail set kind = 'reset', about = $2, content = $3 where id = $1 and kind = 'reset_asked'`, id, about, content)
	return err
}

// NoteMailAttempt stores what came of an attempt: the state and the problem of m. A mail that ended loses its content.
func (tx *Tx) NoteMailAttempt(ctx context.Context, m Mail) error {
	_, err := tx.exec(ctx, `update mail
		set state = $2, problem = $3, attempts = attempts + 1,
			content = case when $2 = 'waiting' then content else '' end,
			ended_at = case when $2 = 'waiting' then null else cast($4 as bigint) end
		where id = $1 and state = 'waiting'`, m.ID, string(m.State), m.Problem, micros(tx.at))
	return err
}

// RemoveMail forgets a mail.
func (tx *Tx) RemoveMail(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from mail where id = $1`, id)
	return err
}

// RemoveMailAbout forgets the mail that brings a one-time token, if it still waits.
func (tx *Tx) RemoveMailAbout(ctx context.Context, tokenID string) error {
	_, err := tx.exec(ctx, `delete from mail where about = $1 and state = 'waiting'`, tokenID)
	return err
}

// RemoveOldMails forgets mails that are kept long enough.
func (tx *Tx) RemoveOldMails(ctx context.Context) error {
	_, err := tx.exec(ctx, `delete from mail where created_at < $1`, micros(tx.at.Add(-keepMails)))
	return err
}

// CountMails returns how many mails were made for an address, and for an organization, since a time.
func (v *View) CountMails(ctx context.Context, to, orgID string, since time.Time) (ofAddress, ofOrg int, err error) {
	err = v.q.QueryRowContext(ctx, `select
			(select count(*) from mail where recipient = $1 and created_at > $3),
			(select count(*) from mail where org_id = $2 and created_at > $3)`, to, orgID, micros(since)).Scan(&ofAddress, &ofOrg)
	return ofAddress, ofOrg, err
}

// InvitationMails returns how far the mails are that bring an organization's invitations, by the id of the invitation.
func (v *View) InvitationMails(ctx context.Context, orgID string) (map[string]Mail, error) {
	all, err := collect(ctx, v, func(r scanner) (m Mail, err error) { return m, r.Scan(&m.About, &m.State, &m.Problem) },
		`select m.about, m.state, m.problem
		from mail m
		join one_time_token t on t.id = m.about
		where m.org_id = $1`, orgID)
	found := map[string]Mail{}
	for _, m := range all {
		found[m.About] = m
	}
	return found, err
}

// MailCounts holds the numbers of the mails of the last day.
type MailCounts struct {
	Waiting, Sent, Failed int
	Problem               string // of the last one that failed or waits for another attempt; empty: there is none
}

// MailCounts counts the mails of the last day, of all organizations.
func (v *View) MailCounts(ctx context.Context) (c MailCounts, err error) {
	since := micros(v.now().Add(-24 * time.Hour))
	err = v.q.QueryRowContext(ctx, `select
			count(case when state = 'waiting' then 1 end), count(case when state = 'sent' then 1 end), count(case when state = 'failed' then 1 end),
			coalesce((select problem from mail where created_at > $1 and problem <> '' and state <> 'sent' order by created_at desc, id desc limit 1), '')
		from mail
		where created_at > $1`, since).Scan(&c.Waiting, &c.Sent, &c.Failed, &c.Problem)
	return c, err
}
