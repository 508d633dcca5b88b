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

// Options say what is observed.
type Options struct {
	Metrics bool                                     // whether there are metrics; traces are decided by the environment
	Version string                                   // of the program
	Source  Source                                   // what a scrape counts; nil: nothing beside what was observed
	Pools   func() map[string]sql.DBStats            // connections of the database by what they are for; nil: unknown
	Disk    func() (free, size uint64, err error)    // of the data folder, in bytes; nil: there is none
	Clock   func() (ahead time.Duration, known bool) // of this machine, before that of the database; nil: there is one clock
	Objects func() error                             // why recordings and uploads cannot be reached, or nil; nil: there are none
	Log     *slog.Logger                             // for what goes wrong with the telemetry itself
}

// Source is counted when metrics are scraped; *store.View is one.
type Source interface {
	JobCounts(context.Context) (map[string]int, error) // by state
	OpenInterviews(context.Context) (int, error)
	OldestJobs(context.Context) (map[string]time.Duration, error)     // by kind, how long the oldest has been due
	LowestBalances(ctx context.Context, limit int) ([]Balance, error) // of wallets
	LastBackup(context.Context) (time.Time, error)                    // zero: none was made
}

// Balance is what an account of a wallet has left.
type Balance struct {
	WalletID string
	Kind     string // project or recruitment
	Credits  float64
}

// Telemetry observes one process. The methods named after what they observe are hooks; they cost next to nothing where
// neither metrics nor traces are on.
type Telemetry struct {
	metrics *metrics // nil: off
	traces  *traces  // nil: off
}

// New starts what Options and the environment ask for. Close ends it.
func New(ctx context.Context, o Options) (*Telemetry, error) {
	var t Telemetry
	if o.Metrics {
		t.metrics = newMetrics(o)
	}
	var err error
	t.traces, err = startTraces(ctx, o.Version, o.Log)
	return &t, err
}

// On tells whether anything is observed.
func (t *Telemetry) On() bool { return t.metrics != nil || t.traces != nil }

// Close sends the spans that wait, for as long as ctx lasts.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.traces == nil {
		return nil
	}
	return t.traces.provider.Shutdown(ctx)
}

// Request observes a request from here to the call of end. The context is for what serves the request. end takes the
// pattern of the mux that matched, empty when none did, and the status, 0 when the answer was broken off.
func (t *Telemetry) Request(r *http.Request, id string) (ctx context.Context, end func(pattern string, status int)) {
	begun, method := time.Now(), methodLabel(r.Method)
	ctx = r.Context()
	endSpan := func(string, int) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.request(ctx, r.Header, method, id)
	}
	underWay := t.inFlightGauge(r)
	underWay.Inc()
	return ctx, func(pattern string, status int) {
		route := routeOf(pattern)
		underWay.Dec()
		if t.metrics != nil {
			t.metrics.requests.WithLabelValues(route, method, statusClass(status)).Observe(time.Since(begun).Seconds())
		}
		endSpan(route, status)
	}
}

// underWay returns the gauge that counts a request. Streams of events last as long as somebody looks on, so they are counted
// apart from the requests that a server works at.
func (t *Telemetry) inFlightGauge(r *http.Request) prometheus.Gauge {
	switch {
	case t.metrics == nil:
		return noGauge{}
	case strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream"):
		return t.metrics.streams
	}
	return t.metrics.inFlight
}

// nobody counts nothing.
type noGauge struct{ prometheus.Gauge }

func (noGauge) Inc() {}
func (noGauge) Dec() {}

// Database observes one statement or write from here to the call of end with how it ended. Its span is left out where no
// request or job is observed around it.
func (t *Telemetry) Database(ctx context.Context, operation, table string) (_ context.Context, end func(result string)) {
	return t.dependency(ctx, "database", operation, table)
}

// Objects observes one call to the store of recordings and uploads, in the same way.
func (t *Telemetry) Objects(ctx context.Context, operation string) (_ context.Context, end func(result string)) {
	return t.dependency(ctx, "objects", operation, "")
}

func (t *Telemetry) dependency(ctx context.Context, system, operation, table string) (context.Context, func(result string)) {
	begun := time.Now()
	endSpan := func(string) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.dependency(ctx, system, operation, table)
	}
	return ctx, func(result string) {
		if t.metrics != nil {
			t.metrics.dependencies[system].WithLabelValues(operation, result).Observe(time.Since(begun).Seconds())
		}
		endSpan(result)
	}
}

// Job observes one run of a job from here to the call of end with how it ended.
func (t *Telemetry) Job(ctx context.Context, kind string, attempt int) (_ context.Context, end func(result string)) {
	begun := time.Now()
	endSpan := func(string) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.job(ctx, kind, attempt)
	}
	return ctx, func(result string) {
		if t.metrics != nil {
			t.metrics.jobs.WithLabelValues(kind, result).Observe(time.Since(begun).Seconds())
		}
		endSpan(result)
	}
}

// Interview counts something that happened in an interview: "started", "answered", "completed" and the like.
func (t *Telemetry) Interview(event string) {
	if t.metrics != nil {
		t.metrics.interviews.WithLabelValues(event).Inc()
	}
}

// Model counts a call to the language model that has ended.
func (t *Telemetry) Model(purpose, result string, took time.Duration, promptTokens, completionTokens int64) {
	if t.metrics != nil {
		t.metrics.model.WithLabelValues(purpose, result).Observe(took.Seconds())
		t.metrics.tokens.WithLabelValues("prompt").Add(float64(promptTokens))
		t.metrics.tokens.WithLabelValues("completion").Add(float64(completionTokens))
	}
}

// routeOf takes the method off a pattern of the mux.
func routeOf(pattern string) string {
	if pattern == "" {
		return "unmatched"
	}
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return pattern
}

// knownMethod keeps what a client may make up out of labels. _OTHER is the word of OpenTelemetry's conventions.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "_OTHER"
}

// statusClass is "2xx" and the like; "aborted" for an answer that was broken off, and "429" for who was asked to wait, which is
// the limits at work and no fault of a client.
func statusClass(status int) string {
	switch {
	case status < 100 || status > 599:
		return "aborted"
	case status == http.StatusTooManyRequests:
		return "429"
	}
	return string(rune('0'+status/100)) + "xx"
}
