package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/panels"
)

type panelCommands struct {
	Show       panelShow       `cmd:"" help:"Show where participants go back to, and which secrets are set. The secrets themselves are not shown."`
	Preset     panelPreset     `cmd:"" help:"Print the settings for a panel, for config.verbatim.panel of a guide: cint, dynata, lucid, plain, prolific, test or toluna."`
	Secret     panelSecret     `cmd:"" help:"Set a secret that the study shares with its panel. It is part of no guide and of no backup."`
	Link       panelLink       `cmd:"" help:"Print the study's link with parameters, signed where the study demands it."`
	Deliveries panelDeliveries `cmd:"" help:"List what the panel's server was told, and what came of it."`
	Retry      panelRetry      `cmd:"" help:"Send messages to the panel's server again that have not arrived, at once."`
	Codes      panelCodes      `cmd:"" help:"List the completion codes of the study's responses."`
}

// withPanel calls work with the service of panels, a study and its panel.
func (c *Common) withPanel(ctx context.Context, link string, work func(*panels.Service, study.Study, *panel.Settings) error) error {
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, link)
		if err != nil {
			return err
		}
		service := &panels.Service{Store: s}
		settings, err := service.Settings(ctx, found)
		if err != nil {
			return fmt.Errorf("study %s: %w", found.LinkID, err)
		}
		return work(service, found, settings)
	})
}

type panelShow struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run shows the panel of a study.
func (cmd *panelShow) Run(ctx context.Context, c *Common) error {
	return c.withPanel(ctx, cmd.Link, func(service *panels.Service, of study.Study, settings *panel.Settings) error {
		shown := row{{"linkId", of.LinkID}, {"participant", settings.Participant.Parameter}, {"signedLinks", settings.SignedLinks}}
		for _, outcome := range panel.Outcomes {
			shown = append(shown, field{"redirect" + camel(string(outcome)), settings.Redirects.Addresses[outcome]})
		}
		postback := ""
		if settings.Postback != nil {
			postback = settings.Postback.URL
		}
		shown = append(shown, field{"postback", postback})
		secrets, err := service.Secrets(ctx, of, settings)
		if err != nil {
			return err
		}
		for _, secret := range secrets {
			shown = append(shown, field{"secret" + camel(string(secret.Purpose)), secretState(secret)})
		}
		if err := c.print(shown); err != nil {
			return err
		}
		for _, secret := range secrets {
			if secret.Missing() {
				c.stderr.printf("No secret for %s is set: %s. Set it with: verbatim study panel secret %s --for %s --generate\n",
					secret.Purpose, secret.Purpose.Without(), of.LinkID, secret.Purpose)
			}
		}
		return nil
	})
}

func secretState(s panels.SecretState) string {
	switch {
	case s.Set:
		return "set"
	case s.Needed:
		return "missing"
	}
	return "not needed"
}

// camel converts a word with underscores for the end of a camelCase key.
func camel(word string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(word, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

type panelPreset struct {
	Name string `arg:"" help:"The panel: cint, dynata, lucid, plain, prolific, test or toluna."`
}

// Run prints a preset.
func (cmd *panelPreset) Run(c *Common) error {
	text, found := panel.Preset(cmd.Name)
	if !found {
		return usageError(fmt.Sprintf("there is no preset %q; there are %s", cmd.Name, strings.Join(panel.Presets(), ", ")))
	}
	for line := range strings.Lines(text + "\n") {
		c.stdout.printf("%s\n", strings.TrimSuffix(line, "\n"))
	}
	return nil
}

type panelSecret struct {
	Link     string   `arg:"" help:"The study's link id, or its id."`
	For      []string `help:"What the secret is for: redirect, postback or link (it signs them), or key (the panel's API key, sent with postbacks). Default: redirect, postback and link." enum:"redirect,postback,link,key" placeholder:"PURPOSE"`
	File     string   `help:"File with the secret; - for standard input." placeholder:"FILE" xor:"secret"`
	Generate bool     `help:"Make a secret and print it, once." xor:"secret"`
	Remove   bool     `help:"Remove the secret." xor:"secret"`
}

// Run sets the secret.
func (cmd *panelSecret) Run(ctx context.Context, c *Common) error {
	secret, err := cmd.secret()
	if err != nil {
		return err
	}
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		purposes := panels.SharedPurposes
		if len(cmd.For) > 0 {
			purposes = nil
		}
		for _, purpose := range cmd.For {
			purposes = append(purposes, panel.Secret(purpose))
		}
		if err := (&panels.Service{Store: s}).SetSecret(ctx, org.Caller{}, found, purposes, secret); err != nil {
			return err
		}
		words := make([]string, len(purposes))
		for i, purpose := range purposes {
			words[i] = string(purpose)
		}
		result := row{{"linkId", found.LinkID}, {"for", strings.Join(words, ", ")}, {"set", secret != ""}}
		if cmd.Generate {
			result = append(result, field{"secret", secret})
		}
		return c.print(result)
	})
}

