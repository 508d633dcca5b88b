package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

type (
	wireRequest struct {
		Model               string         `json:"model"`
		Messages            []wireMessage  `json:"messages"`
		MaxTokens           int            `json:"max_tokens,omitempty"`
		MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
		Temperature         *float64       `json:"temperature,omitempty"`
		Seed                int64          `json:"seed,omitempty"`
		Stream              bool           `json:"stream,omitempty"`
		StreamOptions       *streamOptions `json:"stream_options,omitempty"`
		ResponseFormat      *format        `json:"response_format,omitempty"`
	}
	wireMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	streamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	format struct {
		Type       string      `json:"type"`
		JSONSchema *wireSchema `json:"json_schema,omitempty"`
	}
	wireSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
)

// body returns the request in the form that the service accepts.
func (c *Client) body(q outgoing, f form) ([]byte, error) {
	wire := wireRequest{Model: c.config.Model, MaxTokens: q.MaxTokens, Temperature: &q.Temperature, Seed: q.Seed, Stream: q.Delta != nil}
	if f.newLimit {
		wire.MaxTokens, wire.MaxCompletionTokens = 0, q.MaxTokens
	}
	if f.noTemperature {
		wire.Temperature = nil
	}
	if f.noSeed {
		wire.Seed = 0
	}
	if wire.Stream && !f.noStreamUsage {
		wire.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if q.Schema != nil {
		switch f.shape {
		case bySchema:
			wire.ResponseFormat = &format{Type: "json_schema", JSONSchema: &wireSchema{Name: q.Schema.Name, Strict: true, Schema: q.Schema.JSON}}
		case byObject:
			wire.ResponseFormat = &format{Type: "json_object"}
		}
	}
	if system := f.systemPrompt(q.Request); system != "" {
		wire.Messages = append(wire.Messages, wireMessage{"system", system})
	}
	for _, m := range q.Messages {
		wire.Messages = append(wire.Messages, wireMessage{string(m.Role), m.Text})
	}
	return json.Marshal(wire)
}

type (
	// wireAnswer is an answer, complete or one chunk of a stream.
	wireAnswer struct {
		Model   string          `json:"model"`
		Choices []wireChoice    `json:"choices"`
		Usage   *wireUsage      `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	wireChoice struct {
		Message      wireText `json:"message"`
		Delta        wireText `json:"delta"`
		FinishReason string   `json:"finish_reason"`
	}
	wireText struct {
		Content content `json:"content"`
		Refusal string  `json:"refusal"`
	}
	wireUsage struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
	}
)

// content is a string, or parts with texts as some services send it.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*string)(c)) // null leaves it empty
	}
	var parts []struct {
		Text string `json:"text"`
	}
	err := json.Unmarshal(b, &parts)
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(part.Text)
	}
	*c = content(all.String())
	return err
}

// name returns the model as reported by the service, if that can be a name, or else as configured.
func (c *Client) name(reported string) string {
	if reported == "" || len(reported) > 100 || strings.ContainsFunc(reported, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' }) {
		return c.config.Model
	}
	return reported
}
