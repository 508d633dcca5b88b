package llm

import (
	"fmt"
	"strings"
)

// form is the part of the protocol that a service accepts. The zero value is all of it; each field removes something.
type form struct {
	shape         shape
	newLimit      bool // max_completion_tokens instead of max_tokens
	noTemperature bool
	noSeed        bool
	noStreamUsage bool
	guessed       bool // the shape was left out, though no refusal named it
}

// shape is the way in which a service is asked for a shape.
type shape int

const (
	bySchema shape = iota // response_format json_schema: the service enforces it
	byObject              // response_format json_object, and the schema in the system prompt
	inPrompt              // the schema in the system prompt only
)

// known returns the form that has worked so far.
func (c *Client) known() form {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.form
}

// maxGuesses is the number of calls in a row that must go well only without the schema before that is remembered, if the refusals name nothing: one
// may be about something else.
const maxGuesses = 3

// learn remembers what the service does not accept, until this program ends.
func (c *Client) learn(f form) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &c.form
	if f.guessed {
		if c.guesses++; c.guesses < maxGuesses {
			f.shape = k.shape
		}
	} else {
		c.guesses = 0
	}
	k.shape = max(k.shape, f.shape)
	k.newLimit, k.noTemperature = k.newLimit || f.newLimit, k.noTemperature || f.noTemperature
	k.noSeed, k.noStreamUsage = k.noSeed || f.noSeed, k.noStreamUsage || f.noStreamUsage
}

// notTheForm lists words of refusals that are about what was asked, and not how.
var notTheForm = []string{
	"context_length", "context length", "context size", "content_filter", "content filter", "content_policy", "content management", "responsibleai", "safety", "moderation",
	"data_inspection", "inappropriate",
}

// without returns a simpler form for a service that refused this one, or that accepted it and did not keep to it; can is
// false if the form was not the problem. Services name what they do not accept, each in words of its own; if one names
// nothing, the schema is left out.
func (f form) without(failed *failure, q Request) (simpler form, can bool) {
	names := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(failed.body, word) {
				return true
			}
		}
		return false
	}
	switch {
	case failed.prose && f.shape == bySchema:
		f.shape = byObject
		return f, true
	case failed.body == "" || names(notTheForm...):
		return f, false
	case names("max_tokens") && !f.newLimit:
		f.newLimit = true
	case names("temperature") && !f.noTemperature:
		f.noTemperature = true
	case names("stream_options", "include_usage") && !f.noStreamUsage && q.Delta != nil:
		f.noStreamUsage = true
	case names("seed") && !f.noSeed && q.Seed != 0:
		f.noSeed = true
	case q.Schema != nil && f.shape < inPrompt:
		f.shape++
		f.guessed = f.guessed || !names("response_format", "schema", "json_object", "json_mode", "structured", "grammar", "guided")
	default:
		return f, false
	}
	return f, true
}

// systemPrompt returns the system prompt, with the schema if the service must be told it there.
func (f form) systemPrompt(q Request) string {
	if q.Schema == nil || f.shape == bySchema {
		return q.System
	}
	return strings.TrimSpace(fmt.Sprintf("%s\n\n%s %q:\n%s", q.System, SchemaPreamble, q.Schema.Name, q.Schema.JSON))
}

// SchemaPreamble introduces a schema in the system prompt: its name in quotes, a colon, and the schema follow.
const SchemaPreamble = "Answer with one JSON object and nothing else, no code fence and no comment. It keeps to the JSON Schema named"
