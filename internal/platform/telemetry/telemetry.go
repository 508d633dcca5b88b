package telemetry

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Options configure what is observed.
type Options struct {
	Metrics bool                                     // whether to collect metrics; the environment decides on traces
	Version string                                   // of the program
	Source  Source                                   // read at each scrape; nil: nothing is read
	Pools   func() map[string]sql.DBStats            // connection pools of the database by name; nil: unknown
	Disk    func() (free, size uint64, err error)    // of the data folder, in bytes; nil: there is none
	Clock   func() (ahead time.Duration, known bool) // how far this machine's clock is ahead of the database's; nil: there is one clock
	Objects func() error                             // why recordings and uploads cannot be reached, or nil; nil: there are none
	Log     *slog.Logger                             // for errors of the telemetry itself
}

// Source is read when metrics are scraped. *store.View implements it.
type Source interface {
	JobCounts(context.Context) (map[string]int, error) // by state
	OpenInterviews(context.Context) (int, error)
	OldestJobs(context.Context) (map[string]time.Duration, error)     // by kind: how long the oldest has been due
	LowestBalances(ctx context.Context, limit int) ([]Balance, error) // of wallets
	LastBackup(context.Context) (time.Time, error)                    // zero: there is none
}

// Balance holds the credits that are left on an account of a wallet.
type Balance struct {
	WalletID string
	Kind     string // project or recruitment
	Credits  float64
}

// Telemetry observes one process. The methods named after what they observe are hooks. They cost next to nothing where
// neither metrics nor traces are on.
type Telemetry struct {
	metrics *metrics // nil: off
	traces  *traces  // nil: off
}

// New starts what Options and the environment ask for. Call Close at the end.
func New(ctx context.Context, o Options) (*Telemetry, error) {
	var t Telemetry
	if o.Metrics {
		t.metrics = newMetrics(o)
	}
	var err error
	t.traces, err = startTraces(ctx, o.Version, o.Log)
	return &t, err
}

// Enabled reports whether anything is observed.
func (t *Telemetry) Enabled() bool { return t.metrics != nil || t.traces != nil }

// Close sends the remaining spans, for as long as ctx lasts.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.traces == nil {
		return nil
	}
	return t.traces.provider.Shutdown(ctx)
}

// Request observes a request until end is called. Serve the request with the context that it returns. The arguments of end
// are the pattern of the mux that matched, "" where none did, and the status, 0 where the answer was cut off.
func (t *Telemetry) Request(r *http.Request, id string) (ctx context.Context, end func(pattern string, status int)) {
	started, method := time.Now(), methodLabel(r.Method)
	ctx = r.Context()
	endSpan := func(string, int) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.request(ctx, r.Header, method, id)
	}
	inFlight := t.inFlightGauge(r)
	inFlight.Inc()
	return ctx, func(pattern string, status int) {
		route := routeOf(pattern)
		inFlight.Dec()
		if t.metrics != nil {
			t.metrics.requests.WithLabelValues(route, method, statusClass(status)).Observe(time.Since(started).Seconds())
		}
		endSpan(route, status)
	}
}

// inFlightGauge returns the gauge that counts a request. Event streams last as long as a page is open, so they are counted
// separately from requests that keep the server busy.
func (t *Telemetry) inFlightGauge(r *http.Request) prometheus.Gauge {
	switch {
	case t.metrics == nil:
		return noGauge{}
	case strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream"):
		return t.metrics.streams
	}
	return t.metrics.inFlight
}

// noGauge counts nothing.
type noGauge struct{ prometheus.Gauge }

func (noGauge) Inc() {}
func (noGauge) Dec() {}

// Database observes one statement or write until end is called with its result. There is no span where no request or job is
// observed around it.
func (t *Telemetry) Database(ctx context.Context, operation, table string) (_ context.Context, end func(result string)) {
	return t.dependency(ctx, "database", operation, table)
}

// Objects observes one call to the object store in the same way.
func (t *Telemetry) Objects(ctx context.Context, operation string) (_ context.Context, end func(result string)) {
	return t.dependency(ctx, "objects", operation, "")
}

func (t *Telemetry) dependency(ctx context.Context, system, operation, table string) (context.Context, func(result string)) {
	started := time.Now()
	endSpan := func(string) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.dependency(ctx, system, operation, table)
	}
	return ctx, func(result string) {
		if t.metrics != nil {
			t.metrics.dependencies[system].WithLabelValues(operation, result).Observe(time.Since(started).Seconds())
		}
		endSpan(result)
	}
}

// Job observes one attempt of a job until end is called with its result.
func (t *Telemetry) Job(ctx context.Context, kind string, attempt int) (_ context.Context, end func(result string)) {
	started := time.Now()
	endSpan := func(string) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.job(ctx, kind, attempt)
	}
	return ctx, func(result string) {
		if t.metrics != nil {
			t.metrics.jobs.WithLabelValues(kind, result).Observe(time.Since(started).Seconds())
		}
		endSpan(result)
	}
}

// Interview counts an event in an interview: "started", "answered", "completed" and others.
func (t *Telemetry) Interview(event string) {
	if t.metrics != nil {
		t.metrics.interviews.WithLabelValues(event).Inc()
	}
}

// Webhook counts what came of a message to a webhook: "delivered", "failed" and others.
func (t *Telemetry) Webhook(result string) {
	if t.metrics != nil {
		t.metrics.webhooks.WithLabelValues(result).Inc()
	}
}

// Model counts a finished call to the language model.
func (t *Telemetry) Model(purpose, result string, took time.Duration, promptTokens, completionTokens int64) {
	if t.metrics != nil {
		t.metrics.model.WithLabelValues(purpose, result).Observe(took.Seconds())
		t.metrics.tokens.WithLabelValues("prompt").Add(float64(promptTokens))
		t.metrics.tokens.WithLabelValues("completion").Add(float64(completionTokens))
	}
}

// routeOf returns a pattern of the mux without its method.
func routeOf(pattern string) string {
	if pattern == "" {
		return "unmatched"
	}
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return pattern
}

// methodLabel returns a method as a label. Methods that a client made up become _OTHER, as in OpenTelemetry's conventions.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "_OTHER"
}

// statusClass returns "2xx" and so on, "aborted" for an answer that was cut off, and "429" for a client that must wait:
// those are the limits at work and no error of the client.
func statusClass(status int) string {
	switch {
	case status < 100 || status > 599:
		return "aborted"
	case status == http.StatusTooManyRequests:
		return "429"
	}
	return string(rune('0'+status/100)) + "xx"
}
