package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/delivery"
	"verbatim/internal/service/jobs"
)

// What Worker.Watch is told.
const (
	resultDelivered = "delivered"
	resultFailed    = "failed" // it will be tried again
	resultDiscarded = "discarded"
	resultDisabled  = "disabled" // the webhook is disabled
)

// Worker runs the jobs of jobs.KindWebhook.
type Worker struct {
	Store   *store.Store
	Client  *http.Client        // of Client
	Backoff time.Duration       // pause after the first failure; 0: delivery.Backoff
	Timeout time.Duration       // of an attempt; 0: delivery.Timeout
	Poll    time.Duration       // pause of a message before which another one is on its way; 0: a second
	Watch   func(result string) // called after each message; nil: nobody looks
}

// Client returns a client for messages, which reaches public addresses and the allowed networks.
func Client(allowed []netip.Prefix) *http.Client { return delivery.ClientWithoutRedirects(allowed) }

// Run sends a message once, unless an earlier one about the same thing waits. It may be repeated: receivers know a repeated message by its id.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "webhooks.Worker.Run")
	args, view := jobs.DecodeWebhook(job), w.Store.View()
	d, err := view.WebhookDelivery(ctx, args.EndpointID, args.EventID)
	if errors.Is(err, store.ErrNoDelivery) || err == nil && d.State != store.DeliveryWaiting {
		return nil
	}
	if err != nil {
		return err
	}
	to, err := view.WebhookEndpoint(ctx, d.Event.OrgID, args.EndpointID)
	if errors.Is(err, webhook.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	test := d.Event.Type == webhook.Test
	if to.Status != webhook.Enabled && !test {
		w.watch(resultDisabled)
		return w.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.FailWebhookDelivery(ctx, to.ID, d.Event.ID, "the webhook was disabled")
		})
	}
	if now := w.Store.Now(); now.Before(to.RetryAt) && !test {
		return &jobs.LaterError{At: to.RetryAt, Reason: "many attempts have failed"}
	}
	waits, due, err := view.WebhookBefore(ctx, d)
	if err != nil {
		return err
	}
	if waits {
		return &jobs.LaterError{At: latest(due, w.Store.Now().Add(cmp.Or(w.Poll, time.Second))), Reason: "an earlier message about the same thing waits"}
	}
	request, requestErr := w.request(ctx, d, to)
	// A server that stalled may have lost the job to another one, which sent the message and those after it.
	if now, err := view.WebhookDelivery(ctx, to.ID, d.Event.ID); errors.Is(err, store.ErrNoDelivery) || err == nil && (now.State != d.State || now.Attempts != d.Attempts) {
		return nil
	}
	attempt := delivery.Attempt{Err: requestErr}
	if requestErr == nil {
		attempt = delivery.Send(ctx, w.Client, request, cmp.Or(w.Timeout, delivery.Timeout))
	}
	if ctx.Err() != nil {
		return ctx.Err() // the server stops: this was no attempt
	}
	return w.note(ctx, d, attempt)
}

// Discard marks a message as failed whose process died at each attempt.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "webhooks.Worker.Discard")
	args := jobs.DecodeWebhook(job)
	return tx.FailWebhookDelivery(ctx, args.EndpointID, args.EventID, "the server ended at each attempt")
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// note stores what came of an attempt, for the message and for its endpoint. It returns when the job goes on.
func (w *Worker) note(ctx context.Context, d store.WebhookDelivery, attempt delivery.Attempt) error {
	now := w.Store.Now()
	d.HTTPStatus, d.Answer, d.Duration, d.State = attempt.Status, attempt.Answer, attempt.Duration, attempt.State(d.BegunAt, now)
	d.Error, d.DueAt = "", time.Time{}
	if attempt.Err != nil {
		d.Error = attempt.Err.Error()
	}
	first := cmp.Or(w.Backoff, delivery.Backoff)
	if d.State == store.DeliveryWaiting {
		d.DueAt = now.Add(delivery.Pause(first, d.Attempts+1))
	}
	if err := w.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.NoteWebhookAttempt(ctx, d); err != nil {
			return err
		}
		return noteEndpoint(ctx, tx, d, attempt, first)
	}); err != nil {
		return err
	}
	switch d.State {
	case store.DeliveryDelivered:
		w.watch(resultDelivered)
	case store.DeliveryFailed:
		w.watch(resultDiscarded)
	default:
		w.watch(resultFailed)
		return &jobs.LaterError{At: d.DueAt, Reason: d.Error}
	}
	return nil
}

// noteEndpoint stores what an attempt says of the endpoint, and disables it where it has failed for too long. Test messages say nothing.
func noteEndpoint(ctx context.Context, tx *store.Tx, d store.WebhookDelivery, attempt delivery.Attempt, pause time.Duration) error {
	e, err := tx.WebhookEndpoint(ctx, d.Event.OrgID, d.EndpointID)
	if errors.Is(err, webhook.ErrNotFound) || err == nil && (d.Event.Type == webhook.Test || attempt.Err == nil && e.Failures == 0) {
		return nil
	}
	if err != nil {
		return err
	}
	after := e.Succeeded()
	if attempt.Err != nil {
		after = e.Failed(tx.Now(), pause, attempt.Err.Error(), attempt.Status == http.StatusGone)
	}
	disabled, err := tx.NoteWebhookEndpoint(ctx, after)
	if err != nil || !disabled {
		return err
	}
	return tx.Audit(ctx, org.AuditEntry{OrgID: e.OrgID, Action: org.AuditWebhookDisabled, Subject: e.ID, Detail: map[string]string{"reason": after.Reason}})
}

func (w *Worker) watch(result string) {
	if w.Watch != nil {
		w.Watch(result)
	}
}

// request makes the message.
func (w *Worker) request(ctx context.Context, d store.WebhookDelivery, to webhook.Endpoint) (*http.Request, error) {
	view := w.Store.View()
	stored, err := view.Setting(ctx, store.WebhookSecret(to.ID))
	if err != nil {
		return nil, err
	}
	secrets, err := webhook.ParseSecrets(stored)
	if err != nil {
		return nil, err
	}
	body, err := w.body(ctx, d, to)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is none")
	}
	timestamp, signature := secrets.Sign(d.Event.ID, w.Store.Now(), body)
	for name, value := range map[string]string{
		"User-Agent": "Verbatim", "Content-Type": "application/json",
		webhook.IDHeader: d.Event.ID, webhook.TimestampHeader: timestamp, webhook.SignatureHeader: signature,
	} {
		request.Header.Set(name, value)
	}
	return request, nil
}

// body returns the body of a message, with the answers of its response where the endpoint gets them.
func (w *Worker) body(ctx context.Context, d store.WebhookDelivery, to webhook.Endpoint) ([]byte, error) {
	var item []byte
	if to.Answers && d.Event.ResponseID != "" {
		found, err := w.Store.View().ItemByResponse(ctx, d.Event.StudyID, d.Event.ResponseID)
		if err != nil && !errors.Is(err, response.ErrNotFound) {
			return nil, fmt.Errorf("reading the response: %w", err)
		}
		item = found.List
	}
	return webhook.Body(d.Event, to, d.LinkID, item)
}
