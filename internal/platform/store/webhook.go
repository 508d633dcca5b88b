package store

import (
	"context"
	"strconv"
	"strings"

	"verbatim/internal/domain/webhook"
)

// webhookSecrets begins the names of the settings with the secrets of webhooks. Backups leave them out.
const webhookSecrets = "webhook_secret/"

// WebhookSecret returns the name of the setting with the secrets of an endpoint.
func WebhookSecret(endpointID string) string { return webhookSecrets + endpointID }

const selectEndpoint = `select id, org_id, url, description, types, studies, parameters, answers, status, disabled_because, failures, failing_since, retry_at,
		created_at, changed_at
	from webhook_endpoint `

func scanEndpoint(r scanner) (e webhook.Endpoint, err error) {
	var types, studies string
	err = r.Scan(&e.ID, &e.OrgID, &e.URL, &e.Description, &types, &studies, &e.Parameters, &e.Answers, &e.Status, &e.Reason, &e.Failures,
		nullTime{&e.FailingSince}, nullTime{&e.RetryAt}, nullTime{&e.CreatedAt}, nullTime{&e.ChangedAt})
	for _, of := range unlisted(types) {
		e.Types = append(e.Types, webhook.Type(of))
	}
	e.Studies = unlisted(studies)
	return e, err
}

// unlisted returns the elements of a text that listedOrAll made.
func unlisted(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

// listedOrAll is listed, and empty for an empty list.
func listedOrAll[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = string(one)
	}
	if len(texts) == 0 {
		return ""
	}
	return listed(texts)
}

// WebhookEndpoints lists the endpoints of an organization, oldest first.
func (v *View) WebhookEndpoints(ctx context.Context, orgID string) ([]webhook.Endpoint, error) {
	return collect(ctx, v, scanEndpoint, selectEndpoint+`where org_id = $1 order by created_at, id`, orgID)
}

// WebhookEndpoint finds an endpoint of an organization, or of any if that is empty; webhook.ErrNotFound.
func (v *View) WebhookEndpoint(ctx context.Context, orgID, id string) (webhook.Endpoint, error) {
	e, err := scanEndpoint(v.q.QueryRowContext(ctx, selectEndpoint+`where id = $1 and ($2 = '' or org_id = $2)`, id, orgID))
	return e, noRowsAs(err, webhook.ErrNotFound)
}

// SaveWebhookEndpoint stores what people choose of an endpoint, new or known, and sets its times. What is known of its failures begins
// again.
func (tx *Tx) SaveWebhookEndpoint(ctx context.Context, e webhook.Endpoint) error {
	_, err := tx.exec(ctx, `insert into webhook_endpoint (id, org_id, url, description, types, studies, parameters, answers, status, created_at, changed_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
		on conflict (id) do update
		set url = excluded.url, description = excluded.description, types = excluded.types, studies = excluded.studies, parameters = excluded.parameters,
			answers = excluded.answers, status = excluded.status, disabled_because = '', failures = 0, failing_since = null, retry_at = null,
			changed_at = excluded.changed_at`,
		e.ID, e.OrgID, e.URL, e.Description, listedOrAll(e.Types), listedOrAll(e.Studies), e.Parameters, e.Answers, string(e.Status), micros(tx.at))
	return err
}

// NoteWebhookEndpoint stores what the attempts say of an endpoint. disabled reports whether this disabled it.
func (tx *Tx) NoteWebhookEndpoint(ctx context.Context, e webhook.Endpoint) (disabled bool, err error) {
	if _, err = tx.exec(ctx, `update webhook_endpoint set failures = $2, failing_since = $3, retry_at = $4 where id = $1`,
		e.ID, e.Failures, micros(e.FailingSince), micros(e.RetryAt)); err != nil || e.Status != webhook.Failing {
		return false, err
	}
	n, err := tx.exec(ctx, `update webhook_endpoint set status = 'failing', disabled_because = $2 where id = $1 and status = 'enabled'`, e.ID, e.Reason)
	return n > 0, err
}

