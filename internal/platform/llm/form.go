package llm

import (
	"fmt"
	"strings"
)

// form is how much of the protocol a service takes. The zero value is all of it; each field takes something away.
type form struct {
	shape         shape
	newLimit      bool // max_completion_tokens in the place of max_tokens
	noTemperature bool
	noSeed        bool
	noStreamUsage bool
}

// shape is how a service is asked for a shape.
type shape int

const (
	bySchema shape = iota // response_format json_schema: the service keeps to it
	byObject              // response_format json_object, and the schema in the system's words
	byWords               // those words alone
)

// known is the form that went well so far.
func (c *Client) known() form {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.form
}

// learn remembers what the service had to be spared, for as long as this program runs.
func (c *Client) learn(f form) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &c.form
	k.shape = max(k.shape, f.shape)
	k.newLimit, k.noTemperature = k.newLimit || f.newLimit, k.noTemperature || f.noTemperature
	k.noSeed, k.noStreamUsage = k.noSeed || f.noSeed, k.noStreamUsage || f.noStreamUsage
}

// without is a simpler form for a service that refused this one, or that took it and did not keep to it; none where the form was
// not the trouble. Services name what they do not take, each in words of its own; one that names nothing is spared the schema.
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
	case failed.body == "" || names("context_length", "context length", "context size", "content_filter", "content_policy"):
		return f, false
	case names("max_tokens") && !f.newLimit:
		f.newLimit = true
	case names("temperature") && !f.noTemperature:
		f.noTemperature = true
	case names("stream_options", "include_usage") && !f.noStreamUsage && q.Delta != nil:
		f.noStreamUsage = true
	case names("seed") && !f.noSeed && q.Seed != 0:
		f.noSeed = true
	case q.Schema != nil && f.shape < byWords:
		f.shape++
	default:
		return f, false
	}
	return f, true
}

// told is the system's words, with the schema where the service must be told it so.
func (f form) told(q Request) string {
	if q.Schema == nil || f.shape == bySchema {
		return q.System
	}
	return strings.TrimSpace(fmt.Sprintf("%s\n\n%s %q:\n%s", q.System, Told, q.Schema.Name, q.Schema.JSON))
}

// Told is how a schema is introduced to a service that takes none: its name in quotes, a colon, and the schema follow.
const Told = "Answer with one JSON object and nothing else, no code fence and no comment. It keeps to the JSON Schema named"
