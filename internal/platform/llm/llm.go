package llm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/usage"
)

// Errors of Chat, besides those of the context. None contains text of the service, text of the request, or the key.
var (
	ErrUnavailable = errors.New("the model cannot be reached, is busy, or broke off") // a later call may succeed
	ErrOpen        = fmt.Errorf("%w: it failed so often that it is left alone for a while", ErrUnavailable)
	ErrRefused     = errors.New("the model refuses") // the request, or to answer it; the same call would fail again
	ErrShape       = errors.New("the model's answer does not have the requested shape")
	ErrCeiling     = usage.ErrCeiling
)

// Role is the author of a message.
type Role string

// The roles of messages; the system prompt is Request.System.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of the conversation.
type Message struct {
	Role Role
	Text string
}

// Schema is the shape of an answer: a JSON Schema of an object that uses only the keywords known to package llm (see Check).
type Schema struct {
	Name string // letters, digits, - and _
	JSON []byte
}

// Request is one question to a model.
type Request struct {
	Purpose     string // the program's own name for the use, for accounting: moderate, analyse, translate
	Scope       usage.Scope
	System      string
	Messages    []Message
	Schema      *Schema // nil: a text answer
	MaxTokens   int     // of the answer; 0: 1024
	MaxText     int     // bytes of the answer; a longer one is cut off while it arrives, with ErrShape; 0: 1 MiB
	Temperature float64
	Seed        int64 // 0: none is sent
	// Delta is called with the answer's text as it arrives, in the goroutine of the call. Text is never taken back: after
	// the first chunk a failed attempt is not repeated. nil: the answer is returned as a whole.
	Delta func(text string)
	// Masker masks the texts and restores the reply, with the placeholders that it gave out before and the private values that it
	// knows. nil: a new one, which knows none.
	Masker *masking.Masker
	// KeepPlaceholders leaves the placeholders in the reply, for texts in which no detail of a person may stand.
	KeepPlaceholders bool
	// Background marks a call that no participant waits for: such calls never take the last slots.
	Background bool
}

// ChatModel is a language model that answers requests. Client implements it; services depend on it, so that tests can replace
// the client.
type ChatModel interface {
	// Chat asks the model. See Client.Chat for its errors.
	Chat(ctx context.Context, q Request) (Reply, error)
	// Model returns the name of the model that is requested.
	Model() string
}

var _ ChatModel = (*Client)(nil)

// Reply is the result. With an error it still says who was asked, how often, for how long and at what cost.
type Reply struct {
	Text       string // with a Schema: one JSON object that conforms to it
	Model      string // as reported by the service, or else as configured
	Provider   string // the host that was asked
	Usage      usage.Amount
	Took       time.Duration // of all attempts, including waiting
	FirstToken time.Duration // from the beginning of Took to the first of the text; 0 if there was none
	Attempts   int
}
