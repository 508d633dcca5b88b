package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/telemetry"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
)

// observeFlags configure the log and metrics of a server. Traces are configured by the variables of OpenTelemetry.
type observeFlags struct {
	MetricsListen string `help:"Separate address for GET /metrics (Prometheus), such as 127.0.0.1:9090. Default: no metrics." env:"VERBATIM_METRICS_LISTEN" placeholder:"HOST:PORT"`
	LogFormat     string `help:"Log format on standard error: json or text." enum:"json,text" default:"json" env:"VERBATIM_LOG_FORMAT" placeholder:"FORMAT"`
	LogLevel      string `help:"Minimum level that is logged: debug, info, warn or error." enum:"debug,info,warn,error" default:"info" env:"VERBATIM_LOG_LEVEL" placeholder:"LEVEL"`
}

// flushTimeout is how long the program waits at its end for the last traces to be sent.
const flushTimeout = 3 * time.Second

// withTelemetry connects the parts of the service to the enabled metrics and traces, runs serve, and flushes the traces at the end.
func (svc *service) withTelemetry(ctx context.Context, flags observeFlags, serve func() error) (err error) {
	watch, err := telemetry.New(ctx, telemetry.Options{
		Metrics: flags.MetricsListen != "", Version: version, Source: metricsSource{svc.store.View()}, Pools: svc.store.Pools, Disk: svc.diskSpace, Clock: svc.store.Clock,
		Objects: svc.objects.Err, Log: svc.log,
	})
	if err != nil {
		return err
	}
	if !watch.Enabled() {
		return serve()
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		if flushErr := watch.Close(ending); flushErr != nil {
			svc.log.Warn("the last traces were not sent", "error", flushErr)
		}
	}()
	svc.server.Watch = watch.Request
	for _, runner := range svc.runners {
		runner.Watch = watch.Job
	}
	svc.store.Observe(func(ctx context.Context, operation, table string) (context.Context, func(error)) {
		ctx, end := watch.Database(ctx, operation, table)
		return ctx, func(err error) { end(databaseResult(operation, err)) }
	})
	svc.blobs.Watch = func(ctx context.Context, operation string) (context.Context, func(error)) {
		ctx, end := watch.Objects(ctx, operation)
		return ctx, func(err error) { end(objectsResult(err)) }
	}
	svc.fieldwork.Watch = func(e fieldwork.Event) { watch.Interview(string(e)) }
	svc.messages.Watch = watch.Webhook
	if svc.model != nil {
		svc.model.Watch = func(purpose string, r llm.Reply, err error) {
			watch.Model(purpose, llm.Result(err), r.Took, r.Usage.PromptTokens, r.Usage.CompletionTokens)
		}
	}
	metrics := watch.Metrics()
	if metrics == nil {
		return serve()
	}
	listener, err := listen("--metrics-listen", flags.MetricsListen)
	if err != nil {
		return err
	}
	svc.log.Info("serving metrics", "address", listener.Addr().String())
	server := &http.Server{
		Handler: metrics, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		ErrorLog: slog.NewLogLogger(svc.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	err = serve()
	err = errors.Join(err, server.Close())
	if serveErr := <-served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}

// joinNodes registers this node, so that the rate limits are divided among the nodes that share a database. The returned function keeps
// the registration alive until its context ends. With SQLite there is only one node, and it does nothing.
//
// The node's name consists of the host name and the address that it listens on, which is unique at any time.
func (svc *service) joinNodes(ctx context.Context, listens net.Addr) (run func(context.Context), err error) {
	if !svc.store.Shared() {
		return func(context.Context) {}, nil
	}
	name := ""
	if host, err := os.Hostname(); err == nil {
		name = host + " " + listens.String()
	}
	nodes := &access.Nodes{Store: svc.store, Name: name, Limiters: []*access.Limiter{svc.server.Keys, svc.server.Addresses}, Log: svc.log}
	return nodes.Run, nodes.Join(ctx)
}

// metricsSource reads the metrics that are counted in the database.
type metricsSource struct{ *store.View }

// LowestBalances implements telemetry.Source.
func (c metricsSource) LowestBalances(ctx context.Context, limit int) (all []telemetry.Balance, err error) {
	lowest, err := c.View.LowestBalances(ctx, limit)
	for _, b := range lowest {
		all = append(all, telemetry.Balance(b))
	}
	return all, err
}

// databaseResult returns the metric label for the result of a statement or a write.
func databaseResult(operation string, err error) string {
	switch {
	case err == nil, errors.Is(err, sql.ErrNoRows):
		return "done"
	case errors.Is(err, outage.ErrBusy):
		return "busy"
	case errors.Is(err, outage.ErrUnreachable):
		return "unreachable"
	case errors.Is(err, outage.ErrDiskFull):
		return "full"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "left"
	case operation == "write":
		return "undone" // rolled back by the program; what the database refused is counted at its statement
	}
	return "failed"
}

// objectsResult returns the metric label for the result of a call to the store of recordings and uploads.
func objectsResult(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrRange):
		return "absent"
	case errors.Is(err, outage.ErrObjectsFull):
		return "full"
	case errors.Is(err, outage.ErrObjectsUnreachable):
		return "away"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "left"
	}
	return "failed"
}