func (cmd *panelSecret) secret() (string, error) {
	switch {
	case cmd.Remove:
		return "", nil
	case cmd.Generate:
		return panels.NewSecret(), nil
	case cmd.File == "-":
		text, err := io.ReadAll(io.LimitReader(os.Stdin, maxSecretFile))
		if err == nil && strings.TrimRight(string(text), "\r\n") == "" {
			return "", usageError("there is no secret on standard input")
		}
		return strings.TrimRight(string(text), "\r\n"), err
	case cmd.File != "":
		return readLine("", "--file", cmd.File)
	}
	return "", usageError("add --file FILE, --file - for standard input, --generate or --remove")
}

type panelLink struct {
	Link    string            `arg:"" help:"The study's link id, or its id."`
	Param   map[string]string `help:"A parameter of the link; may be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Expires time.Duration     `help:"How long a signed link begins interviews. Default: as long as its secret is set." placeholder:"DURATION"`
	linkFlags
}

// Run prints the link.
func (cmd *panelLink) Run(ctx context.Context, c *Common) error {
	if cmd.Expires < 0 {
		return usageError("--expires must not be negative")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		base, err := cmd.base(ctx, s)
		if err != nil {
			return err
		}
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		service := &panels.Service{Store: s}
		link, err := service.Link(ctx, found, base, cmd.Param, cmd.Expires)
		if wrong, ok := errors.AsType[*panels.ParameterError](err); ok {
			return usageError(fmt.Sprintf("study %s: %s. Add --param NAME=VALUE", found.LinkID, wrong))
		}
		if err != nil {
			return fmt.Errorf("study %s: %w", found.LinkID, err)
		}
		return c.print(row{{"link", link}, {"signed", strings.Contains(link, panel.LinkSignatureParam+"=")}})
	})
}

type panelDeliveries struct {
	Link  string `arg:"" help:"The study's link id, or its id."`
	State string `help:"Only messages in this state: waiting, delivered or failed. Default: all." enum:",waiting,delivered,failed" default:"" placeholder:"STATE"`
	Limit int    `help:"Maximum number of messages to list, the newest first." default:"100" placeholder:"N"`
}

// Run lists the messages.
func (cmd *panelDeliveries) Run(ctx context.Context, c *Common) error {
	if cmd.Limit < 1 {
		return usageError("--limit must be at least 1")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		all, err := (&panels.Service{Store: s}).Deliveries(ctx, found, store.DeliveryState(cmd.State), cmd.Limit)
		if err != nil {
			return err
		}
		var rows []row
		for _, d := range all {
			rows = append(rows, row{
				{"createdAt", toSecond(d.CreatedAt)},
				{"outcome", string(d.Outcome)},
				{"state", string(d.State)},
				{"attempts", d.Attempts},
				{"triedAt", toSecond(d.TriedAt)},
				{"status", d.HTTPStatus},
				{"error", d.Error},
				{"responseId", d.ResponseID},
				{"key", d.Key},
			})
		}
		return c.printAll(rows, "The panel's server was told nothing.")
	})
}

type panelRetry struct {
	Link string `arg:"" help:"The study's link id, or its id."`
	Key  string `help:"Only the message with this idempotency key. Default: all that have not arrived." placeholder:"KEY"`
}

// Run sends the messages again. The servers do it, in a moment.
func (cmd *panelRetry) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		service, id := &panels.Service{Store: s}, ""
		if cmd.Key != "" {
			if id, err = s.View().PanelDeliveryID(ctx, found.ID, cmd.Key); err != nil {
				return fmt.Errorf("study %s: %w", found.LinkID, err)
			}
		}
		retried, err := service.Retry(ctx, org.Caller{}, found, id)
		if err != nil {
			return err
		}
		return c.print(row{{"linkId", found.LinkID}, {"retried", retried}})
	})
}

type panelCodes struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run lists the codes.
func (cmd *panelCodes) Run(ctx context.Context, c *Common) error {
	return c.withPanel(ctx, cmd.Link, func(service *panels.Service, of study.Study, settings *panel.Settings) error {
		responses, codes, err := service.Codes(ctx, of)
		if err != nil {
			return err
		}
		var rows []row
		for i, r := range responses {
			if r.Progress == response.Complete && codes[i] != "" {
				rows = append(rows, row{{"readableId", r.ReadableID}, {"code", codes[i]}, {"participant", r.URLParams[settings.Participant.Parameter]}, {"responseId", r.ID}})
			}
		}
		return c.printAll(slices.Clip(rows), "There are no completion codes.")
	})
}
