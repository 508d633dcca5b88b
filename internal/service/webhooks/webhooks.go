package webhooks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
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

// Messages are those of the store.
type (
	Delivery = store.WebhookDelivery
	Query    = store.WebhookQuery
	State    = store.DeliveryState
)

// The states of a message.
const (
	Waiting   = store.DeliveryWaiting
	Delivered = store.DeliveryDelivered
	Failed    = store.DeliveryFailed
)

// Errors of messages.
var (
	ErrNoDelivery   = store.ErrNoDelivery
	ErrStillWaiting = store.ErrStillWaiting
)

// ErrDisabled means that nothing can be sent to a disabled webhook.
var ErrDisabled = errors.New("the webhook is disabled: enable it first")

// Error means that an endpoint cannot be as somebody wants it.
type Error struct{ Reason error }

// Error implements error.
func (e *Error) Error() string { return e.Reason.Error() }

// Keep is how long messages are kept.
const Keep = 30 * 24 * time.Hour

// Service manages the endpoints of organizations. Callers without a user are operators.
type Service struct {
	Store *store.Store
}

// Listed is an endpoint with what is known of its messages.
type Listed struct {
	webhook.Endpoint
	StudyLinks []string // the link ids of Studies, in their order; empty where a study is gone
	Waiting    int
	Delivered  int
	Failed     int
}

// List lists the endpoints of the caller's organization, oldest first; org.ErrNotFound.
func (s *Service) List(ctx context.Context, caller org.Caller) (all []Listed, err error) {
	defer operation.Wrap(&err, "webhooks.List")
	view := s.Store.View()
	if _, err := view.Org(ctx, caller.OrgID); err != nil {
		return nil, err
	}
	found, err := view.WebhookEndpoints(ctx, caller.OrgID)
	for i := 0; i < len(found) && err == nil; i++ {
		var l Listed
		l, err = listed(ctx, view, found[i])
		all = append(all, l)
	}
	return all, err
}

// Show returns an endpoint of the caller's organization; webhook.ErrNotFound.
func (s *Service) Show(ctx context.Context, caller org.Caller, id string) (_ Listed, err error) {
	defer operation.Wrap(&err, "webhooks.Show")
	e, err := s.find(ctx, s.Store.View(), caller, id)
	if err != nil {
		return Listed{}, err
	}
	return listed(ctx, s.Store.View(), e)
}

func listed(ctx context.Context, view *store.View, e webhook.Endpoint) (l Listed, err error) {
	l.Endpoint = e
	counts, err := view.WebhookCounts(ctx, e.ID)
	l.Waiting, l.Delivered, l.Failed = counts[store.DeliveryWaiting], counts[store.DeliveryDelivered], counts[store.DeliveryFailed]
	for i := 0; i < len(e.Studies) && err == nil; i++ {
		var of study.Study
		of, err = view.Study(ctx, e.OrgID, e.Studies[i])
		if errors.Is(err, study.ErrNotFound) {
			err = nil
		}
		l.StudyLinks = append(l.StudyLinks, of.LinkID)
	}
	return l, err
}

// find finds an endpoint of the caller's organization, or of any for an operator who names none.
func (s *Service) find(ctx context.Context, view *store.View, caller org.Caller, id string) (webhook.Endpoint, error) {
	id = strings.ToLower(id)
	if !study.IsUUID(id) || caller.OrgID == "" && caller.UserID != "" {
		return webhook.Endpoint{}, webhook.ErrNotFound
	}
	return view.WebhookEndpoint(ctx, caller.OrgID, id)
}

// studyIDs returns the ids of the studies that an endpoint is restricted to, given by their ids or link ids.
func studyIDs(ctx context.Context, view *store.View, orgID string, refs []string) (ids []string, err error) {
	for _, ref := range refs {
		found, err := view.StudyByRef(ctx, orgID, ref)
		if errors.Is(err, study.ErrNotFound) {
			return nil, &Error{fmt.Errorf("there is no study %.64q in the organization", ref)}
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID)
	}
	return ids, nil
}

// Create adds an endpoint, whose Studies are ids or link ids, and returns it with its secret; *Error, webhook.ErrTooMany, org.ErrNotFound.
func (s *Service) Create(ctx context.Context, caller org.Caller, e webhook.Endpoint) (_ Listed, secret string, err error) {
	defer operation.Wrap(&err, "webhooks.Create")
	e.ID, e.OrgID, e.Status = store.NewID(), caller.OrgID, webhook.Enabled
	if err := e.Check(); err != nil {
		return Listed{}, "", &Error{err}
	}
	if e.Studies, err = studyIDs(ctx, s.Store.View(), caller.OrgID, e.Studies); err != nil {
		return Listed{}, "", err
	}
	secret = newSecret()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Org(ctx, e.OrgID); err != nil {
			return err
		}
		others, err := tx.WebhookEndpoints(ctx, e.OrgID)
		if err == nil && len(others) >= webhook.MaxEndpoints {
			err = webhook.ErrTooMany
		}
		if err != nil {
			return err
		}
		if err := tx.SaveWebhookEndpoint(ctx, e); err != nil {
			return err
		}
		if err := tx.ChangeSetting(ctx, store.WebhookSecret(e.ID), "", webhook.Secrets{Current: secret}.String()); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookCreated, map[string]string{"host": host(e.URL)})
	})
	if err != nil {
		return Listed{}, "", err
	}
	made, err := s.Show(ctx, caller, e.ID)
	return made, secret, err
}

