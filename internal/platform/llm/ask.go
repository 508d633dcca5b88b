package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/httpclient"
)

// answer is the result of an attempt.
type answer struct {
	words      []byte // so far
	text       string // when it is complete
	model      string
	prompt     int64 // tokens, if the service reports them
	completion int64
	spent      usage.Amount
	asked      bool      // a request was made
	sent       bool      // the service may have read it
	shown      bool      // Delta was given something
	first      time.Time // when the first of the text arrived
	finish     string    // why it ended; empty: it was interrupted
	limit      int       // bytes of the text, beyond which it is cut off
	refused    bool      // the model refuses to answer
	thought    thought
}

// ask makes the request and reads the response. With an error, the answer shows how far it got.
func (c *Client) ask(ctx context.Context, q Request, body []byte) (got answer, err error) {
	got.model, got.asked, got.limit = c.config.Model, true, cmp.Or(min(q.MaxText, maxText), maxText)
	request, err := c.service.Request(ctx, http.MethodPost, "/chat/completions", bytes.NewReader(body))
	if err != nil {
		return got, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := c.service.Do(request)
	if err != nil {
		got.sent = !notSent(err)
		return got, unreached("asking the model", err)
	}
	defer response.Body.Close()
	limited := &io.LimitedReader{R: response.Body, N: maxAnswer + 1}
	if response.StatusCode != http.StatusOK {
		words, _ := io.ReadAll(io.LimitReader(limited, 64<<10)) // whatever does not arrive is not needed
		return got, refusal(response, words)
	}
	got.sent = true
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/event-stream" {
		err = got.stream(limited, q.Delta)
	} else {
		err = got.complete(limited, q.Delta)
	}
	got.model = c.name(got.model)
	if limited.N <= 0 || len(got.words) > got.limit {
		return got, misshapen("the model's answer is too long", nil)
	}
	if err != nil {
		return got, err
	}
	got.write(got.thought.rest(), q.Delta)
	got.text = string(got.words)
	return got, got.finished(q)
}

// filtered lists how services say that a filter ended the answer.
var filtered = []string{"content_filter", "safety", "refusal", "blocked", "blocklist", "prohibited_content", "recitation", "sensitive"}

// finished checks a complete answer against the request.
func (a *answer) finished(q Request) error {
	switch {
	case a.refused || slices.Contains(filtered, strings.ToLower(a.finish)):
		return newFailure("the model will not answer this", ErrRefused, nil, healthy)
	case strings.TrimSpace(a.text) == "":
		return misshapen("the model's answer is empty", nil)
	case q.Schema == nil:
		return nil
	}
	object, err := q.Schema.find(a.text)
	switch {
	case err == nil:
		a.text = object
		return nil
	case a.finish == "length":
		return misshapen("the model's answer was cut off at the maximum number of tokens", err)
	}
	failed := misshapen("the model's answer does not keep to the schema", err)
	failed.prose = errors.Is(err, errNoObject)
	return failed
}

// write adds a chunk of the text.
func (a *answer) write(text string, delta func(string)) {
	if text == "" {
		return
	}
	if a.first.IsZero() {
		a.first = time.Now()
	}
	a.words = append(a.words, text...)
	if delta != nil && len(a.words) <= a.limit {
		a.shown = true
		delta(text)
	}
}

// receive adds one chunk of the protocol; chunks of a stream have a delta, a complete answer has a message.
func (a *answer) receive(wire wireAnswer, delta func(string)) error {
	if len(wire.Error) > 0 && string(wire.Error) != "null" {
		word := httpclient.ErrorCode(fmt.Appendf(nil, `{"error": %s}`, wire.Error))
		return newFailure("the model's service broke off"+word, ErrUnavailable, nil, broken)
	}
	if wire.Model != "" {
		a.model = wire.Model
	}
	if wire.Usage != nil {
		a.prompt, a.completion = wire.Usage.PromptTokens, wire.Usage.CompletionTokens
	}
	if len(wire.Choices) == 0 {
		return nil
	}
	choice := wire.Choices[0]
	a.refused = a.refused || choice.Delta.Refusal != "" || choice.Message.Refusal != ""
	a.write(a.thought.filter(string(choice.Message.Content+choice.Delta.Content)), delta)
	if len(a.words) > a.limit {
		return misshapen("the model's answer is too long", nil) // the rest is not waited for
	}
	if choice.FinishReason != "" {
		a.finish = choice.FinishReason
	}
	return nil
}

// complete reads an answer that is one JSON document.
func (a *answer) complete(body io.Reader, delta func(string)) error {
	all, err := io.ReadAll(body)
	if err != nil {
		return unreached("the model's answer broke off", err)
	}
	var wire wireAnswer
	if json.Unmarshal(all, &wire) != nil { // the decoder's message would repeat the content
		return unreached("the response is not the answer of a model's service", nil)
	}
	if err := a.receive(wire, delta); err != nil {
		return err
	}
	if len(wire.Choices) == 0 {
		return unreached("the response is not the answer of a model's service", nil)
	}
	return nil
}

// stream reads server-sent events until the stream is done. In this protocol each data line is an event.
func (a *answer) stream(body io.Reader, delta func(string)) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxText)
	for lines.Scan() {
		data, is := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !is || len(data) == 0 {
			continue // a comment, or a field without meaning here
		}
		if string(data) == "[DONE]" {
			return a.broken(nil)
		}
		var wire wireAnswer
		if json.Unmarshal(data, &wire) != nil {
			return unreached("the response is not the answer of a model's service", nil)
		}
		if err := a.receive(wire, delta); err != nil {
			return err
		}
	}
	return a.broken(lines.Err())
}

// broken returns the failure of a stream that ended before the model had finished; nil if the model had finished, though the
// end of the stream is missing.
func (a *answer) broken(err error) error {
	if a.finish != "" {
		return nil
	}
	return unreached("the model's answer broke off", err)
}

// Reach returns an error unless the service answers and accepts the key. It does not ask the model anything.
func (c *Client) Reach(ctx context.Context) error {
	request, err := c.service.Request(ctx, http.MethodGet, "/models", http.NoBody)
	if err != nil {
		return err
	}
	response, err := c.service.Do(request)
	if err != nil {
		return unreached("asking for the models", err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusUnauthorized, response.StatusCode == http.StatusForbidden, response.StatusCode >= 500:
		return refusal(response, nil)
	}
	return nil // the response itself does not matter: not all services have a list of models
}
