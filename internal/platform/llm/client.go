package llm

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/httpclient"
)

// Config says where the service is, and how much of it is used.
type Config struct {
	URL      string // to which /chat/completions is added; without a path, /v1/chat/completions
	Key      string // sent as a bearer token; empty: none is
	Model    string
	Prices   usage.Prices
	Parallel int          // calls at once from this process; 0: 8
	Ledger   Ledger       // nil: nothing is counted and nothing bounded
	Log      *slog.Logger // nil: none
}

// Meter keeps the books. Its methods may be called from many goroutines, and programs, at once.
type Ledger interface {
	// Reserve sets aside what a call may cost; ErrCeiling when that is too much.
	Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (hold string, err error)
	// Settle puts what it cost in the place of what was reserved.
	Settle(ctx context.Context, scope usage.Scope, hold string, spent usage.Amount) error
}

// Client asks one service. Make it with New; it may be used at once from many goroutines.
type Client struct {
	// Watch is told of each call when it has ended; nil: nobody is. Set it before the first call.
	Watch func(purpose string, r Reply, err error)

	config  Config
	address string // of chat/completions, without that
	host    string
	http    *http.Client
	slots   slots
	breaker breaker

	mu   sync.Mutex
	form form // what the service is known to take
}

const (
	parallel   = 8
	attempts   = 3                // of one call, when the service is the trouble
	within     = 2 * time.Minute  // an attempt may take; callers have a deadline of their own
	altogether = 5 * time.Minute  // a call may take
	firstPause = time.Second      // before the second attempt at most; doubled for the third
	maxAnswer  = 4 << 20          // bytes of an answer on the wire
	maxText    = 1 << 20          // bytes of its text
	maxTokens  = 1024             // of an answer, where the request does not say
	settling   = 10 * time.Second // the books may take, whatever became of the call
)

// New checks the configuration. transport may be nil.
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
		kept.MaxIdleConnsPerHost = config.Parallel // else calls that come together would shake hands anew each time
		transport = kept
	}
	return &Client{
		config: config, address: u.Scheme + "://" + u.Host + path, host: u.Hostname(), slots: newSlots(config.Parallel),
		http: httpclient.Client(transport),
	}, nil
}

// Provider is the host of the service, as what it wrote is signed.
func (c *Client) Provider() string { return c.host }

// Model is the model that is asked for.
func (c *Client) Model() string { return c.config.Model }

// Open tells whether calls fail at once now, since the service failed so often.
func (c *Client) Open() bool { return c.breaker.open(time.Now()) }

// line is the places of calls under way. The last quarter of them is for those that somebody waits for.
type slots struct {
	all, background chan struct{}
}

func newSlots(places int) slots {
	return slots{all: make(chan struct{}, places), background: make(chan struct{}, max(places-(places+3)/4, 1))}
}

// enter waits for a place and gives back how to leave it; the context's error, or ErrOpen when closed is closed first.
func (l slots) enter(ctx context.Context, background bool, closed <-chan struct{}) (leave func(), err error) {
	places := []chan struct{}{l.all}
	if background {
		places = []chan struct{}{l.background, l.all}
	}
	taken := 0
	leave = func() {
		for _, place := range places[:taken] {
			<-place
		}
	}
	for _, place := range places {
		select {
		case place <- struct{}{}:
			taken++
		case <-ctx.Done():
			leave()
			return nil, context.Cause(ctx)
		case <-closed:
			leave()
			return nil, ErrOpen
		}
	}
	return leave, nil
}
