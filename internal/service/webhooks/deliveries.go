package webhooks

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// host returns the host of an address: the rest of it may be secret.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Deliveries lists the messages to an endpoint, newest first; webhook.ErrNotFound.
func (s *Service) Deliveries(ctx context.Context, caller org.Caller, id string, q store.WebhookQuery) (_ []store.WebhookDelivery, err error) {
	defer operation.Wrap(&err, "webhooks.Deliveries")
	e, err := s.find(ctx, s.Store.View(), caller, id)
	if err != nil {
		return nil, err
	}
	return s.Store.View().WebhookDeliveries(ctx, e.ID, q)
}

// Replay sends a message again that was delivered or has failed; webhook.ErrNotFound, store.ErrNoDelivery, store.ErrStillWaiting, ErrDisabled.
func (s *Service) Replay(ctx context.Context, caller org.Caller, id, eventID string) (_ store.WebhookDelivery, err error) {
	defer operation.Wrap(&err, "webhooks.Replay")
	eventID = strings.ToLower(eventID)
	if !study.IsUUID(eventID) {
		return store.WebhookDelivery{}, store.ErrNoDelivery
	}
	var endpointID string
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		e, err := s.findEnabled(ctx, tx, caller, id)
		if err != nil {
			return err
		}
		endpointID = e.ID
		if err := tx.ReplayWebhookDelivery(ctx, e.ID, eventID, jobs.New(jobs.WebhookArgs{})); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookReplayed, map[string]string{"event": eventID})
	})
	if err != nil {
		return store.WebhookDelivery{}, err
	}
	return s.Store.View().WebhookDelivery(ctx, endpointID, eventID)
}

// findEnabled is find for an endpoint to which something is to be sent; ErrDisabled.
func (s *Service) findEnabled(ctx context.Context, tx *store.Tx, caller org.Caller, id string) (webhook.Endpoint, error) {
	e, err := s.find(ctx, &tx.View, caller, id)
	if err == nil && e.Status != webhook.Enabled {
		err = ErrDisabled
	}
	return e, err
}

// replayBatch is the number of messages that one transaction lets be sent again, so that participants never wait long.
const replayBatch = 100

// ReplayFailed sends all messages again that failed and whose events came at or after a time. It returns how many; webhook.ErrNotFound, ErrDisabled.
func (s *Service) ReplayFailed(ctx context.Context, caller org.Caller, id string, since time.Time) (replayed int, err error) {
	defer operation.Wrap(&err, "webhooks.ReplayFailed")
	begun := s.Store.Now() // what fails after it is not sent again by this call
	for {
		n := 0
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			e, err := s.findEnabled(ctx, tx, caller, id)
			if err != nil {
				return err
			}
			if n, err = tx.ReplayFailedWebhooks(ctx, e, since, begun, replayBatch, jobs.New(jobs.WebhookArgs{})); err != nil || n == 0 {
				return err
			}
			return audit(ctx, tx, caller, e, org.AuditWebhookReplayed, map[string]string{"since": since.UTC().Format(time.RFC3339), "count": strconv.Itoa(n)})
		})
		replayed += n
		if err != nil || n < replayBatch {
			return replayed, err
		}
	}
}

// sweepBatch is the number of events that one transaction removes.
const sweepBatch = 200

// Sweep removes messages that are older than Keep, unless they wait.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "webhooks.Sweep")
	for n := sweepBatch; n == sweepBatch; {
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			n, err = tx.PruneWebhooks(ctx, tx.Now().Add(-Keep), sweepBatch)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
