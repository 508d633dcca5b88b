package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// traces creates spans and sends them in batches.
type traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// startTraces returns traces that are sent to the endpoint in OpenTelemetry's standard variables, or nil where none is set.
// The SDK reads the other variables, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and OTEL_RESOURCE_ATTRIBUTES.
func startTraces(ctx context.Context, version string, log *slog.Logger) (*traces, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" ||
		strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if protocol := os.Getenv(name); protocol != "" && protocol != "http/protobuf" {
			return nil, fmt.Errorf("%s is %q: traces can only be sent as http/protobuf", name, protocol)
		}
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	described, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "verbatim"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // the operator's settings win
	)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	// Background errors go to the library's only handler.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("sending traces", "error", err) }))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described))
	return &traces{provider: provider, tracer: provider.Tracer("verbatim", trace.WithInstrumentationVersion(version))}, nil
}

// request starts the span of a request, below the caller's where a traceparent was sent. Baggage is not read, since anyone
// can put anything in it.
func (t *traces) request(ctx context.Context, header http.Header, method, id string) (context.Context, func(route string, status int)) {
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(header))
	ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("verbatim.request_id", id)))
	return ctx, func(route string, status int) {
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.route", route))
		if status != 0 {
			span.SetAttributes(attribute.Int("http.response.status_code", status))
		}
		if status == 0 || status >= 500 {
			span.SetStatus(codes.Error, "") // the text of an error may quote what was sent
		}
		span.End()
	}
}

// job starts the span of one attempt of a job.
func (t *traces) job(ctx context.Context, kind string, attempt int) (context.Context, func(result string)) {
	ctx, span := t.tracer.Start(ctx, "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(attribute.String("verbatim.job.kind", kind), attribute.Int("verbatim.job.attempt", attempt)))
	return ctx, func(result string) {
		span.SetAttributes(attribute.String("verbatim.job.result", result))
		if result == "retry" || result == "dead" {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// dependency starts the span of a call to the database or the object store, below that of the request or job that makes it.
// Without such a span there is none.
func (t *traces) dependency(ctx context.Context, system, operation, table string) (context.Context, func(result string)) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, func(string) {}
	}
	name := operation
	attributes := []attribute.KeyValue{attribute.String("verbatim.system", system), attribute.String("verbatim.operation", operation)}
	if system == "database" {
		attributes = append(attributes, attribute.String("db.operation.name", operation))
	}
	if table != "" {
		name += " " + table
		attributes = append(attributes, attribute.String("db.collection.name", table))
	}
	ctx, span := t.tracer.Start(ctx, system+" "+name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return ctx, func(result string) {
		span.SetAttributes(attribute.String("verbatim.result", result))
		if result == "failed" || result == "busy" || result == "unreachable" {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
