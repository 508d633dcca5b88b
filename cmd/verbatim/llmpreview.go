package main

import (
	"context"
	"strings"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/disclosure"
)

type llmPreviewCommand struct {
	Response string `arg:"" help:"The response's id."`
	Masking  string `name:"model-masking" help:"As for verbatim serve: on or off." enum:"on,off" default:"on" env:"VERBATIM_MODEL_MASKING" placeholder:"MODE"`
}

// Run prints the requests, and sends none.
func (cmd *llmPreviewCommand) Run(ctx context.Context, c *Common) error {
	if !study.IsUUID(cmd.Response) {
		return response.ErrNotFound
	}
	return c.withStore(ctx, func(s *store.Store) error {
		requests, err := (&disclosure.Service{Store: s, Unmasked: cmd.Masking == "off"}).Preview(ctx, cmd.Response)
		if err != nil {
			return err
		}
		if c.JSON {
			rows := make([]row, 0, len(requests))
			for _, q := range requests {
				rows = append(rows, requestRow(q))
			}
			return c.printAll(rows, "")
		}
		for i, q := range requests {
			c.stdout.printf("Request %d of %d: %s\n\nsystem\n  %s\n", i+1, len(requests), q.Purpose, indented(strings.TrimSpace(q.System), "  "))
			for _, m := range q.Messages {
				c.stdout.printf("%s\n  %s\n", m.Role, indented(strings.TrimSpace(m.Text), "  "))
			}
			c.stdout.printf("\n")
		}
		c.stdout.printf("%d requests to a language model; none was sent. docs/what-a-model-sees.md says what is not shown here.\n", len(requests))
		return nil
	})
}

func requestRow(q disclosure.Request) row {
	messages := make([]row, 0, len(q.Messages))
	for _, m := range q.Messages {
		messages = append(messages, row{{"role", m.Role}, {"text", m.Text}})
	}
	return row{{"purpose", q.Purpose}, {"system", q.System}, {"messages", messages}}
}
