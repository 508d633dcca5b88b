package speech

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/httpclient"
)

// Errors of Hear, beside those of the context. Both may be gone at a later time: the first soon, the second when the
// operator has looked.
var (
	ErrBusy    = errors.New("the speech service cannot be reached, or is busy")
	ErrRefused = errors.New("the speech service refuses, or gives no answer that can be read")
)

// Config says where the service is.
type Config struct {
	URL   string // to which /audio/transcriptions is added, such as https://api.openai.com/v1
	Key   string // sent as a bearer token; empty: none is
	Model string // empty: whisper-1
}

// Client asks one service. Make it with New; it may be used at once from many goroutines.
type Client struct {
	config   Config
	host     string
	http     *http.Client
	slots    chan struct{}
	plain    sync.Map // of the languages, those which the service takes in its plain form alone
	attempts int
	within   time.Duration // of one attempt
}

const (
	parallel   = 16              // calls at once from one process
	attempts   = 3               // of one call
	within     = 5 * time.Minute // an attempt may take; callers have a deadline of their own
	firstPause = 500 * time.Millisecond
	maxAnswer  = 8 << 20 // bytes
)

// New checks the configuration. transport may be nil.
func New(config Config, transport http.RoundTripper) (*Client, error) {
	u, err := httpclient.Check(config.URL, config.Key)
	if err != nil {
		return nil, err
	}
	config.URL = strings.TrimRight(config.URL, "/")
	if config.Model == "" {
		config.Model = "whisper-1"
	}
	return &Client{
		config: config, host: u.Hostname(), slots: make(chan struct{}, parallel), attempts: attempts, within: within,
		http: httpclient.Client(transport),
	}, nil
}

// Provider is the host of the service, as transcripts name it.
func (c *Client) Provider() string { return c.host }

// Model is the model that is asked for.
func (c *Client) Model() string { return c.config.Model }

// Sound is what is to be heard.
type Sound struct {
	PCM      io.ReaderAt // as transcode.PCM writes it; read again for each attempt
	Bytes    int64
	Language string // a code; empty where it is not known
}

// Hear gives what the service heard, as it said it: clean it before it is kept. Times are from the beginning of the sound.
func (c *Client) Transcribe(ctx context.Context, s Sound) (transcript.Recognized, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return transcript.Recognized{}, context.Cause(ctx)
	}
	_, plain := c.plain.Load(s.Language)
	for attempt := 1; ; attempt++ {
		recognized, err := c.ask(ctx, s, plain)
		failed, ok := errors.AsType[*failure](err)
		switch {
		case err == nil:
			if plain {
				c.plain.Store(s.Language, true)
			}
			return recognized, nil
		case ctx.Err() != nil:
			return recognized, context.Cause(ctx)
		case !ok:
			return recognized, err
		case failed.form && !plain:
			plain = true
			attempt--
			continue
		case !failed.again || attempt == c.attempts:
			return recognized, err
		}
		pause := firstPause << (attempt - 1)
		pause += rand.N(pause) // so that calls that failed together do not come back so
		if err := httpclient.Pause(ctx, max(pause, failed.retryAfter), failed); err != nil {
			return recognized, err
		}
	}
}

// failure is an attempt that failed. It holds nothing that the service wrote but short words of its error, and no key.
type failure struct {
	what       string
	cause      error
	again      bool // another attempt may succeed soon
	form       bool // the service did not take the request's form
	retryAfter time.Duration
}

// Error implements error.
func (f *failure) Error() string {
	if f.cause != nil {
		return f.what + ": " + f.cause.Error()
	}
	return f.what
}

// Unwrap gives ErrBusy or ErrRefused, and the cause.
func (f *failure) Unwrap() []error {
	kind := ErrRefused
	if f.again {
		kind = ErrBusy
	}
	return []error{kind, f.cause}
}

// ask makes one attempt.
func (c *Client) ask(ctx context.Context, s Sound, plain bool) (recognized transcript.Recognized, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	request, err := c.request(ctx, s, plain)
	if err != nil {
		return recognized, err
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return recognized, &failure{what: "asking the speech service", cause: httpclient.Reason(err), again: true}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case answer.StatusCode != http.StatusOK:
		return recognized, refusal(answer, body)
	case err != nil:
		return recognized, &failure{what: "the speech service's answer broke off", cause: httpclient.Reason(err), again: true}
	case len(body) > maxAnswer:
		return recognized, &failure{what: "the speech service's answer is longer than any can be"}
	}
	if recognized, err = decode(body); err != nil {
		return recognized, &failure{what: "the speech service's answer is no transcription", cause: err}
	}
	if len(recognized.Language) > 3 && !plain {
		recognized.Language = s.Language // some give the name of the language that they were asked for, not its code
	}
	return recognized, nil
}

// refusal is the failure of an answer that is none.
func refusal(answer *http.Response, body []byte) *failure {
	f := &failure{what: fmt.Sprintf("the speech service answers %d%s", answer.StatusCode, httpclient.ErrorWord(body))}
	switch answer.StatusCode {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		f.form = true
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f.again = true
		f.retryAfter = httpclient.RetryAfter(answer.Header, time.Now())
	}
	return f
}

// Reach tells whether the service answers at all and takes the key, without asking it to hear anything.
func (c *Client) Reach(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.URL+"/models", http.NoBody)
	if err != nil {
		return err
	}
	c.sign(request)
	answer, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBusy, httpclient.Reason(err))
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%w: it answers %d: the key is missing, or not good", ErrRefused, answer.StatusCode)
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return fmt.Errorf("%w: it answers %d", ErrBusy, answer.StatusCode)
	}
	return nil // what else it says of its models is its own affair: not all have a list
}

func (c *Client) sign(request *http.Request) {
	if c.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	request.Header.Set("Accept", "application/json")
}
