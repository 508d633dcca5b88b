package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Options say what is observed.
type Options struct {
	Metrics bool         // whether there are metrics; traces are decided by the environment
	Version string       // of the program
	Source  Source       // what a scrape counts; nil: nothing beside what was observed
	Objects func() error // why recordings and uploads cannot be reached, or nil; nil: there are none
	Log     *slog.Logger // for what goes wrong with the telemetry itself
}

// Source is counted when metrics are scraped; *store.View is one.
type Source interface {
	JobCounts(context.Context) (map[string]int, error) // by state
	OpenInterviews(context.Context) (int, error)
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
		t.metrics = newMetrics(o.Version, o.Source, o.Objects)
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
	begun, method := time.Now(), knownMethod(r.Method)
	ctx = r.Context()
	endSpan := func(string, int) {}
	if t.traces != nil {
		ctx, endSpan = t.traces.request(ctx, r.Header, method, id)
	}
	if t.metrics != nil {
		t.metrics.inFlight.Inc()
	}
	return ctx, func(pattern string, status int) {
		route := routeOf(pattern)
		if t.metrics != nil {
			t.metrics.inFlight.Dec()
			t.metrics.requests.WithLabelValues(route, method, statusClass(status)).Observe(time.Since(begun).Seconds())
		}
		endSpan(route, status)
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
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "_OTHER"
}

// statusClass is "2xx" and the like; "aborted" for an answer that was broken off.
func statusClass(status int) string {
	if status < 100 || status > 599 {
		return "aborted"
	}
	return string(rune('0'+status/100)) + "xx"
}
