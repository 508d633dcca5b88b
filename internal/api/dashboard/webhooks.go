package dashboard

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/service/webhooks"
)

type webhookJSON struct {
	ID           string         `json:"id"`
	URL          string         `json:"url"`
	Description  string         `json:"description"`
	Events       []webhook.Type `json:"events"`
	Studies      []string       `json:"studies"`
	Parameters   bool           `json:"parameters"`
	Answers      bool           `json:"answers"`
	Status       webhook.Status `json:"status"`
	Reason       string         `json:"reason"`
	FailingSince *timestamp     `json:"failingSince"`
	Waiting      int            `json:"waiting"`
	Delivered    int            `json:"delivered"`
	Failed       int            `json:"failed"`
	CreatedAt    timestamp      `json:"createdAt"`
	ChangedAt    timestamp      `json:"changedAt"`
}

func webhookOf(w webhooks.Listed) webhookJSON {
	studies := make([]string, 0, len(w.Studies))
	for i, id := range w.Studies {
		if link := w.StudyLinks[i]; link != "" {
			id = link
		}
		studies = append(studies, id)
	}
	return webhookJSON{
		w.ID, w.URL, w.Description, append([]webhook.Type{}, w.Types...), studies, w.Parameters, w.Answers, w.Status, w.Reason, optional(w.FailingSince),
		w.Waiting, w.Delivered, w.Failed, timestamp(w.CreatedAt), timestamp(w.ChangedAt),
	}
}

type webhookDeliveryJSON struct {
	EventID    string         `json:"eventId"`
	Type       webhook.Type   `json:"type"`
	LinkID     *string        `json:"linkId"`
	Number     *int           `json:"number"`
	State      webhooks.State `json:"state"`
	Attempts   int            `json:"attempts"`
	HTTPStatus *int           `json:"httpStatus"`
	Error      string         `json:"error"`
	Answer     string         `json:"answer"`
	DurationMs int64          `json:"durationMs"`
	At         timestamp      `json:"at"`
	TriedAt    *timestamp     `json:"triedAt"`
	DueAt      *timestamp     `json:"dueAt"`
}

func webhookDeliveryOf(d webhooks.Delivery) webhookDeliveryJSON {
	return webhookDeliveryJSON{
		d.Event.ID, d.Event.Type, orNull(d.LinkID), orNull(d.Number), d.State, d.Attempts, orNull(d.HTTPStatus), d.Error, d.Answer,
		d.Duration.Milliseconds(), timestamp(d.Event.At), optional(d.TriedAt), optional(d.DueAt),
	}
}

// webhookID returns the webhook that the address names.
func (c *call) webhookID() string { return c.r.PathValue("webhookId") }

func (a *API) listWebhooks(c *call) error {
	all, err := a.Webhooks.List(c.r.Context(), c.caller)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Webhooks []webhookJSON  `json:"webhooks"`
		Events   []webhook.Type `json:"events"`
	}{list(all, webhookOf), webhook.Types})
}

func (a *API) getWebhook(c *call) error {
	w, err := a.Webhooks.Show(c.r.Context(), c.caller, c.webhookID())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, webhookOf(w))
}

// readWebhook reads those parts of an endpoint that a body has.
func readWebhook(o *strictjson.Object, e *webhook.Endpoint, presence strictjson.Presence) {
	if presence == strictjson.Required || o.Has("url") {
		e.URL = strings.TrimSpace(o.NonEmptyUpTo("url", presence, webhook.MaxURL))
	}
	if o.Has("description") {
		e.Description = strings.TrimSpace(o.TextUpTo("description", strictjson.Optional, webhook.MaxDescription))
	}
	if o.Has("events") {
		e.Types = nil
		for _, of := range o.Enums("events", strictjson.Optional, words(webhook.Types...), len(webhook.Types)) {
			if !slices.Contains(e.Types, webhook.Type(of)) {
				e.Types = append(e.Types, webhook.Type(of))
			}
		}
	}
	if o.Has("studies") {
		e.Studies = o.TextsUpTo("studies", strictjson.Optional, 0, webhook.MaxStudies, 64)
	}
	if o.Has("parameters") {
		e.Parameters = o.Bool("parameters", strictjson.Optional)
	}
	if o.Has("answers") {
		e.Answers = o.Bool("answers", strictjson.Optional)
	}
}

