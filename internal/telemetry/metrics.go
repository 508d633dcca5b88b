package telemetry

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics is a registry of its own with all that is counted.
type metrics struct {
	registry   *prometheus.Registry
	inFlight   prometheus.Gauge
	requests   *prometheus.HistogramVec // route, method, status
	jobs       *prometheus.HistogramVec // kind, result
	interviews *prometheus.CounterVec   // event
	model      *prometheus.HistogramVec // purpose, result
	tokens     *prometheus.CounterVec   // kind
}

// seconds are the bounds of the histograms: from a copied page to a model's slow answer.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(version string, source Source, objects func() error) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "verbatim_http_requests_in_flight", Help: "Requests that are being served.",
		}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_http_request_duration_seconds", Help: "Requests by route pattern, method and class of status.", Buckets: seconds,
		}, []string{"route", "method", "status"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_job_duration_seconds", Help: "Runs of jobs by kind and result: done, retry, returned (the server stopped), postponed (the database or the objects were away or full), dead (given up).", Buckets: seconds,
		}, []string{"kind", "result"}),
		interviews: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "verbatim_interview_events_total", Help: "What happened in interviews: started, answered, completed, screened_out, abandoned, withdrawn.",
		}, []string{"event"}),
	}
	m.model = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "verbatim_model_duration_seconds", Help: "Calls to the language model by purpose and result, with waiting and repeats.", Buckets: seconds,
	}, []string{"purpose", "result"})
	m.tokens = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "verbatim_model_tokens_total", Help: "Tokens that calls to the language model used: prompt, completion.",
	}, []string{"kind"})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "verbatim_build_info", Help: "Always 1; the labels tell what runs.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.inFlight, m.requests, m.jobs, m.interviews, m.model, m.tokens, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if source != nil {
		m.registry.MustRegister(newStanding(source))
	}
	if objects != nil {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "verbatim_objects_reachable", Help: "1 while recordings and uploads can be reached, 0 while not: then interviews go on and uploads wait.",
		}, func() float64 {
			if objects() != nil {
				return 0
			}
			return 1
		}))
	}
	return m
}

// Metrics serves GET /metrics; nil when metrics are off.
func (t *Telemetry) Metrics() http.Handler {
	if t.metrics == nil {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(t.metrics.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	return mux
}

// patience is how long a scrape waits for the store.
const patience = 2 * time.Second

// standing counts what the store holds, when it is asked.
type standing struct {
	source   Source
	jobs     *prometheus.Desc
	open     *prometheus.Desc
	failures prometheus.Counter
}

func newStanding(source Source) *standing {
	return &standing{
		source: source,
		jobs:   prometheus.NewDesc("verbatim_jobs", "Jobs in the queue by state: ready, running, dead (given up).", []string{"state"}, nil),
		open:   prometheus.NewDesc("verbatim_interviews_open", "Interviews that were begun and have neither ended nor been abandoned.", nil, nil),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "verbatim_scrape_failures_total", Help: "Scrapes at which the database gave no counts in time.",
		}),
	}
}

// Describe implements prometheus.Collector.
func (s *standing) Describe(ch chan<- *prometheus.Desc) {
	ch <- s.jobs
	ch <- s.open
	s.failures.Describe(ch)
}

// Collect implements prometheus.Collector. Where the store does not answer, its counts are missing from the scrape and the
// rest is there.
func (s *standing) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	jobs, err := s.source.JobCounts(ctx)
	if err == nil {
		for _, state := range []string{"ready", "running", "dead"} {
			ch <- prometheus.MustNewConstMetric(s.jobs, prometheus.GaugeValue, float64(jobs[state]), state)
		}
		var open int
		if open, err = s.source.OpenInterviews(ctx); err == nil {
			ch <- prometheus.MustNewConstMetric(s.open, prometheus.GaugeValue, float64(open))
		}
	}
	if err != nil {
		s.failures.Inc()
	}
	s.failures.Collect(ch)
}
