package telemetry_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	span "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"verbatim/internal/platform/telemetry"
)

// canary stands for everything a participant may send.
const canary = "canary-4711"

// queue is a Source with fixed counts.
type queue struct{ err error }

func (q queue) JobCounts(context.Context) (map[string]int, error) {
	return map[string]int{"ready": 3, "dead": 1}, q.err
}
func (q queue) OpenInterviews(context.Context) (int, error) { return 17, q.err }
func (q queue) OldestJobs(context.Context) (map[string]time.Duration, error) {
	return map[string]time.Duration{"analyse": 90 * time.Second}, q.err
}

func (q queue) LowestBalances(context.Context, int) ([]telemetry.Balance, error) {
	return []telemetry.Balance{{WalletID: "w-1", Kind: "project", Credits: 2.5}}, q.err
}

func (q queue) LastBackup(context.Context) (time.Time, error) {
	return time.Unix(1_700_000_000, 0), q.err
}

// use sends a request to each kind of route, runs jobs, and counts an interview.
func use(t *testing.T, w *telemetry.Telemetry, header http.Header) {
	t.Helper()
	for _, one := range []struct {
		method, pattern string
		status          int
	}{
		{"GET", "GET /i/{token}", 200},
		{"POST", "POST /i/{token}/answers", 400},
		{canary, "", 404},
		{"GET", "/api/public/", 500},
		{"GET", "GET /i/{token}", 0},
	} {
		r := httptest.NewRequestWithContext(t.Context(), one.method, "/i/"+canary+"?source="+canary, strings.NewReader(canary))
		r.Header = header.Clone()
		r.Header.Set("X-Api-Key", canary)
		r.Header.Set("Baggage", "who="+canary)
		ctx, end := w.Request(r, "request-1")
		if ctx == nil {
			t.Fatal("no context to serve in")
		}
		if one.pattern == "POST /i/{token}/answers" {
			_, asked := w.Database(ctx, "insert", "answer")
			asked("unreachable")
		}
		end(one.pattern, one.status)
	}
	for _, result := range []string{"done", "dead"} {
		_, end := w.Job(t.Context(), "analyse", 1)
		end(result)
	}
	w.Interview("started")
	w.Interview("answered")
	w.Interview("answered")
	w.Model("moderate", "answered", 2*time.Second, 70, 7)
	w.Model("moderate", "open", 0, 0, 0)
	_, end := w.Database(t.Context(), "select", "response")
	end("done")
	_, end = w.Database(t.Context(), "write", "")
	end("busy")
	_, end = w.Objects(t.Context(), "put")
	end("failed")
}

