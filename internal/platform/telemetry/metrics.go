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

// metrics holds the registry and everything that is counted.
type metrics struct {
	registry     *prometheus.Registry
	inFlight     prometheus.Gauge
	streams      prometheus.Gauge
	requests     *prometheus.HistogramVec            // route, method, status
	dependencies map[string]*prometheus.HistogramVec // by dependency: database, objects; labels operation, result
	jobs         *prometheus.HistogramVec            // kind, result
	interviews   *prometheus.CounterVec              // event
	webhooks     *prometheus.CounterVec              // result
	model        *prometheus.HistogramVec            // purpose, result
	tokens       *prometheus.CounterVec              // kind
}

// durationBuckets are the bounds of the histograms in seconds, from a stored page to a slow model.
var durationBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(o Options) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "verbatim_http_requests_in_flight", Help: "Requests that are being served, without event streams.",
		}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "verbatim_event_streams_open", Help: "Pages that follow an interview by an event stream.",
		}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_http_request_duration_seconds", Help: "Requests by route pattern, method and class of status; 429 is a class of its own.", Buckets: durationBuckets,
		}, []string{"route", "method", "status"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_job_duration_seconds", Help: "Runs of jobs by kind and result: done, retry, returned (the server stopped), postponed (the database or the object store was unreachable or full), later (the job asked for another time), dead (discarded).", Buckets: durationBuckets,
		}, []string{"kind", "result"}),
		interviews: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "verbatim_interview_events_total", Help: "What happened in interviews: started, answered, completed, screened_out, abandoned, withdrawn.",
		}, []string{"event"}),
	}
	m.webhooks = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "verbatim_webhook_messages_total", Help: "What came of messages to webhooks: delivered, failed (it is tried again), discarded (tried for three days), disabled (the webhook is disabled).",
	}, []string{"result"})
	m.model = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "verbatim_model_duration_seconds", Help: "Calls to the language model by purpose and result, including waits and retries.", Buckets: durationBuckets,
	}, []string{"purpose", "result"})
	m.tokens = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "verbatim_model_tokens_total", Help: "Tokens that calls to the language model used: prompt, completion.",
	}, []string{"kind"})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "verbatim_build_info", Help: "Always 1; the labels say which version runs.",
		ConstLabels: prometheus.Labels{"version": o.Version, "go": runtime.Version()},
	})
	build.Set(1)
	m.dependencies = map[string]*prometheus.HistogramVec{
		"database": prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_database_duration_seconds", Buckets: durationBuckets,
			Help: "Statements (select until the first row) and complete writes by operation and result: done, undone (a write that the program rolled back), failed, busy, unreachable, full (the disk), left (the caller had gone).",
		}, []string{"operation", "result"}),
		"objects": prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "verbatim_objects_duration_seconds", Buckets: durationBuckets,
			Help: "Calls to the object store of recordings and uploads by operation and result: done, absent, full, away, failed, left (the caller had gone).",
		}, []string{"operation", "result"}),
	}
	m.registry.MustRegister(m.inFlight, m.streams, m.requests, m.dependencies["database"], m.dependencies["objects"], m.jobs, m.interviews, m.webhooks, m.model, m.tokens, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(newStateCollector(o))
	if o.Objects != nil {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "verbatim_objects_reachable", Help: "1 while recordings and uploads can be reached, otherwise 0: interviews go on and uploads wait.",
		}, func() float64 {
			if o.Objects() != nil {
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

// scrapeTimeout is how long a scrape waits for the store.
const scrapeTimeout = 2 * time.Second

// maxBalances limits the accounts of wallets that a scrape shows: those with the least left.
const maxBalances = 100

// stateCollector reads at each scrape what is counted elsewhere: in the database, the connection pools, the disk and the
// clock.
type stateCollector struct {
	options  Options
	jobs     *prometheus.Desc
	oldest   *prometheus.Desc
	open     *prometheus.Desc
	balance  *prometheus.Desc
	backup   *prometheus.Desc
	conns    *prometheus.Desc
	limit    *prometheus.Desc
	waits    *prometheus.Desc
	waited   *prometheus.Desc
	free     *prometheus.Desc
	size     *prometheus.Desc
	clock    *prometheus.Desc
	failures prometheus.Counter
}

func newStateCollector(o Options) *stateCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("verbatim_"+name, help, labels, nil)
	}
	return &stateCollector{
		options: o,
		jobs:    desc("jobs", "Jobs in the queue by state: ready, running, dead (discarded).", "state"),
		oldest:  desc("job_oldest_seconds", "How long the oldest job of each kind has been due; kinds without jobs are missing.", "kind"),
		open:    desc("interviews_open", "Interviews that have started and neither ended nor been abandoned."),
		balance: desc("wallet_balance_credits", "Credits left in accounts of wallets; only those with the least.", "wallet", "account"),
		backup:  desc("backup_last_success_timestamp_seconds", "When the last backup was made by this program; missing before the first."),
		conns:   desc("database_connections", "Connections to the database by pool and state: used, idle.", "pool", "state"),
		limit:   desc("database_connections_limit", "Maximum number of connections of a pool; 0: no limit.", "pool"),
		waits:   desc("database_connection_waits_total", "How often a connection of a pool was waited for.", "pool"),
		waited:  desc("database_connection_wait_seconds_total", "Total time of waits for connections of a pool.", "pool"),
		free:    desc("disk_free_bytes", "Free space on the disk of the data folder."),
		size:    desc("disk_size_bytes", "Size of the disk of the data folder."),
		clock:   desc("clock_offset_seconds", "How far this machine's clock is ahead of the database's."),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "verbatim_scrape_failures_total", Help: "Scrapes at which the database did not return its counts in time.",
		}),
	}
}

