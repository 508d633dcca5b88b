package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/webhooks"
)

type webhookCommands struct {
	Create     webhookCreate     `cmd:"" help:"Create a webhook. Its secret is shown only once."`
	List       webhookList       `cmd:"" help:"List an organization's webhooks."`
	Show       webhookShow       `cmd:"" help:"Show a webhook."`
	Test       webhookTest       `cmd:"" help:"Send a test event to a webhook. A server delivers it."`
	Deliveries webhookDeliveries `cmd:"" help:"List the messages to a webhook, and what came of them."`
	Replay     webhookReplay     `cmd:"" help:"Send a message again, or all that failed since a time."`
	Rotate     webhookRotate     `cmd:"" help:"Make a new secret. Messages are signed with the former one as well for 24 hours."`
	Enable     webhookEnable     `cmd:"" help:"Enable a webhook."`
	Disable    webhookDisable    `cmd:"" help:"Disable a webhook. What happens meanwhile is not kept for it."`
	Delete     webhookDelete     `cmd:"" help:"Delete a webhook with its messages."`
}

// withWebhooks calls work with the service of webhooks, on behalf of an operator.
func (c *Common) withWebhooks(ctx context.Context, work func(*webhooks.Service, org.Caller) error) error {
	return c.withStore(ctx, func(s *store.Store) error {
		err := work(&webhooks.Service{Store: s}, org.Caller{})
		if wrong, ok := errors.AsType[*webhooks.Error](err); ok {
			return usageError(wrong.Error())
		}
		return err
	})
}

func webhookRow(w webhooks.Listed) row {
	events := "all"
	if len(w.Types) > 0 {
		events = joined(w.Types)
	}
	studies := "all"
	if len(w.Studies) > 0 {
		studies = strings.Join(w.StudyLinks, ", ")
	}
	return row{
		{"id", w.ID},
		{"url", w.URL},
		{"description", w.Description},
		{"events", events},
		{"studies", studies},
		{"parameters", w.Parameters},
		{"answers", w.Answers},
		{"status", string(w.Status)},
		{"reason", w.Reason},
		{"waiting", w.Waiting},
		{"delivered", w.Delivered},
		{"failed", w.Failed},
		{"createdAt", toSecond(w.CreatedAt)},
	}
}

func joined(all []webhook.Type) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return strings.Join(texts, ", ")
}

type webhookCreate struct {
	Org          string   `required:"" help:"The organization's id." placeholder:"ID"`
	URL          string   `required:"" name:"url" help:"The address that messages are sent to, over https or http." placeholder:"URL"`
	Event        []string `help:"An event to send, such as response.completed; may be repeated. Default: all." placeholder:"EVENT"`
	Study        []string `help:"The link id or id of a study to tell about; may be repeated. Default: all." placeholder:"LINK"`
	Description  string   `help:"What the webhook is for." placeholder:"TEXT"`
	NoParameters bool     `help:"Leave out the parameters of the participants' links."`
	Answers      bool     `help:"Send each response with its answers."`
}

// Run creates the webhook.
func (cmd *webhookCreate) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, _ org.Caller) error {
		e := webhook.Endpoint{URL: cmd.URL, Description: cmd.Description, Studies: cmd.Study, Parameters: !cmd.NoParameters, Answers: cmd.Answers}
		for _, event := range cmd.Event {
			e.Types = append(e.Types, webhook.Type(event))
		}
		made, secret, err := service.Create(ctx, org.Caller{OrgID: cmd.Org}, e)
		if wrong, ok := errors.AsType[*webhooks.Error](err); ok && len(cmd.Event) > 0 && strings.Contains(wrong.Error(), "event") {
			return usageError(fmt.Sprintf("%s; there are %s", wrong, joined(webhook.Types)))
		}
		if err != nil {
			return err
		}
		return c.print(append(row{{"secret", secret}}, webhookRow(made)...))
	})
}

type webhookList struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run lists the webhooks.
func (cmd *webhookList) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, _ org.Caller) error {
		all, err := service.List(ctx, org.Caller{OrgID: cmd.Org})
		if err != nil {
			return err
		}
		var rows []row
		for _, w := range all {
			rows = append(rows, webhookRow(w))
		}
		return c.printAll(rows, "The organization has no webhooks.")
	})
}

type webhookArgument struct {
	Webhook string `arg:"" help:"The webhook's id."`
}

type webhookShow struct{ webhookArgument }

// Run shows the webhook.
func (cmd *webhookShow) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		w, err := service.Show(ctx, operator, cmd.Webhook)
		if err != nil {
			return err
		}
		shown := webhookRow(w)
		if !w.FailingSince.IsZero() {
			shown = append(shown, field{"failingSince", toSecond(w.FailingSince)})
		}
		return c.print(shown)
	})
}

type webhookTest struct{ webhookArgument }

