package speech

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	service  *httpclient.Service
	slots    httpclient.Slots
	plain    sync.Map // the languages for which the service accepts the plain form only
	attempts int
	within   time.Duration // timeout of one attempt
}

const (
	maxParallel    = 16              // concurrent calls from one process
	maxAttempts    = 3               // of one call
	attemptTimeout = 5 * time.Minute // for one attempt; callers have their own deadlines
	maxAnswer      = 8 << 20         // bytes
)

// pauses are the waits between attempts.
var pauses = httpclient.Pauses{Min: 500 * time.Millisecond, Max: time.Second}

// New checks the configuration and returns a client. transport may be nil.
func New(config Config, transport http.RoundTripper) (*Client, error) {
	u, err := httpclient.Check(config.URL, config.Key)
	if err != nil {
		return nil, err
	}
	if config.Model == "" {
		config.Model = "whisper-1"
	}
	return &Client{
		config: config, service: httpclient.New(u, config.Key, transport), slots: httpclient.NewSlots(maxParallel), attempts: maxAttempts,
		within: attemptTimeout,
	}, nil
}

// Provider returns the host of the service, as stored in transcripts.
func (c *Client) Provider() string { return c.service.Host() }

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
func (c *Client) Transcribe(ctx context.Context, s Sound) (recognized transcript.Recognized, err error) {
	release, err := c.slots.Acquire(ctx, false, nil)
	if err != nil {
		return recognized, err
	}
	defer release()
	_, plain := c.plain.Load(s.Language)
	failures := 0
	err = httpclient.Retry(ctx, pauses, func() error {
		for {
			recognized, err = c.ask(ctx, s, plain)
			failed, ok := errors.AsType[*failure](err)
			switch {
			case err == nil:
				if plain {
					c.plain.Store(s.Language, true)
				}
				return nil
			case ctx.Err() != nil:
				return httpclient.Final(context.Cause(ctx))
			case !ok:
				return httpclient.Final(err)
			case failed.form && !plain:
				plain = true
				continue
			}
			failures++
			if failed.Kind != ErrBusy || failures == c.attempts {
				return httpclient.Final(err)
			}
			return err
		}
	})
	return recognized, err
}

// failure is a failed attempt. Its Kind is ErrBusy if another attempt may succeed soon, or else ErrRefused.
type failure struct {
	httpclient.Failure
	form bool // the service does not accept the request's form
}

// newFailure returns a failure of a kind.
func newFailure(what string, kind, cause error) *failure {
	return &failure{Failure: httpclient.Failure{What: what, Kind: kind, Cause: cause}}
}

// ask makes one attempt.
func (c *Client) ask(ctx context.Context, s Sound, plain bool) (recognized transcript.Recognized, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	request, err := c.transcription(ctx, s, plain)
	if err != nil {
		return recognized, err
	}
	answer, err := c.service.Do(request)
	if err != nil {
		return recognized, newFailure("asking the speech service", ErrBusy, httpclient.Reason(err))
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case answer.StatusCode != http.StatusOK:
		return recognized, refusal("the speech service", answer, body)
	case err != nil:
		return recognized, newFailure("the speech service's answer broke off", ErrBusy, httpclient.Reason(err))
	case len(body) > maxAnswer:
		return recognized, newFailure("the speech service's answer is too long", ErrRefused, nil)
	}
	if recognized, err = decode(body); err != nil {
		return recognized, newFailure("the speech service's answer is no transcription", ErrRefused, err)
	}
	if len(recognized.Language) > 3 && !plain {
		recognized.Language = s.Language // some services return the name of the requested language, not its code
	}
	return recognized, nil
}

// refusal returns the failure of a response with another status than 200. name is what the service is called.
func refusal(name string, answer *http.Response, body []byte) *failure {
	f := &failure{Failure: httpclient.Refusal(name, answer, body)}
	f.Kind = ErrRefused
	switch answer.StatusCode {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		f.form = true
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f.Kind = ErrBusy
	}
	return f
}

// Reach returns an error unless the service answers and accepts the key. It does not transcribe anything.
func (c *Client) Reach(ctx context.Context) error { return reach(ctx, c.service) }

func reach(ctx context.Context, service *httpclient.Service) error {
	request, err := service.Request(ctx, http.MethodGet, "/models", http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := service.Do(request)
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

// request returns a request for a JSON answer.
func (c *Client) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	request, err := c.service.Request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	return request, nil
}
