package mailing

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

const (
	// Attempts limits the tries to send a mail: they last some eight hours.
	Attempts = 14
	// Backoff is the pause after the first failure. It doubles up to an hour.
	Backoff = 15 * time.Second
)

// Worker runs the jobs of jobs.KindMail.
type Worker struct {
	*Service

	// Reset returns the mail that brings a new password to an address that somebody named who forgot the password. ok is false if there is no such
	// account, or none that may have one.
	Reset func(ctx context.Context, tx *store.Tx, to string) (m Mail, ok bool, err error)
	Log   *slog.Logger // may be nil
}

// Run sends a mail. Where the process dies before that is stored, the mail is sent again, with the same Message-ID.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "mailing.Worker.Run")
	m, err := w.find(ctx, jobs.DecodeMail(job).MailID)
	if errors.Is(err, store.ErrNoMail) || err == nil && m.State != store.MailWaiting {
		return nil
	}
	if err != nil {
		return err
	}
	values, problem := w.open(m)
	if problem != "" {
		return w.note(ctx, m, store.MailFailed, problem)
	}
	sendErr := w.Sender.Send(ctx, w.message(m.ID, string(m.Kind), m.To, m.Language, values))
	if ctx.Err() != nil {
		return ctx.Err() // the server stops: this was no attempt
	}
	if sendErr == nil {
		return w.note(ctx, m, store.MailSent, "")
	}
	if refused, ok := errors.AsType[*mail.Error](sendErr); ok && refused.Permanent {
		if w.Log != nil {
			w.Log.Warn("a mail was refused for good", "mail", m.ID, "kind", m.Kind)
		}
		return w.note(ctx, m, store.MailFailed, sendErr.Error())
	}
	if err := w.note(ctx, m, store.MailWaiting, sendErr.Error()); err != nil {
		return err
	}
	return errNotSent
}

// errNotSent has the job repeated. The reason is stored with the mail: it may have the address, which logs need not know.
var errNotSent = errors.New("the mail server did not take a mail")

// Discard marks a mail as failed.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "mailing.Worker.Discard")
	m, err := tx.Mail(ctx, jobs.DecodeMail(job).MailID)
	if errors.Is(err, store.ErrNoMail) {
		return nil
	}
	if err != nil {
		return err
	}
	m.State = store.MailFailed
	return tx.NoteMailAttempt(ctx, m)
}

// find returns a mail. One that was asked for becomes one that can be sent, or is forgotten: store.ErrNoMail.
func (w *Worker) find(ctx context.Context, id string) (store.Mail, error) {
	m, err := w.Store.View().Mail(ctx, id)
	if err != nil || m.Kind != store.MailResetAsked || m.State != store.MailWaiting {
		return m, err
	}
	forgotten := false
	err = w.Store.Write(ctx, func(tx *store.Tx) error {
		forgotten = false
		ofAddress, _, err := tx.CountMails(ctx, m.To, "", tx.Now().Add(-limitFor))
		if err != nil {
			return err
		}
		var made Mail
		ok := ofAddress <= maxAddress // it counts itself
		if ok {
			made, ok, err = w.Reset(ctx, tx, m.To)
		}
		if err != nil {
			return err
		}
		if !ok {
			forgotten = true
			return tx.RemoveMail(ctx, id)
		}
		content, err := w.seal(made.Values, tx.Now())
		if err != nil {
			return err
		}
		return tx.CompleteMail(ctx, id, made.About, content)
	})
	if err == nil && forgotten {
		err = store.ErrNoMail
	}
	if err != nil {
		return m, err
	}
	return w.Store.View().Mail(ctx, id)
}

// open returns what fills a mail's text, or why it cannot be sent any more.
func (w *Worker) open(m store.Mail) (values map[string]string, problem string) {
	now := w.Store.Now()
	if !now.Before(m.ExpiresAt) {
		return nil, "its link has expired"
	}
	text, ok := w.Ring().Open(sealPurpose, m.Content, now)
	if !ok || json.Unmarshal([]byte(text), &values) != nil || values == nil {
		return nil, "its link cannot be read: the secret that sealed it was replaced"
	}
	return values, ""
}

func (w *Worker) note(ctx context.Context, m store.Mail, state store.MailState, problem string) error {
	m.State, m.Problem = state, problem
	return w.Store.Write(ctx, func(tx *store.Tx) error { return tx.NoteMailAttempt(ctx, m) })
}
