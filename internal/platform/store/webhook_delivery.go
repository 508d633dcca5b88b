package store

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/webhook"
)

// ErrStillWaiting means that a message is waiting to be sent already.
var ErrStillWaiting = errors.New("the message is still waiting to be sent")

// WebhookDelivery is a message about an event to an endpoint.
type WebhookDelivery struct {
	EndpointID string
	Event      webhook.Event
	Number     int    // of the response; 0: none
	LinkID     string // of the study now; empty: none, or it is gone
	State      DeliveryState
	Attempts   int
	HTTPStatus int    // of the last attempt's answer; 0: there was none
	Error      string // of the last attempt; empty: it succeeded
	Answer     string // the beginning of the last answer's body
	Duration   time.Duration
	BegunAt    time.Time // when it was first to be sent, or was last replayed
	TriedAt    time.Time // zero: not yet
	DueAt      time.Time // of the next attempt; zero: it was not tried yet, or is over
	seq        int
}

const selectWebhookDelivery = `select d.endpoint_id, e.id, e.org_id, e.study_id, e.response_id, e.type, e.subject, e.facts, e.created_at,
		coalesce(r.readable_id, 0), coalesce(s.link_id, ''), d.state, d.attempts, d.http_status, d.error, d.answer, d.duration, d.begun_at, d.tried_at,
		d.due_at, d.seq
	from webhook_delivery d
	join webhook_event e on e.id = d.event_id
	left join study s on s.id = e.study_id
	left join response r on r.id = e.response_id `

func scanWebhookDelivery(r scanner) (d WebhookDelivery, err error) {
	e := &d.Event
	var facts string
	var micro int64
	err = r.Scan(&d.EndpointID, &e.ID, &e.OrgID, &e.StudyID, &e.ResponseID, &e.Type, &e.Subject, &facts, nullTime{&e.At}, &d.Number, &d.LinkID,
		&d.State, &d.Attempts, &d.HTTPStatus, &d.Error, &d.Answer, &micro, nullTime{&d.BegunAt}, nullTime{&d.TriedAt}, nullTime{&d.DueAt}, &d.seq)
	e.Facts, d.Duration = []byte(facts), time.Duration(micro)*time.Microsecond
	return d, err
}

// WebhookDelivery finds a message; ErrNoDelivery.
func (v *View) WebhookDelivery(ctx context.Context, endpointID, eventID string) (WebhookDelivery, error) {
	d, err := scanWebhookDelivery(v.q.QueryRowContext(ctx, selectWebhookDelivery+`where d.endpoint_id = $1 and d.event_id = $2`, endpointID, eventID))
	return d, noRowsAs(err, ErrNoDelivery)
}

// WebhookQuery selects messages. Its zero value selects all but those of no endpoint.
type WebhookQuery struct {
	State  DeliveryState
	Type   webhook.Type
	Before time.Time // with AfterID: the last message of the page before
	LastID string
	Limit  int
}

// WebhookDeliveries lists the messages to an endpoint, newest first.
func (v *View) WebhookDeliveries(ctx context.Context, endpointID string, q WebhookQuery) ([]WebhookDelivery, error) {
	before := any(int64(1 << 62))
	if !q.Before.IsZero() {
		before = micros(q.Before)
	}
	return collect(ctx, v, scanWebhookDelivery, selectWebhookDelivery+`where d.endpoint_id = $1 and ($2 = '' or d.state = $2) and ($3 = '' or e.type = $3)
			and (d.created_at < $4 or d.created_at = $4 and d.event_id < $5)
		order by d.created_at desc, d.event_id desc
		limit $6`, endpointID, string(q.State), string(q.Type), before, q.LastID, q.Limit)
}

// WebhookCounts returns how many messages to an endpoint are in each state.
func (v *View) WebhookCounts(ctx context.Context, endpointID string) (counts map[DeliveryState]int, err error) {
	counts = map[DeliveryState]int{}
	_, err = collect(ctx, v, func(r scanner) (struct{}, error) {
		var state DeliveryState
		var n int
		err := r.Scan(&state, &n)
		counts[state] = n
		return struct{}{}, err
	}, `select state, count(*) from webhook_delivery where endpoint_id = $1 group by state`, endpointID)
	return counts, err
}

// WebhookBefore finds the earliest message of the same endpoint and subject that waits although it came before this one.
func (v *View) WebhookBefore(ctx context.Context, d WebhookDelivery) (waits bool, due time.Time, err error) {
	found, err := collect(ctx, v, func(r scanner) (t time.Time, err error) { return t, r.Scan(nullTime{&t}) }, `select due_at
		from webhook_delivery
		where endpoint_id = $1 and subject = $2 and seq < $3 and state = 'waiting'
		order by seq
		limit 1`, d.EndpointID, d.Event.Subject, d.seq)
	if err != nil || len(found) == 0 {
		return false, due, err
	}
	return true, found[0], nil
}

