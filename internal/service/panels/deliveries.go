package panels

import (
	"context"
	"errors"
	"strconv"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// What callers need of the store's messages.
type (
	Delivery      = store.PanelDelivery
	DeliveryState = store.DeliveryState
)

// DeliveryStates lists every state of a message.
var DeliveryStates = []DeliveryState{store.DeliveryWaiting, store.DeliveryDelivered, store.DeliveryFailed}

// ErrNoDelivery means that the study has no such message.
var ErrNoDelivery = store.ErrNoDelivery

// Deliveries lists the messages to the panel's server of a study, newest first. An empty state means all.
func (s *Service) Deliveries(ctx context.Context, of study.Study, state store.DeliveryState, limit int) (_ []store.PanelDelivery, err error) {
	defer operation.Wrap(&err, "panels.Deliveries")
	return s.Store.View().PanelDeliveries(ctx, of.ID, state, limit)
}

// DeliveryCounts counts the messages to the panel's server of a study by their state.
func (s *Service) DeliveryCounts(ctx context.Context, of study.Study) (_ map[store.DeliveryState]int, err error) {
	defer operation.Wrap(&err, "panels.DeliveryCounts")
	return s.Store.View().PanelDeliveryCounts(ctx, of.ID)
}

// MaxRetried bounds how many messages Retry sends again at once, the oldest first.
const MaxRetried = 1000

// ErrNothingToRetry means that a message has arrived, or that what it held was removed with its response.
var ErrNothingToRetry = errors.New("the message has arrived already, or what it held was removed with its response")

// Retry sends a message at once that has not arrived, or every one of them if id is empty, and returns how many. A message that had failed is
// tried once more: if it fails again after three days, it stays failed. The zero caller is the operator, whom no audit log names.
// store.ErrNoDelivery, ErrNothingToRetry.
func (s *Service) Retry(ctx context.Context, caller org.Caller, of study.Study, id string) (retried int, err error) {
	defer operation.Wrap(&err, "panels.Retry")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		retried = 0
		if id != "" {
			if d, err := tx.PanelDelivery(ctx, id); err != nil || d.StudyID != of.ID {
				return errors.Join(err, store.ErrNoDelivery)
			}
		}
		due, err := tx.ReopenPanelDeliveries(ctx, of.ID, id, MaxRetried)
		if err != nil {
			return err
		}
		for _, d := range due {
			if err := jobs.RunNow(ctx, tx, jobs.PostbackArgs{DeliveryID: d.ID, ResponseID: d.ResponseID, OrgID: d.OrgID}); err != nil {
				return err
			}
		}
		if retried = len(due); retried == 0 {
			return nil
		}
		return audit(ctx, tx, caller, org.AuditPostbacksRetried, of, map[string]string{"messages": strconv.Itoa(retried)})
	})
	if err == nil && retried == 0 && id != "" {
		err = ErrNothingToRetry
	}
	return retried, err
}
