package dashboard

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/panels"
)

// Bounds of what people ask for at once.
const (
	maxLinks       = 500
	maxLinkHours   = 24 * 366
	maxSecretGiven = 4096
	deliveriesPage = 100
)

func (a *API) listPanelPresets(c *call) error {
	type preset struct {
		Name  string          `json:"name"`
		Panel json.RawMessage `json:"panel"`
	}
	var all []preset
	for _, name := range panel.Presets() {
		text, _ := panel.Preset(name)
		all = append(all, preset{name, json.RawMessage(text)})
	}
	return c.answer(http.StatusOK, struct {
		Presets []preset `json:"presets"`
	}{all})
}

// setPanelSecret stores a secret that is given or made, or removes it. Only one that was made is in the answer, once.
func (a *API) setPanelSecret(c *call) error {
	var purposes []panel.Secret
	var action, secret string
	if err := c.body(func(o *strictjson.Object) {
		for _, purpose := range o.Enums("purposes", strictjson.Required, words(panel.Secrets...), len(panel.Secrets)) {
			purposes = append(purposes, panel.Secret(purpose))
		}
		action = o.Enum("action", strictjson.Required, []string{"set", "make", "remove"})
		presence := strictjson.Optional
		if action == "set" {
			presence = strictjson.Required
		}
		secret = o.NonEmptyUpTo("secret", presence, maxSecretGiven)
	}); err != nil {
		return err
	}
	var made *string
	switch action {
	case "make":
		secret = panels.NewSecret()
		made = &secret
	case "remove":
		secret = ""
	}
	if err := a.Panels.SetSecret(c.r.Context(), c.caller, c.study.Study, purposes, secret); err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Secret *string `json:"secret"`
	}{made})
}

func (a *API) makePanelLinks(c *call) error {
	var sets []map[string]string
	hours := 0
	if err := c.body(func(o *strictjson.Object) {
		o.ObjectsUpTo("links", strictjson.Required, 1, maxLinks, func(o *strictjson.Object) { sets = append(sets, o.TextMap("parameters", strictjson.Required)) })
		if o.Has("hours") {
			hours = o.Int("hours", strictjson.Optional, 1, maxLinkHours)
		}
	}); err != nil {
		return err
	}
	links, err := a.Panels.MakeLinks(c.r.Context(), c.caller, c.study.Study, a.BaseURL, sets, time.Duration(hours)*time.Hour)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Links []string `json:"links"`
	}{links})
}

type deliveryJSON struct {
	ID        string               `json:"id"`
	Outcome   panel.Outcome        `json:"outcome"`
	State     panels.DeliveryState `json:"state"`
	Attempts  int                  `json:"attempts"`
	Status    *int                 `json:"status"`
	Error     *string              `json:"error"`
	CreatedAt timestamp            `json:"createdAt"`
	TriedAt   *timestamp           `json:"triedAt"`
	Deleted   bool                 `json:"deleted"`
}

func deliveryOf(d panels.Delivery) deliveryJSON {
	return deliveryJSON{d.ID, d.Outcome, d.State, d.Attempts, orNull(d.HTTPStatus), orNull(d.Error), timestamp(d.CreatedAt), optional(d.TriedAt), d.ResponseID == ""}
}

func (a *API) listDeliveries(c *call) error {
	query := httpx.Query(c.r)
	state, given := query.Text("state")
	if given && !strings.Contains(" "+strings.Join(words(panels.DeliveryStates...), " ")+" ", " "+state+" ") {
		query.Refuse("state must be waiting, delivered or failed.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	all, err := a.Panels.Deliveries(c.r.Context(), c.study.Study, panels.DeliveryState(state), deliveriesPage+1)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Messages []deliveryJSON `json:"messages"`
		More     bool           `json:"more"`
	}{list(all[:min(len(all), deliveriesPage)], deliveryOf), len(all) > deliveriesPage})
}

func (a *API) retryDeliveries(c *call) error {
	id := ""
	if err := c.body(func(o *strictjson.Object) { id = o.UUID("messageId", strictjson.Optional) }); err != nil {
		return err
	}
	retried, err := a.Panels.Retry(c.r.Context(), c.caller, c.study.Study, id)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Retried int `json:"retried"`
	}{retried})
}
