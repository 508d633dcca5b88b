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

// traces makes spans and sends them in batches.
type traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// startTraces sends spans where the standard variables of OpenTelemetry say; nil when they name no endpoint. The SDK
// reads the others, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and OTEL_RESOURCE_ATTRIBUTES, by itself.
func startTraces(ctx context.Context, version string, log *slog.Logger) (*traces, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" ||
		strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if protocol := os.Getenv(name); protocol != "" && protocol != "http/protobuf" {
			return nil, fmt.Errorf("%s is %q: traces are sent as http/protobuf alone", name, protocol)
		}
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	described, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "verbatim"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // the operator's words win
	)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	// What goes wrong in the background is told to the one handler that the library has.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("sending traces", "error", err) }))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described))
	return &traces{provider: provider, tracer: provider.Tracer("verbatim", trace.WithInstrumentationVersion(version))}, nil
}

// request begins the span of a request, below the caller's where a traceparent came with it. Baggage is not read: anyone
// may put anything in it.
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
			span.SetStatus(codes.Error, "") // an error's text may quote what was sent
		}
		span.End()
	}
}

// job begins the span of a job's run.
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

// outside begins the span of what is asked of another system, below that of the request or job that asks; none where there is
// no such span.
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