func newSecret() string {
	var random [webhook.SecretBytes]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	return webhook.NewSecret(random[:])
}

// Change changes an endpoint as change does, and returns it; *Error, webhook.ErrNotFound. Enabling one lets its failures begin again.
func (s *Service) Change(ctx context.Context, caller org.Caller, id string, change func(*webhook.Endpoint)) (_ Listed, err error) {
	defer operation.Wrap(&err, "webhooks.Change")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		e, err := s.find(ctx, &tx.View, caller, id)
		if err != nil {
			return err
		}
		was := e
		change(&e)
		if err := e.Check(); err != nil {
			return &Error{err}
		}
		if e.Studies, err = studyIDs(ctx, &tx.View, e.OrgID, e.Studies); err != nil {
			return err
		}
		if err := tx.SaveWebhookEndpoint(ctx, e); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookChanged, changes(was, e))
	})
	if err != nil {
		return Listed{}, err
	}
	return s.Show(ctx, caller, id)
}

// changes names what changed, without what may be secret.
func changes(was, is webhook.Endpoint) map[string]string {
	detail := map[string]string{"host": host(is.URL)}
	if was.Status != is.Status {
		detail["status"] = string(is.Status)
	}
	if was.URL != is.URL {
		detail["host"] = host(was.URL) + " → " + host(is.URL)
	}
	if was.Answers != is.Answers {
		detail["answers"] = strconv.FormatBool(is.Answers)
	}
	return detail
}

// Rotate makes a new secret for an endpoint and returns it. The former one signs along for webhook.Overlap; webhook.ErrNotFound.
func (s *Service) Rotate(ctx context.Context, caller org.Caller, id string) (_ Listed, secret string, err error) {
	defer operation.Wrap(&err, "webhooks.Rotate")
	secret = newSecret()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		e, err := s.find(ctx, &tx.View, caller, id)
		if err != nil {
			return err
		}
		name := store.WebhookSecret(e.ID)
		stored, err := tx.Setting(ctx, name)
		if err != nil {
			return err
		}
		secrets := webhook.Secrets{Current: secret}
		if former, err := webhook.ParseSecrets(stored); err == nil {
			secrets = former.Rotate(secret, tx.Now())
		}
		if err := tx.ChangeSetting(ctx, name, stored, secrets.String()); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookRotated, nil)
	})
	if err != nil {
		return Listed{}, "", err
	}
	shown, err := s.Show(ctx, caller, id)
	return shown, secret, err
}

// Delete removes an endpoint with its messages; webhook.ErrNotFound.
func (s *Service) Delete(ctx context.Context, caller org.Caller, id string) (err error) {
	defer operation.Wrap(&err, "webhooks.Delete")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		e, err := s.find(ctx, &tx.View, caller, id)
		if err != nil {
			return err
		}
		name := store.WebhookSecret(e.ID)
		stored, err := tx.Setting(ctx, name)
		if err != nil {
			return err
		}
		if err := tx.ChangeSetting(ctx, name, stored, ""); err != nil {
			return err
		}
		if err := tx.DeleteWebhookEndpoint(ctx, e.ID); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookDeleted, map[string]string{"host": host(e.URL)})
	})
}

// Test sends a test event to an endpoint, enabled or not, and returns its message; webhook.ErrNotFound.
func (s *Service) Test(ctx context.Context, caller org.Caller, id string) (sent store.WebhookDelivery, err error) {
	defer operation.Wrap(&err, "webhooks.Test")
	var endpointID string
	event := store.NewID()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		e, err := s.find(ctx, &tx.View, caller, id)
		if err != nil {
			return err
		}
		endpointID = e.ID
		if err := tx.AddWebhookEvent(ctx, webhook.OfEndpoint(e, event), e.ID, jobs.New(jobs.WebhookArgs{})); err != nil {
			return err
		}
		return audit(ctx, tx, caller, e, org.AuditWebhookTested, nil)
	})
	if err != nil {
		return sent, err
	}
	return s.Store.View().WebhookDelivery(ctx, endpointID, event)
}

func audit(ctx context.Context, tx *store.Tx, caller org.Caller, e webhook.Endpoint, action string, detail map[string]string) error {
	return tx.Audit(ctx, org.AuditEntry{OrgID: e.OrgID, UserID: caller.UserID, Action: action, Subject: e.ID, Detail: detail})
}