// DeleteWebhookEndpoint removes an endpoint with what was sent to it. The events stay for other endpoints, until they are pruned.
func (tx *Tx) DeleteWebhookEndpoint(ctx context.Context, id string) error {
	for _, statement := range []string{`delete from webhook_endpoint where id = $1`, `delete from webhook_delivery where endpoint_id = $1`} {
		if _, err := tx.exec(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// AddWebhookEvent stores an event with a message for each endpoint that is told of it, and nothing if there is none. job is enqueued for each message that can be
// sent, with the ids of the event and the endpoint as its arguments. only restricts it to one endpoint, whatever that chose; empty: all.
//
// No result is waited for, so that on PostgreSQL the statements are sent with the others of the transaction.
func (tx *Tx) AddWebhookEvent(ctx context.Context, e webhook.Event, only string, job Job) error {
	e.At = tx.at
	const told = `w.org_id = $1 and w.id = $2`
	match, args := told, []any{e.OrgID, only}
	if only == "" {
		match = `w.org_id = $1 and w.status <> 'disabled' and (w.types = '' or w.types like $2) and (w.studies = '' or w.studies like $3)`
		args = []any{e.OrgID, `%,` + string(e.Type) + `,%`, `%,` + e.StudyID + `,%`}
	}
	n := len(args)
	at := func(i int) string { return `$` + strconv.Itoa(n+i) }
	if err := tx.run(ctx, `insert into webhook_event (id, org_id, study_id, response_id, type, subject, facts, created_at)
		select `+at(1)+`, $1, `+at(2)+`, `+at(3)+`, `+at(4)+`, `+at(5)+`, `+at(6)+`, `+at(7)+`
		where exists (select 1 from webhook_endpoint w where `+match+`)`,
		append(args[:n:n], e.ID, e.StudyID, e.ResponseID, string(e.Type), e.Subject, string(e.Facts), micros(e.At))...); err != nil {
		return err
	}
	if err := tx.run(ctx, `insert into webhook_delivery (endpoint_id, event_id, response_id, subject, seq, state, error, created_at, begun_at)
		select w.id, `+at(1)+`, `+at(2)+`, `+at(3)+`,
			coalesce((select max(d.seq) from webhook_delivery d where d.endpoint_id = w.id and d.subject = `+at(3)+`), 0) + 1,
			case when w.status = 'failing' and `+at(5)+` = 0 then 'failed' else 'waiting' end,
			case when w.status = 'failing' and `+at(5)+` = 0 then 'the webhook was disabled' else '' end,
			`+at(4)+`, `+at(4)+`
		from webhook_endpoint w
		where `+match,
		append(args[:n:n], e.ID, e.ResponseID, e.Subject, micros(e.At), len(only))...); err != nil {
		return err
	}
	job.ResponseID, job.OrgID = e.ResponseID, e.OrgID
	return tx.enqueueMessages(ctx, job, `d.event_id = $8 and d.state = 'waiting'`, e.ID)
}

// enqueueMessages enqueues a job for each message that a condition selects; its arguments begin at $8.
func (tx *Tx) enqueueMessages(ctx context.Context, job Job, which string, args ...any) error {
	if job.RunAt.IsZero() {
		job.RunAt = tx.at
	}
	tx.enqueued = true
	return tx.run(ctx, `insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, queue, turn)
		select cast($1 as text) || '.' || d.endpoint_id || '.' || d.event_id, $2, d.event_id || ' ' || d.endpoint_id,
			case when d.response_id = '' then null else d.response_id end, 'ready', $3, $4, $5, $6, (select max(turn) from (
			select coalesce((select turn from job where state = 'ready' and `+jobQueue+` = $7 and run_at <= $4
				order by turn, run_at limit 1), 0) as turn
			union all
			select coalesce((select turn + 1 from job where state = 'ready' and `+jobQueue+` = $7 and org_id = $5
				order by org_id desc, turn desc limit 1), 0)
		) turns)
		from webhook_delivery d
		where `+which,
		append([]any{NewID(), job.Kind, micros(job.RunAt), micros(tx.at), job.OrgID, job.Queue, job.Queue}, args...)...)
}
