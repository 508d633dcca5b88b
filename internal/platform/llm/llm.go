package llm

import (
	"errors"
	"fmt"
	"time"

	"verbatim/internal/domain/usage"
)

// Errors of Chat, beside those of the context. Text of the service, of the request or the key is in none of them.
var (
	ErrUnavailable = errors.New("the model cannot be reached, is busy, or broke off") // a later call may succeed
	ErrOpen        = fmt.Errorf("%w: it failed so often that it is left alone for a while", ErrUnavailable)
	ErrRefused     = errors.New("the model refuses") // the request, or to answer it; the same call would fail again
	ErrShape       = errors.New("the model's answer has not the shape that was asked for")
	ErrCeiling     = usage.ErrCeiling
)

// Role says whose words a message has.
type Role string

// Roles of messages; the system's words are Request.System.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is a part of the conversation.
type Message struct {
	Role Role
	Text string
}

// Schema is the shape of an answer: a JSON Schema of an object, by the keywords that package llm knows (see Check).
type Schema struct {
	Name string // letters, digits, - and _
	JSON []byte
}

// Request is what a model is asked.
type Request struct {
	Purpose     string // in the program's words, for its own books: moderate, analyse, translate
	Scope       usage.Scope
	System      string
	Messages    []Message
	Schema      *Schema // nil: an answer in words
	MaxTokens   int     // of the answer; 0: 1024
	Temperature float64
	Seed        int64 // 0: none is sent
	// Delta is given the answer's text as it comes, from the goroutine of the call. What was given is never taken back:
	// after the first piece a failed attempt is not repeated. nil: the answer comes whole.
	Delta func(text string)
	// Background marks a call that no participant waits for: such calls never take the last places in line.
	Background bool
}

// Reply is what came of it. Beside an error it says who was asked, how often, for how long and at what cost.
type Reply struct {
	Text       string // with a Schema: one JSON object that keeps it
	Model      string // as the service says, else as configured
	Provider   string // the host that was asked
	Usage      usage.Amount
	Took       time.Duration // of all attempts, with the waiting
	FirstToken time.Duration // until the first of the text came, from the beginning of Took; 0 where none did
	Attempts   int
}
