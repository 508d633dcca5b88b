package webhooks

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/delivery"
	"verbatim/internal/service/jobs"
)

// Emit stores messages for the endpoints of an organization about what a transaction does. They are sent after it is committed.
func Emit(ctx context.Context, tx *store.Tx, e webhook.Event) (err error) {
	defer operation.Wrap(&err, "webhooks.Emit")
	return emit(ctx, tx, e, time.Time{})
}

func emit(ctx context.Context, tx *store.Tx, e webhook.Event, at time.Time) error {
	e.ID = store.NewID()
	job := jobs.New(jobs.WebhookArgs{})
	job.RunAt = at
	return tx.AddWebhookEvent(ctx, e, "", job)
}

// EmitEnd tells of the end of an interview.
func EmitEnd(ctx context.Context, tx *store.Tx, r response.Response, quotaFull bool) (err error) {
	defer operation.Wrap(&err, "webhooks.EmitEnd")
	of := webhook.ResponseCompleted
	switch {
	case quotaFull:
		of = webhook.ResponseQuotaFull
	case r.Progress == response.ScreenedOut:
		of = webhook.ResponseScreenedOut
	}
	return emit(ctx, tx, webhook.OfResponse(of, r), time.Time{})
}

// EmitAbandoned tells that an interview was abandoned.
func EmitAbandoned(ctx context.Context, tx *store.Tx, responseID string) (err error) {
	defer operation.Wrap(&err, "webhooks.EmitAbandoned")
	r, err := tx.AnyResponse(ctx, responseID)
	if errors.Is(err, response.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = emit(ctx, tx, webhook.OfResponse(webhook.ResponseAbandoned, r), time.Time{})
	}
	return err
}

// BeforeDeletion holds the state of a response's messages before it is deleted.
type BeforeDeletion struct {
	underWay bool
}

// LookBeforeDeletion is called in the transaction that deletes a response, before it does.
func LookBeforeDeletion(ctx context.Context, tx *store.Tx, r response.Response) (b BeforeDeletion, err error) {
	defer operation.Wrap(&err, "webhooks.LookBeforeDeletion")
	b.underWay, err = tx.WebhooksUnderWay(ctx, r.ID)
	return b, err
}

// EmitDeleted tells that a response was deleted, in the transaction that did it. Messages about it that waited are deleted with it; one of them may be on its way now, so this
// one begins when that attempt must be over.
func (b BeforeDeletion) EmitDeleted(ctx context.Context, tx *store.Tx, r response.Response) (err error) {
	defer operation.Wrap(&err, "webhooks.BeforeDeletion.EmitDeleted")
	at := time.Time{}
	if b.underWay {
		at = tx.Now().Add(delivery.Timeout + time.Second)
	}
	return emit(ctx, tx, webhook.OfResponse(webhook.ResponseDeleted, r), at)
}

// EmitStudy tells that a study has a new status, which it had not before; status is that before.
func EmitStudy(ctx context.Context, tx *store.Tx, of study.Study, status study.Status) (err error) {
	defer operation.Wrap(&err, "webhooks.EmitStudy")
	event := webhook.StudyReopened
	switch {
	case of.Status == study.Draft:
		event = webhook.StudyLaunched
	case status == study.Paused:
		event = webhook.StudyPaused
	case status == study.Closed:
		event = webhook.StudyClosed
	}
	return emit(ctx, tx, webhook.OfStudy(event, of.OrgID, of.ID, string(status)), time.Time{})
}
