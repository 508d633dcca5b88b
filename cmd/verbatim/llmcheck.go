package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

type llmCheckCommand struct {
	Within   time.Duration `help:"Maximum time for one question." default:"60s" placeholder:"DURATION"`
	llmFlags `group:"Language model:"`
}

// Run asks the questions and prints a line for each. It returns an error if the model is not suitable.
func (cmd *llmCheckCommand) Run(ctx context.Context, c *Common) error {
	client, err := cmd.languageModel(nil, nil)
	if err != nil {
		return err
	}
	if client == nil {
		return usageError("set VERBATIM_LLM_URL and VERBATIM_LLM_MODEL, or --llm-url and --llm-model, to the model to test")
	}
	if cmd.Within < time.Second {
		return usageError("--within must be at least a second")
	}
	rows, wrong := trials{client, cmd.Within}.run(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := c.printAll(rows, ""); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s at %s is not suitable: %s", client.Model(), client.Provider(), strings.Join(wrong, "; "))
	}
	return nil
}

// trials asks a model the test questions.
type trials struct {
	client *llm.Client
	within time.Duration
}

// How long a participant waits for a follow-up: its first words should appear within firstWords, and after lastWords the built-in
// moderator's follow-up is used instead.
const (
	firstWords = 2 * time.Second
	lastWords  = 8 * time.Second
)

// trial is one test question with the check of its answer.
type trial struct {
	name    string
	request llm.Request
	judge   func(text string) error // nil: only the shape is checked
}

// run asks all questions. If the first one fails, or the service becomes unavailable, the rest is skipped.
func (t trials) run(ctx context.Context) (rows []row, wrong []string) {
	for _, tr := range t.list() {
		if err := ctx.Err(); err != nil {
			return rows, []string{err.Error()}
		}
		r, err := t.try(ctx, tr)
		rows = append(rows, r)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", tr.name, err))
			if len(rows) == 1 || errors.Is(err, llm.ErrUnavailable) {
				return rows, wrong
			}
		}
	}
	return rows, wrong
}

// try asks one question and returns its result.
func (t trials) try(ctx context.Context, tr trial) (row, error) {
	ctx, cancel := context.WithTimeout(ctx, t.within)
	defer cancel()
	reply, err := t.client.Chat(ctx, tr.request)
	if err == nil && tr.judge != nil {
		err = tr.judge(reply.Text)
	}
	state, note := "ok", ""
	switch {
	case err != nil:
		state, note = "wrong", err.Error()
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %v", t.within)
			note = err.Error()
		}
	case tr.request.Delta != nil && reply.FirstToken > lastWords, reply.Took > lastWords:
		state, note = "slow", fmt.Sprintf("participants wait at most %v, then the built-in moderator asks", lastWords)
	case tr.request.Delta != nil && reply.FirstToken > firstWords:
		state, note = "slow", fmt.Sprintf("the first words should be there within %v", firstWords)
	}
	return row{
		{"check", tr.name},
		{"state", state},
		{"seconds", seconds(reply.Took)},
		{"firstToken", seconds(reply.FirstToken)},
		{"attempts", reply.Attempts},
		{"promptTokens", reply.Usage.PromptTokens},
		{"completionTokens", reply.Usage.CompletionTokens},
		{"cost", usage.Money(reply.Usage.MicroCost)},
		{"note", note},
	}, err
}

func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", d.Seconds())
}