// Run sends a test event.
func (cmd *webhookTest) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		d, err := service.Test(ctx, operator, cmd.Webhook)
		if err != nil {
			return err
		}
		return c.print(deliveryRow(d))
	})
}

func deliveryRow(d webhooks.Delivery) row {
	number := ""
	if d.Number > 0 {
		number = strconv.Itoa(d.Number)
	}
	return row{
		{"event", d.Event.ID},
		{"type", string(d.Event.Type)},
		{"at", toSecond(d.Event.At)},
		{"linkId", d.LinkID},
		{"response", number},
		{"state", string(d.State)},
		{"attempts", d.Attempts},
		{"triedAt", toSecond(d.TriedAt)},
		{"dueAt", toSecond(d.DueAt)},
		{"status", d.HTTPStatus},
		{"milliseconds", int(d.Duration.Milliseconds())},
		{"error", d.Error},
		{"answer", d.Answer},
	}
}

type webhookDeliveries struct {
	webhookArgument
	State string `help:"Only messages in this state: waiting, delivered or failed. Default: all." enum:",waiting,delivered,failed" default:"" placeholder:"STATE"`
	Limit int    `help:"Maximum number of messages to list, the newest first." default:"100" placeholder:"N"`
}

// Run lists the messages.
func (cmd *webhookDeliveries) Run(ctx context.Context, c *Common) error {
	if cmd.Limit < 1 {
		return usageError("--limit must be at least 1")
	}
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		all, err := service.Deliveries(ctx, operator, cmd.Webhook, webhooks.Query{State: webhooks.State(cmd.State), Limit: cmd.Limit})
		if err != nil {
			return err
		}
		var rows []row
		for _, d := range all {
			rows = append(rows, deliveryRow(d))
		}
		return c.printAll(rows, "The webhook was told nothing.")
	})
}

type webhookReplay struct {
	webhookArgument
	Event       string `arg:"" optional:"" help:"The event's id."`
	FailedSince string `help:"Send all messages again that failed and whose events came since a time: a number of days (2d), a day (2027-01-31) or a time (2027-01-31T09:30:00Z), in UTC." placeholder:"DAYSd|TIME"`
}

// Run sends messages again.
func (cmd *webhookReplay) Run(ctx context.Context, c *Common) error {
	if (cmd.Event == "") == (cmd.FailedSince == "") {
		return usageError("name an event, or add --failed-since")
	}
	since, err := parseSince(cmd.FailedSince, time.Now())
	if err != nil {
		return err
	}
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		if cmd.Event != "" {
			d, err := service.Replay(ctx, operator, cmd.Webhook, cmd.Event)
			if err != nil {
				return err
			}
			return c.print(deliveryRow(d))
		}
		n, err := service.ReplayFailed(ctx, operator, cmd.Webhook, since)
		if err != nil {
			return err
		}
		return c.print(row{{"replayed", n}})
	})
}

// parseSince parses --failed-since.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, is := strings.CutSuffix(text, "d"); is {
		if n, err := strconv.Atoi(days); err == nil && n >= 1 && n <= 366 {
			return now.Add(-time.Duration(n) * 24 * time.Hour), nil
		}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usageError(fmt.Sprintf("--failed-since %q must be days such as 2d, a day such as 2027-01-31, or a time such as 2027-01-31T09:30:00Z", text))
}

type webhookRotate struct{ webhookArgument }

// Run makes a new secret.
func (cmd *webhookRotate) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		w, secret, err := service.Rotate(ctx, operator, cmd.Webhook)
		if err != nil {
			return err
		}
		return c.print(row{{"id", w.ID}, {"url", w.URL}, {"secret", secret}})
	})
}

type webhookEnable struct{ webhookArgument }

// Run enables the webhook.
func (cmd *webhookEnable) Run(ctx context.Context, c *Common) error {
	return c.setWebhookStatus(ctx, cmd.Webhook, webhook.Enabled)
}

type webhookDisable struct{ webhookArgument }

// Run disables the webhook.
func (cmd *webhookDisable) Run(ctx context.Context, c *Common) error {
	return c.setWebhookStatus(ctx, cmd.Webhook, webhook.Disabled)
}

func (c *Common) setWebhookStatus(ctx context.Context, id string, to webhook.Status) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		w, err := service.Change(ctx, operator, id, func(e *webhook.Endpoint) { e.Status = to })
		if err != nil {
			return err
		}
		return c.print(webhookRow(w))
	})
}

type webhookDelete struct{ webhookArgument }

// Run deletes the webhook.
func (cmd *webhookDelete) Run(ctx context.Context, c *Common) error {
	return c.withWebhooks(ctx, func(service *webhooks.Service, operator org.Caller) error {
		w, err := service.Show(ctx, operator, cmd.Webhook)
		if err == nil {
			err = service.Delete(ctx, operator, cmd.Webhook)
		}
		if err != nil {
			return err
		}
		return c.print(row{{"deleted", w.ID}})
	})
}