func start(t *testing.T, o telemetry.Options) *telemetry.Telemetry {
	t.Helper()
	o.Version, o.Log = "v-test", slog.New(slog.DiscardHandler)
	w, err := telemetry.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func scrape(t *testing.T, w *telemetry.Telemetry) string {
	t.Helper()
	answer := httptest.NewRecorder()
	w.Metrics().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	if answer.Code != 200 {
		t.Fatalf("answered %d %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	w := start(t, telemetry.Options{
		Metrics: true, Source: queue{},
		Pools: func() map[string]sql.DBStats {
			return map[string]sql.DBStats{"write": {MaxOpenConnections: 20, InUse: 3, Idle: 2, WaitCount: 7, WaitDuration: 1500 * time.Millisecond}}
		},
		Disk:  func() (free, size uint64, err error) { return 1 << 20, 1 << 30, nil },
		Clock: func() (time.Duration, bool) { return -1500 * time.Millisecond, true },
	})
	use(t, w, http.Header{})
	refused, ended := w.Request(httptest.NewRequestWithContext(t.Context(), "GET", "/m/1", nil), "")
	ended("GET /m/{path...}", 429)
	if refused == nil {
		t.Fatal("no context to serve in")
	}
	_, end := w.Request(httptest.NewRequestWithContext(t.Context(), "GET", "/", nil), "")
	follows := httptest.NewRequestWithContext(t.Context(), "GET", "/i/x/events", nil)
	follows.Header.Set("Accept", "text/event-stream")
	_, leave := w.Request(follows, "")
	page := scrape(t, w)
	end("GET /{$}", 200)
	leave("GET /i/{token}/events", 200)
	for _, line := range []string{
		`verbatim_http_request_duration_seconds_count{method="GET",route="/i/{token}",status="2xx"} 1`,
		`verbatim_http_request_duration_seconds_count{method="GET",route="/i/{token}",status="aborted"} 1`,
		`verbatim_http_request_duration_seconds_count{method="POST",route="/i/{token}/answers",status="4xx"} 1`,
		`verbatim_http_request_duration_seconds_count{method="_OTHER",route="unmatched",status="4xx"} 1`,
		`verbatim_http_request_duration_seconds_count{method="GET",route="/api/public/",status="5xx"} 1`,
		`verbatim_http_requests_in_flight 1`,
		`verbatim_job_duration_seconds_count{kind="analyse",result="dead"} 1`,
		`verbatim_interview_events_total{event="answered"} 2`,
		`verbatim_model_duration_seconds_sum{purpose="moderate",result="answered"} 2`, `verbatim_model_duration_seconds_count{purpose="moderate",result="open"} 1`,
		`verbatim_model_tokens_total{kind="prompt"} 70`, `verbatim_model_tokens_total{kind="completion"} 7`,
		`verbatim_jobs{state="ready"} 3`, `verbatim_jobs{state="running"} 0`, `verbatim_jobs{state="dead"} 1`,
		`verbatim_event_streams_open 1`, `verbatim_http_request_duration_seconds_count{method="GET",route="/m/{path...}",status="429"} 1`,
		`verbatim_job_oldest_seconds{kind="analyse"} 90`, `verbatim_wallet_balance_credits{account="project",wallet="w-1"} 2.5`,
		`verbatim_backup_last_success_timestamp_seconds 1.7e+09`, `verbatim_disk_free_bytes 1.048576e+06`, `verbatim_disk_size_bytes 1.073741824e+09`,
		`verbatim_clock_offset_seconds -1.5`, `verbatim_database_connections{pool="write",state="used"} 3`, `verbatim_database_connections{pool="write",state="idle"} 2`,
		`verbatim_database_connections_limit{pool="write"} 20`, `verbatim_database_connection_waits_total{pool="write"} 7`,
		`verbatim_database_connection_wait_seconds_total{pool="write"} 1.5`,
		`verbatim_database_duration_seconds_count{operation="select",result="done"} 1`, `verbatim_database_duration_seconds_count{operation="write",result="busy"} 1`,
		`verbatim_objects_duration_seconds_count{operation="put",result="failed"} 1`,
		`verbatim_interviews_open 17`, `verbatim_scrape_failures_total 0`,
		`version="v-test"} 1`, `go_goroutines `, `process_resident_memory_bytes `,
	} {
		if !strings.Contains(page, line) {
			t.Errorf("no %s", line)
		}
	}
	if strings.Contains(page, canary) {
		t.Error("a label has what a participant sent")
	}
}

func TestMetricsWithoutTheStore(t *testing.T) {
	t.Parallel()
	w := start(t, telemetry.Options{Metrics: true, Source: queue{err: errors.New("away")}})
	page := scrape(t, w)
	if !strings.Contains(page, "verbatim_scrape_failures_total 1") || strings.Contains(page, "verbatim_jobs{") || !strings.Contains(page, "go_goroutines") {
		t.Errorf("scraped:\n%s", page)
	}
}

func TestOff(t *testing.T) {
	t.Parallel()
	w := start(t, telemetry.Options{})
	if w.Enabled() || w.Metrics() != nil {
		t.Error("something is observed though nothing was configured")
	}
	use(t, w, http.Header{})
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestTraces sends spans to a test server.
func TestTraces(t *testing.T) {
	received := make(chan *collector.ExportTraceServiceRequest, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil || r.URL.Path != "/v1/traces" || bytes.Contains(body, []byte(canary)) {
			t.Errorf("%s received %q (%v)", r.URL.Path, body, err)
		}
		received <- &sent
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer receiver.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.URL)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	w := start(t, telemetry.Options{})
	if !w.Enabled() {
		t.Fatal("the traces are off")
	}
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	use(t, w, http.Header{"Traceparent": {"00-" + trace + "-" + parent + "-01"}})
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	sent := (<-received).ResourceSpans[0]
	facts := sent.Resource.String()
	for _, fact := range []string{`"service.name"`, `"verbatim"`, `"v-test"`, `"deployment.environment.name"`} {
		if !strings.Contains(facts, fact) {
			t.Errorf("the resource lacks %s: %s", fact, facts)
		}
	}
	spans := map[string]*span.Span{}
	for _, s := range sent.ScopeSpans[0].Spans {
		spans[s.Name] = s
	}
	for name, attributes := range map[string][]string{
		"POST /i/{token}/answers": {`"http.route"`, `"/i/{token}/answers"`, `"http.request.method"`, "400", `"verbatim.request_id"`, `"request-1"`},
		"GET /api/public/":        {"500"},
		"_OTHER unmatched":        {"404"},
		"database insert answer":  {`"db.operation.name"`, `"insert"`, `"db.collection.name"`, `"answer"`, `"unreachable"`},
		"job analyse":             {`"verbatim.job.kind"`, `"verbatim.job.result"`},
	} {
		s := spans[name]
		if s == nil {
			t.Errorf("no span %q among %v", name, spans)
			continue
		}
		for _, a := range attributes {
			if !strings.Contains(s.String(), a) {
				t.Errorf("span %q lacks %s: %s", name, a, s)
			}
		}
		if strings.HasPrefix(name, "database") {
			if request := spans["POST /i/{token}/answers"]; request == nil || !bytes.Equal(s.ParentSpanId, request.SpanId) || !bytes.Equal(s.TraceId, request.TraceId) {
				t.Errorf("the span of the database is not below that of its request: %s", s)
			}
			continue
		}
		if below := strings.HasPrefix(name, "job"); below == (hex.EncodeToString(s.TraceId) == trace) || below == (hex.EncodeToString(s.ParentSpanId) == parent) {
			t.Errorf("span %q is of trace %x below %x", name, s.TraceId, s.ParentSpanId)
		}
	}
	for name := range spans {
		if strings.HasPrefix(name, "database") && name != "database insert answer" {
			t.Errorf("%q is observed outside of any request", name)
		}
	}
	if code := spans["GET /api/public/"].Status.GetCode(); code != span.Status_STATUS_CODE_ERROR {
		t.Errorf("an internal error has the status %v", code)
	}
}

func TestTracesByEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		env map[string]string
		on  bool
		err string
	}{
		"nothing set":   {nil, false, ""},
		"an endpoint":   {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:9/v1/traces"}, true, ""},
		"switched off":  {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}, false, ""},
		"not exported":  {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_TRACES_EXPORTER": "none"}, false, ""},
		"another wire":  {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, "http/protobuf"},
		"the same wire": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			w, err := telemetry.New(t.Context(), telemetry.Options{Log: slog.New(slog.DiscardHandler)})
			if err == nil != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("error %v, want one about %q", err, c.err)
			}
			if w.Enabled() != c.on {
				t.Errorf("on: %v, want %v", w.Enabled(), c.on)
			}
			if err := w.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, level, want string }{
		{"json", "info", `"level":"INFO","msg":"seen"`}, {"text", "info", "level=INFO msg=seen"}, {"json", "warn", ""},
	} {
		var written bytes.Buffer
		log, err := telemetry.NewLog(&written, c.format, c.level)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("seen")
		if (c.want == "") != (written.Len() == 0) || !strings.Contains(written.String(), c.want) {
			t.Errorf("%s from %s: %q, want %q", c.format, c.level, &written, c.want)
		}
	}
	for _, wrong := range [][2]string{{"xml", "info"}, {"json", "loud"}} {
		if _, err := telemetry.NewLog(io.Discard, wrong[0], wrong[1]); err == nil {
			t.Errorf("%v was accepted", wrong)
		}
	}
}
