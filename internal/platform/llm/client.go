package llm

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/httpclient"
)

// Config is the configuration of a client.
type Config struct {
	URL      string // /chat/completions is appended to it; without a path, /v1/chat/completions
	Key      string // sent as a bearer token; empty: none is sent
	Model    string
	Prices   usage.Prices
	Unmasked bool         // details that may identify a person are sent as they are, see newOutgoing
	Parallel int          // concurrent calls from this process; 0: 8
	Ledger   Ledger       // nil: nothing is counted or bounded
	Log      *slog.Logger // nil: none
}

// Ledger accounts for the cost of calls. Its methods may be called concurrently from many goroutines and programs.
type Ledger interface {
	// Reserve reserves what a call may cost at most. It fails with ErrCeiling if that is too much.
	Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (hold string, err error)
	// Settle replaces a reservation by the actual cost.
	Settle(ctx context.Context, scope usage.Scope, hold string, spent usage.Amount) error
}

// Client asks one service. Make it with New; it may be used concurrently.
type Client struct {
	// Watch is called when a call has ended; it may be nil. Set it before the first call.
	Watch func(purpose string, r Reply, err error)

	config  Config
	service *httpclient.Service
	slots   httpclient.Slots
	breaker breaker

	mu      sync.Mutex
	form    form // the form that the service is known to accept
	guesses int  // calls in a row that went well without the schema, though no refusal had named it
}

const (
	parallel       = 8
	maxAttempts    = 3                // of one call, if the service is at fault
	attemptTimeout = 2 * time.Minute  // for one attempt; callers have their own deadlines
	callTimeout    = 5 * time.Minute  // for one call
	maxAnswer      = 4 << 20          // bytes of a response body
	maxText        = 1 << 20          // bytes of its text
	maxTokens      = 1024             // of an answer, if the request does not set it
	ledgerTimeout  = 10 * time.Second // timeout of the ledger, whatever became of the call
)

// pauses are the waits between attempts.
var pauses = httpclient.Pauses{Max: time.Second}

// New checks the configuration and returns a client. transport may be nil.
func New(config Config, transport http.RoundTripper) (*Client, error) {
	u, err := httpclient.Check(config.URL, config.Key)
	if err != nil {
		return nil, err
	}
	if config.Model == "" {
		return nil, errors.New("the model must be named")
	}
	path := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"), "/")
	if path == "" {
		path = "/v1"
	}
	config.Parallel = cmp.Or(max(config.Parallel, 0), parallel)
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if transport == nil {
		kept := http.DefaultTransport.(*http.Transport).Clone()
		kept.MaxIdleConnsPerHost = config.Parallel // otherwise concurrent calls would make a new connection each time
		transport = kept
	}
	base := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}
	return &Client{config: config, service: httpclient.New(base, config.Key, transport), slots: httpclient.NewSlots(config.Parallel)}, nil
}

// Provider returns the host of the service, which is named as the author of what it writes.
func (c *Client) Provider() string { return c.service.Host() }

// Model returns the name of the model that is requested.
func (c *Client) Model() string { return c.config.Model }

// Open reports whether calls fail immediately now, because the service failed too often.
func (c *Client) Open() bool { return c.breaker.open(time.Now()) }