// Describe implements prometheus.Collector.
func (s *stateCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.jobs, s.oldest, s.open, s.balance, s.backup, s.conns, s.limit, s.waits, s.waited, s.free, s.size, s.clock} {
		ch <- d
	}
	s.failures.Describe(ch)
}

// Collect implements prometheus.Collector. Where the store does not answer, its counts are missing from the scrape.
func (s *stateCollector) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if s.options.Pools != nil {
		for name, pool := range s.options.Pools() {
			gauge(s.conns, float64(pool.InUse), name, "used")
			gauge(s.conns, float64(pool.Idle), name, "idle")
			gauge(s.limit, float64(pool.MaxOpenConnections), name)
			ch <- prometheus.MustNewConstMetric(s.waits, prometheus.CounterValue, float64(pool.WaitCount), name)
			ch <- prometheus.MustNewConstMetric(s.waited, prometheus.CounterValue, pool.WaitDuration.Seconds(), name)
		}
	}
	if s.options.Disk != nil {
		if free, size, err := s.options.Disk(); err == nil {
			gauge(s.free, float64(free))
			gauge(s.size, float64(size))
		}
	}
	if s.options.Clock != nil {
		if ahead, known := s.options.Clock(); known {
			gauge(s.clock, ahead.Seconds())
		}
	}
	if s.options.Source != nil {
		if err := s.count(gauge); err != nil {
			s.failures.Inc()
		}
	}
	s.failures.Collect(ch)
}

// count reads the counts of the database.
func (s *stateCollector) count(gauge func(d *prometheus.Desc, value float64, labels ...string)) error {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	source := s.options.Source
	jobs, err := source.JobCounts(ctx)
	if err != nil {
		return err
	}
	for _, state := range []string{"ready", "running", "dead"} {
		gauge(s.jobs, float64(jobs[state]), state)
	}
	open, err := source.OpenInterviews(ctx)
	if err != nil {
		return err
	}
	gauge(s.open, float64(open))
	oldest, err := source.OldestJobs(ctx)
	if err != nil {
		return err
	}
	for kind, age := range oldest {
		gauge(s.oldest, age.Seconds(), kind)
	}
	balances, err := source.LowestBalances(ctx, maxBalances)
	if err != nil {
		return err
	}
	for _, b := range balances {
		gauge(s.balance, b.Credits, b.WalletID, b.Kind)
	}
	backup, err := source.LastBackup(ctx)
	if err == nil && !backup.IsZero() {
		gauge(s.backup, float64(backup.Unix()))
	}
	return err
}
