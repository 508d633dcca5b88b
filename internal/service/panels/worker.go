package panels

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"verbatim/internal/domain/panel"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/delivery"
	"verbatim/internal/service/jobs"
)

// The bounds of a delivery, which are those of package delivery.
const (
	RetryFor = delivery.RetryFor
	Backoff  = delivery.Backoff
	Attempts = delivery.Attempts
)

// SignatureHeader is the header with panel.PostbackSignature.
const SignatureHeader = "Verbatim-Signature"

// Worker runs the jobs of jobs.KindPostback.
type Worker struct {
	Store  *store.Store
	Client *http.Client // of Client
}

// Run sends a message once. It may be repeated: the panel's server knows a repeated message by its key.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "panels.Worker.Run")
	view := w.Store.View()
	d, err := view.PanelDelivery(ctx, jobs.DecodePostback(job).DeliveryID)
	if errors.Is(err, store.ErrNoDelivery) || err == nil && d.State != store.DeliveryWaiting {
		return nil
	}
	if err != nil {
		return err
	}
	attempt, err := w.send(ctx, d)
	if ctx.Err() != nil {
		return ctx.Err() // the server stops: this was no attempt
	}
	if err != nil {
		attempt.Err = err
	}
	sendErr := attempt.Err
	d.HTTPStatus, d.Error, d.State = attempt.Status, "", attempt.State(d.CreatedAt, w.Store.Now())
	if sendErr != nil {
		d.Error = sendErr.Error()
	}
	if d.State == store.DeliveryFailed {
		sendErr = nil
	}
	if err := w.Store.Write(ctx, func(tx *store.Tx) error { return tx.NotePanelAttempt(ctx, d) }); err != nil {
		return err
	}
	return sendErr
}

// Discard marks a message as failed.
func (w *Worker) Discard(ctx context.Context, tx *store.Tx, job store.Job) (err error) {
	defer operation.Wrap(&err, "panels.Worker.Discard")
	d, err := tx.PanelDelivery(ctx, jobs.DecodePostback(job).DeliveryID)
	if errors.Is(err, store.ErrNoDelivery) {
		return nil
	}
	if err != nil {
		return err
	}
	d.State = store.DeliveryFailed
	return tx.NotePanelAttempt(ctx, d)
}

// send sends a message once. The error is that of a message that could not be sent; it holds nothing of the message.
func (w *Worker) send(ctx context.Context, d store.PanelDelivery) (delivery.Attempt, error) {
	request, err := w.request(ctx, d)
	if err != nil {
		return delivery.Attempt{}, err
	}
	return delivery.Send(ctx, w.Client, request, delivery.Timeout), nil
}

func (w *Worker) request(ctx context.Context, d store.PanelDelivery) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, d.Message.Method, d.Message.URL, strings.NewReader(d.Message.Body))
	if err != nil {
		return nil, errors.New("the address is none")
	}
	request.Header.Set("User-Agent", "Verbatim")
	request.Header.Set("Idempotency-Key", d.Key)
	if d.Message.Body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	view := w.Store.View()
	secret, err := view.Setting(ctx, store.PanelSecret(d.StudyID, panel.PostbackSecret))
	if err != nil {
		return nil, err
	}
	if secret != "" {
		request.Header.Set(SignatureHeader, panel.PostbackSignature(secret, d.Message, w.Store.Now()))
	}
	header := d.Message.KeyHeader
	if header == "" {
		return request, nil
	}
	key, err := view.Setting(ctx, store.PanelSecret(d.StudyID, panel.PanelKey))
	if err == nil && key == "" {
		err = errors.New("the panel's API key is not set: verbatim study panel secret --for key sets it")
	}
	request.Header.Set(header, key)
	return request, err
}

// Client returns a client for messages, which reaches public addresses and the allowed networks.
func Client(allowed []netip.Prefix) *http.Client {
	return delivery.Client(allowed, "User-Agent", "Content-Type", "Idempotency-Key", SignatureHeader)
}
