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

// Errors of Transcribe, besides those of the context. Both may be temporary: after ErrBusy a later call may succeed soon,
// after ErrRefused once the operator has fixed the cause.
var (
	ErrBusy    = errors.New("the speech service cannot be reached, or is busy")
	ErrRefused = errors.New("the speech service refused the request, or its answer cannot be read")
)

// Config is the configuration of a client.
type Config struct {
	URL   string // /audio/transcriptions is appended to it; for example https://api.openai.com/v1
	Key   string // sent as a bearer token; empty: none is sent
	Model string // empty: whisper-1
}

// Client asks one service. Make it with New; it may be used concurrently.
type Client struct {
	config   Config
	host     string
	http     *http.Client
	slots    chan struct{}
	plain    sync.Map // the languages for which the service accepts the plain form only
	attempts int
	within   time.Duration // timeout of one attempt
}

const (
	maxParallel    = 16              // concurrent calls from one process
	maxAttempts    = 3               // of one call
	attemptTimeout = 5 * time.Minute // for one attempt; callers have their own deadlines
	firstPause     = 500 * time.Millisecond
	maxAnswer      = 8 << 20 // bytes
)

// New checks the configuration and returns a client. transport may be nil.
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
		config: config, host: u.Hostname(), slots: make(chan struct{}, maxParallel), attempts: maxAttempts, within: attemptTimeout,
		http: httpclient.Client(transport),
	}, nil
}

// Provider returns the host of the service, as stored in transcripts.
func (c *Client) Provider() string { return c.host }

// Model returns the name of the model that is requested.
func (c *Client) Model() string { return c.config.Model }

// Sound is the audio to be transcribed.
type Sound struct {
	PCM      io.ReaderAt // as written by ffmpeg's Tool.PCM; read again for each attempt
	Bytes    int64
	Language string // a code; empty if unknown
}

// Transcribe returns the transcript as the service returned it: clean it before it is stored. Times are from the beginning
// of the sound.
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
		case !failed.retry || attempt == c.attempts:
			return recognized, err
		}
		pause := firstPause << (attempt - 1)
		pause += rand.N(pause) // random, so that calls that failed together do not come back together
		if err := httpclient.Pause(ctx, max(pause, failed.retryAfter), failed); err != nil {
			return recognized, err
		}
	}
}

// failure is a failed attempt. It contains nothing that the service wrote except short words of its error, and no key.
type failure struct {
	what       string
	cause      error
	retry      bool // another attempt may succeed soon
	form       bool // the service does not accept the request's form
	retryAfter time.Duration
}

// Error implements error.
func (f *failure) Error() string {
	if f.cause != nil {
		return f.what + ": " + f.cause.Error()
	}
	return f.what
}

// Unwrap returns ErrBusy or ErrRefused, and the cause.
func (f *failure) Unwrap() []error {
	kind := ErrRefused
	if f.retry {
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
		return recognized, &failure{what: "asking the speech service", cause: httpclient.Reason(err), retry: true}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case answer.StatusCode != http.StatusOK:
		return recognized, refusal(answer, body)
	case err != nil:
		return recognized, &failure{what: "the speech service's answer broke off", cause: httpclient.Reason(err), retry: true}
	case len(body) > maxAnswer:
		return recognized, &failure{what: "the speech service's answer is too long"}
	}
	if recognized, err = decode(body); err != nil {
		return recognized, &failure{what: "the speech service's answer is no transcription", cause: err}
	}
	if len(recognized.Language) > 3 && !plain {
		recognized.Language = s.Language // some services return the name of the requested language, not its code
	}
	return recognized, nil
}

// refusal returns the failure of a response that is not a transcript.
func refusal(answer *http.Response, body []byte) *failure {
	f := &failure{what: fmt.Sprintf("the speech service answers %d%s", answer.StatusCode, httpclient.ErrorCode(body))}
	switch answer.StatusCode {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		f.form = true
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f.retry = true
		f.retryAfter = httpclient.RetryAfter(answer.Header, time.Now())
	}
	return f
}

// Reach returns an error unless the service answers and accepts the key. It does not transcribe anything.
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
	return nil // the response itself does not matter: not all services have a list of models
}

func (c *Client) sign(request *http.Request) {
	if c.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	request.Header.Set("Accept", "application/json")
}
