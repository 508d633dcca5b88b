package llm

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/httpclient"
)

// Chat asks the model. It fails immediately with ErrOpen while the service is known to be down, with ErrCeiling before a
// request that might cost too much, and with the context's error when that ends, in the queue or during a request. With a
// Schema the text of the reply conforms to it; with an error there is no text.
func (c *Client) Chat(ctx context.Context, q Request) (Reply, error) {
	began := time.Now()
	reply := Reply{Model: c.config.Model, Provider: c.service.Host()}
	if q.Schema != nil {
		if err := q.Schema.Check(); err != nil {
			return reply, err
		}
	}
	if q.MaxTokens == 0 {
		q.MaxTokens = maxTokens
	}
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	out := newOutgoing(q, c.config.Unmasked)
	delta, end := out.stream()
	out.Delta = delta
	err := c.chat(bounded, out, &reply, began)
	end()
	reply.Text = out.restored(reply.Text)
	if err != nil {
		reply.Text = ""
		if ctx.Err() == nil && bounded.Err() != nil {
			err = unreached("asking the model", bounded.Err())
		}
	}
	reply.Took = time.Since(began)
	if c.Watch != nil {
		c.Watch(q.Purpose, reply, err)
	}
	return reply, err
}

// Result returns a word for how a call ended: answered, open, unavailable, refused, misshapen, ceiling, late (its context's
// deadline passed) or failed.
func Result(err error) string {
	if err == nil {
		return "answered"
	}
	for _, result := range []struct {
		err  error
		word string
	}{
		{ErrOpen, "open"},
		{ErrUnavailable, "unavailable"},
		{ErrRefused, "refused"},
		{ErrShape, "misshapen"},
		{ErrCeiling, "ceiling"},
		{context.DeadlineExceeded, "late"},
	} {
		if errors.Is(err, result.err) {
			return result.word
		}
	}
	return "failed"
}

// chat makes attempts until one succeeds or no further one would.
func (c *Client) chat(ctx context.Context, q outgoing, reply *Reply, began time.Time) error {
	form, failures := c.known(), 0
	return httpclient.Retry(ctx, pauses, func() error {
		for {
			got, err := c.attempt(ctx, q, form)
			if got.asked {
				reply.Attempts++
			}
			reply.Usage = reply.Usage.Plus(got.spent)
			if reply.FirstToken == 0 && !got.first.IsZero() {
				reply.FirstToken = got.first.Sub(began)
			}
			if err == nil {
				c.learn(form)
				reply.Text, reply.Model = got.text, got.model
				return nil
			}
			failed, ok := errors.AsType[*failure](err)
			if !ok || ctx.Err() != nil {
				return httpclient.Final(err)
			}
			simpler, can := form.without(failed, q.Request)
			if can && failed.prose {
				c.learn(simpler) // a model that keeps to schemas never writes prose
			}
			if got.shown {
				return httpclient.Final(err)
			}
			if can {
				form = simpler
				continue
			}
			failures++
			switch {
			case failed.Kind == ErrShape && failures == 1:
				continue // it may be right the next time by chance
			case failed.Kind != ErrUnavailable || failures == maxAttempts || c.Open():
				return httpclient.Final(err)
			}
			return err
		}
	})
}

// attempt makes one request, from waiting for a slot to recording its cost.
func (c *Client) attempt(ctx context.Context, q outgoing, f form) (got answer, err error) {
	pass, err := c.breaker.enter(time.Now())
	if err != nil {
		return got, err
	}
	leave, err := c.slots.Acquire(ctx, q.Background, pass.tripped)
	if errors.Is(err, httpclient.ErrStopped) {
		err = ErrOpen
	}
	if err != nil {
		c.breaker.leave(pass, unknown, time.Now())
		return got, err
	}
	defer leave()
	result := unknown
	defer func() { c.breaker.leave(pass, result, time.Now()) }() // before the next in the queue takes the slot
	body, err := c.body(q, f)
	if err != nil {
		return got, err
	}
	asks := estimateTokens(len(body))
	hold := ""
	if c.config.Ledger != nil {
		if hold, err = c.config.Ledger.Reserve(ctx, q.Scope, c.config.Prices.Cost(asks, int64(q.MaxTokens))); err != nil {
			return got, err
		}
	}
	started := time.Now()
	timed, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	got, err = c.ask(timed, q.Request, body)
	got.bound(q.Request, len(body), timed.Err() != nil)
	got.spent = c.config.Prices.Cost(got.prompt, got.completion)
	c.record(ctx, q.Request, hold, got.spent)
	switch failed, ok := errors.AsType[*failure](err); {
	case err == nil:
		result = healthy
	case ctx.Err() != nil:
		result, err = ended(ctx, time.Since(started)), context.Cause(ctx)
	case ok:
		result = failed.verdict
	}
	return got, err
}

// maxTemplate limits the tokens that a service may add to a request: its own instructions, and the marks between messages.
const maxTemplate = 1024

// bound replaces what the service reports of the cost where it cannot be: no token is less than a byte of what was sent or may be
// answered. What it does not report is estimated; of a call that was ended before its answer was, it may have cost all that it might.
func (a *answer) bound(q Request, sent int, ended bool) {
	unknown := a.completion <= 0
	if a.prompt <= 0 {
		a.prompt = 0
		if a.sent {
			a.prompt = estimateTokens(sent)
		}
	}
	a.prompt = min(a.prompt, int64(sent+maxTemplate))
	if a.completion = min(a.completion, int64(max(q.MaxTokens, len(a.words)))); unknown {
		a.completion = estimateTokens(len(a.words))
	}
	if ended && unknown && a.sent && a.finish == "" {
		a.completion = max(a.completion, int64(q.MaxTokens))
	}
}

// record settles the cost in the ledger, even if the caller left.
func (c *Client) record(ctx context.Context, q Request, hold string, spent usage.Amount) {
	if c.config.Ledger == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTimeout)
	defer cancel()
	if err := c.config.Ledger.Settle(ctx, q.Scope, hold, spent); err != nil {
		c.config.Log.ErrorContext(ctx, "the cost of a call to the model is not in the books", "purpose", q.Purpose, "error", err,
			"prompt_tokens", spent.PromptTokens, "completion_tokens", spent.CompletionTokens)
	}
}

// estimateTokens estimates the number of tokens in so many bytes of text, rather too high: a token is about three bytes in most
// scripts, and four in English.
func estimateTokens(bytes int) int64 { return int64(bytes+2) / 3 }