// NoteWebhookAttempt stores what came of an attempt.
func (tx *Tx) NoteWebhookAttempt(ctx context.Context, d WebhookDelivery) error {
	_, err := tx.exec(ctx, `update webhook_delivery
		set state = $3, http_status = $4, error = $5, answer = $6, duration = $7, attempts = attempts + 1, tried_at = $8, due_at = $9
		where endpoint_id = $1 and event_id = $2 and state = 'waiting'`, d.EndpointID, d.Event.ID, string(d.State), d.HTTPStatus, d.Error, d.Answer,
		d.Duration.Microseconds(), micros(tx.at), micros(d.DueAt))
	return err
}

// FailWebhookDelivery marks a message as failed without an attempt.
func (tx *Tx) FailWebhookDelivery(ctx context.Context, endpointID, eventID, reason string) error {
	_, err := tx.exec(ctx, `update webhook_delivery set state = 'failed', error = $3, due_at = null where endpoint_id = $1 and event_id = $2 and state = 'waiting'`,
		endpointID, eventID, reason)
	return err
}

// ReplayWebhookDelivery lets a message be sent again; ErrNoDelivery, ErrStillWaiting.
func (tx *Tx) ReplayWebhookDelivery(ctx context.Context, endpointID, eventID string, job Job) error {
	d, err := tx.WebhookDelivery(ctx, endpointID, eventID)
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update webhook_delivery set state = 'waiting', error = '', begun_at = $3, due_at = null
		where endpoint_id = $1 and event_id = $2 and state <> 'waiting'`, endpointID, eventID, micros(tx.at))
	if err == nil && n == 0 {
		err = ErrStillWaiting
	}
	if err != nil {
		return err
	}
	job.OrgID = d.Event.OrgID
	return tx.enqueueMessages(ctx, job, `d.endpoint_id = $8 and d.event_id = $9`, endpointID, eventID)
}

// ReplayFailedWebhooks lets up to limit messages be sent again that failed and whose events came at or after a time, oldest first. It
// returns how many.
func (tx *Tx) ReplayFailedWebhooks(ctx context.Context, e webhook.Endpoint, since, failedBefore time.Time, limit int, job Job) (int, error) {
	ids, err := collect(ctx, &tx.View, func(r scanner) (id string, err error) { return id, r.Scan(&id) }, `select event_id
		from webhook_delivery
		where endpoint_id = $1 and state = 'failed' and created_at >= $2 and begun_at < $3
		order by created_at, event_id
		limit $4`, e.ID, micros(since), micros(failedBefore), limit)
	for _, id := range ids {
		if err := tx.ReplayWebhookDelivery(ctx, e.ID, id, job); err != nil && !errors.Is(err, ErrStillWaiting) && !errors.Is(err, ErrNoDelivery) {
			return 0, err
		}
	}
	return len(ids), err
}

// PruneWebhooks removes up to limit events before a time that nothing waits for, with their messages, and returns how many.
func (tx *Tx) PruneWebhooks(ctx context.Context, before time.Time, limit int) (int, error) {
	ids, err := collect(ctx, &tx.View, func(r scanner) (id string, err error) { return id, r.Scan(&id) }, `select id
		from webhook_event e
		where created_at < $1 and not exists (select 1 from webhook_delivery d where d.event_id = e.id and d.state = 'waiting')
		order by created_at
		limit $2`, micros(before), limit)
	for _, id := range ids {
		for _, statement := range []string{`delete from webhook_delivery where event_id = $1`, `delete from webhook_event where id = $1`} {
			if _, err := tx.exec(ctx, statement, id); err != nil {
				return 0, err
			}
		}
	}
	return len(ids), err
}

// WebhooksUnderWay reports whether messages about a response wait, of which one may be on its way now.
func (tx *Tx) WebhooksUnderWay(ctx context.Context, responseID string) (waiting bool, err error) {
	err = tx.q.QueryRowContext(ctx, `select exists (select 1 from webhook_delivery where response_id = $1 and state = 'waiting')`, responseID).Scan(&waiting)
	return waiting, err
}

// forgetWebhooks are the statements that remove what webhooks know of the response $1.
var forgetWebhooks = []string{
	`delete from webhook_delivery where response_id = $1`,
	`delete from webhook_event where response_id = $1`,
}
