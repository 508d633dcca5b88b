package panels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"verbatim/internal/domain/panel"
	"verbatim/internal/platform/httpclient"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

const (
	// RetryFor is the time within which the delivery of a message is tried again.
	RetryFor = 72 * time.Hour
	// Backoff is the pause after the first failure. It doubles up to an hour.
	Backoff = 30 * time.Second
	// Attempts is more than there are within RetryFor, however short the pauses are.
	Attempts = 500
	// Timeout is how long one attempt may last.
	Timeout = 15 * time.Second
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
	status, sendErr := w.send(ctx, d)
	if ctx.Err() != nil {
		return ctx.Err() // the server stops: this was no attempt
	}
	d.HTTPStatus, d.Error, d.State = status, "", store.DeliveryDelivered
	if sendErr != nil {
		d.Error, d.State = sendErr.Error(), store.DeliveryWaiting
		if w.Store.Now().Sub(d.CreatedAt) >= RetryFor {
			d.State, sendErr = store.DeliveryFailed, nil
		}
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

// send sends a message and returns the status of the answer. Its error holds nothing of the message or of the answer.
func (w *Worker) send(ctx context.Context, d store.PanelDelivery) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	request, err := w.request(ctx, d)
	if err != nil {
		return 0, err
	}
	answer, err := w.Client.Do(request)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return 0, errors.New("no answer in time")
		}
		return 0, httpclient.Reason(err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	if err := answer.Body.Close(); err != nil {
		return answer.StatusCode, httpclient.Reason(err)
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return answer.StatusCode, fmt.Errorf("it answers %d", answer.StatusCode)
	}
	return answer.StatusCode, nil
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
	return httpclient.PublicClient(Timeout, allowed, "User-Agent", "Content-Type", "Idempotency-Key", SignatureHeader)
}
