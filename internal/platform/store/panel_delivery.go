package store

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/panel"
)

// DeliveryState is the state of a message to a server of others.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryWaiting   DeliveryState = "waiting"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed"
)

// ErrNoDelivery means that there is no such message, because its response was deleted since.
var ErrNoDelivery = errors.New("the message does not exist, or not any more")

// PanelDelivery is a message to a panel's server.
type PanelDelivery struct {
	ID         string
	StudyID    string
	OrgID      string
	ResponseID string // empty: the response is deleted, and what the message holds is removed when it has arrived or was discarded
	Key        string // idempotency key
	Outcome    panel.Outcome
	Message    panel.Message
	State      DeliveryState
	Attempts   int
	HTTPStatus int    // of the last attempt's answer; 0: there was none
	Error      string // of the last attempt; empty: it succeeded
	CreatedAt  time.Time
	TriedAt    time.Time // zero: not yet
}

// AddPanelDelivery stores a message and returns its id; empty if there is one with its key already.
func (tx *Tx) AddPanelDelivery(ctx context.Context, d PanelDelivery) (id string, err error) {
	id = NewID()
	n, err := tx.exec(ctx, `insert into panel_delivery (id, study_id, org_id, response_id, idem_key, outcome, method, url, body, key_header, state,
			created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		on conflict (study_id, idem_key) do nothing`, id, d.StudyID, d.OrgID, d.ResponseID, d.Key, d.Outcome,
		d.Message.Method, d.Message.URL, d.Message.Body, d.Message.KeyHeader, DeliveryWaiting, micros(tx.at))
	if n == 0 {
		id = ""
	}
	return id, err
}

const selectDelivery = `select id, study_id, org_id, response_id, idem_key, outcome, method, url, body, key_header, state, attempts, http_status, error,
	created_at, tried_at
	from panel_delivery `

func scanDelivery(r scanner) (d PanelDelivery, err error) {
	return d, r.Scan(&d.ID, &d.StudyID, &d.OrgID, &d.ResponseID, &d.Key, &d.Outcome, &d.Message.Method, &d.Message.URL, &d.Message.Body, &d.Message.KeyHeader,
		&d.State, &d.Attempts, &d.HTTPStatus, &d.Error, nullTime{&d.CreatedAt}, nullTime{&d.TriedAt})
}

// PanelDelivery finds a message; ErrNoDelivery.
func (v *View) PanelDelivery(ctx context.Context, id string) (PanelDelivery, error) {
	d, err := scanDelivery(v.q.QueryRowContext(ctx, selectDelivery+`where id = $1`, id))
	return d, noRowsAs(err, ErrNoDelivery)
}

// PanelDeliveries lists the messages of a study, newest first. An empty state means all.
func (v *View) PanelDeliveries(ctx context.Context, studyID string, state DeliveryState, limit int) ([]PanelDelivery, error) {
	return collect(ctx, v, scanDelivery, selectDelivery+`where study_id = $1 and ($2 = '' or state = $2) order by created_at desc, id desc limit $3`,
		studyID, string(state), limit)
}

// NotePanelAttempt stores what came of an attempt: the state, the HTTP status and the error of d. What the message of a deleted response
// holds is removed unless it has to be sent again.
func (tx *Tx) NotePanelAttempt(ctx context.Context, d PanelDelivery) error {
	_, err := tx.exec(ctx, `update panel_delivery
		set state = $2, http_status = $3, error = $4, attempts = attempts + 1, tried_at = $5,
			delivered_at = case when $2 = 'delivered' then $5 else delivered_at end,
			url = case when response_id = '' and $2 <> 'waiting' then '' else url end,
			body = case when response_id = '' and $2 <> 'waiting' then '' else body end
		where id = $1 and state = 'waiting'`, d.ID, string(d.State), d.HTTPStatus, d.Error, micros(tx.at))
	return err
}

// PanelDeliveryCounts counts the messages of a study by their state.
func (v *View) PanelDeliveryCounts(ctx context.Context, studyID string) (map[DeliveryState]int, error) {
	counts := map[DeliveryState]int{}
	_, err := collect(ctx, v, func(r scanner) (state DeliveryState, err error) {
		n := 0
		err = r.Scan(&state, &n)
		counts[state] = n
		return state, err
	}, `select state, count(*) from panel_delivery where study_id = $1 group by state`, studyID)
	return counts, err
}

// ReopenPanelDeliveries returns up to limit messages of a study that have not arrived, the oldest first, as waiting ones: all, or the one with
// an id. Those whose content was removed with their response are left out.
func (tx *Tx) ReopenPanelDeliveries(ctx context.Context, studyID, id string, limit int) ([]PanelDelivery, error) {
	due, err := collect(ctx, &tx.View, scanDelivery, selectDelivery+`where study_id = $1 and ($2 = '' or id = $2) and state <> 'delivered' and url <> ''
		order by created_at, id limit $3`, studyID, id, limit)
	if err != nil {
		return nil, err
	}
	for _, d := range due { // also of those that wait: the row stays locked, so that two retries make one job
		if err := tx.run(ctx, `update panel_delivery set state = 'waiting' where id = $1 and state <> 'delivered'`, d.ID); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// PanelDeliveryID finds a message of a study by its idempotency key; ErrNoDelivery.
func (v *View) PanelDeliveryID(ctx context.Context, studyID, key string) (id string, err error) {
	err = v.q.QueryRowContext(ctx, `select id from panel_delivery where study_id = $1 and idem_key = $2`, studyID, key).Scan(&id)
	return id, noRowsAs(err, ErrNoDelivery)
}