// webhookSecretJSON is an endpoint with a secret that is shown once.
type webhookSecretJSON struct {
	Webhook webhookJSON `json:"webhook"`
	Secret  string      `json:"secret"`
}

func (a *API) createWebhook(c *call) error {
	e := webhook.Endpoint{Parameters: true}
	if err := c.body(func(o *strictjson.Object) { readWebhook(o, &e, strictjson.Required) }); err != nil {
		return err
	}
	made, secret, err := a.Webhooks.Create(c.r.Context(), c.caller, e)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, webhookSecretJSON{webhookOf(made), secret})
}

func (a *API) changeWebhook(c *call) error {
	was, err := a.Webhooks.Show(c.r.Context(), c.caller, c.webhookID())
	if err != nil {
		return err
	}
	read := func(e *webhook.Endpoint) error {
		return c.body(func(o *strictjson.Object) {
			readWebhook(o, e, strictjson.Optional)
			if o.Has("status") {
				e.Status = webhook.Status(o.Enum("status", strictjson.Optional, words(webhook.Enabled, webhook.Disabled)))
			}
		})
	}
	wanted := was.Endpoint
	if err := read(&wanted); err != nil {
		return err
	}
	changed, err := a.Webhooks.Change(c.r.Context(), c.caller, c.webhookID(), func(e *webhook.Endpoint) {
		e.URL, e.Description, e.Types, e.Studies, e.Parameters, e.Answers = wanted.URL, wanted.Description, wanted.Types, wanted.Studies, wanted.Parameters, wanted.Answers
		if wanted.Status != was.Status {
			e.Status = wanted.Status
		}
	})
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, webhookOf(changed))
}

func (a *API) deleteWebhook(c *call) error {
	if err := a.Webhooks.Delete(c.r.Context(), c.caller, c.webhookID()); err != nil {
		return err
	}
	return c.done()
}

func (a *API) rotateWebhookSecret(c *call) error {
	w, secret, err := a.Webhooks.Rotate(c.r.Context(), c.caller, c.webhookID())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, webhookSecretJSON{webhookOf(w), secret})
}

func (a *API) testWebhook(c *call) error {
	sent, err := a.Webhooks.Test(c.r.Context(), c.caller, c.webhookID())
	if err != nil {
		return err
	}
	return c.answer(http.StatusAccepted, webhookDeliveryOf(sent))
}

// webhookPage limits the messages of a page.
const webhookPage = 50

func (a *API) listWebhookDeliveries(c *call) error {
	query := httpx.Query(c.r)
	q := webhooks.Query{Limit: webhookPage + 1}
	if state, found := query.Text("state"); found {
		q.State = webhooks.State(state)
		if !slices.Contains(words(webhooks.Waiting, webhooks.Delivered, webhooks.Failed), state) {
			query.Refuse("state must be waiting, delivered or failed.")
		}
	}
	if after, found := query.Text("after"); found {
		micros, id, _ := strings.Cut(after, ".")
		at, err := strconv.ParseInt(micros, 10, 64)
		if err != nil || !study.IsUUID(id) {
			query.Refuse("after is not that of a page before.")
		}
		q.Before, q.LastID = time.UnixMicro(at), id
	}
	if err := query.Err(); err != nil {
		return err
	}
	found, err := a.Webhooks.Deliveries(c.r.Context(), c.caller, c.webhookID(), q)
	if err != nil {
		return err
	}
	next := ""
	if len(found) > webhookPage {
		found = found[:webhookPage]
		last := found[webhookPage-1].Event
		next = strconv.FormatInt(last.At.UnixMicro(), 10) + "." + last.ID
	}
	return c.answer(http.StatusOK, struct {
		Deliveries []webhookDeliveryJSON `json:"deliveries"`
		Next       *string               `json:"next"`
	}{list(found, webhookDeliveryOf), orNull(next)})
}

func (a *API) replayWebhookDelivery(c *call) error {
	d, err := a.Webhooks.Replay(c.r.Context(), c.caller, c.webhookID(), c.r.PathValue("eventId"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusAccepted, webhookDeliveryOf(d))
}

func (a *API) replayFailedWebhooks(c *call) error {
	var since time.Time
	if err := c.body(func(o *strictjson.Object) { since = o.Time("since", strictjson.Required) }); err != nil {
		return err
	}
	n, err := a.Webhooks.ReplayFailed(c.r.Context(), c.caller, c.webhookID(), since)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Count int `json:"count"`
	}{n})
}
