// Package traces tells a collector of OpenTelemetry what becomes of requests, over OTLP/HTTP:
// a span a request, which goes on with the trace that its caller began.
package traces

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer begins spans and sends them.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	callers  propagation.TraceContext
}

// Wanted tells whether the environment names a collector.
func Wanted() bool {
	return os.Getenv("OTEL_SDK_DISABLED") != "true" && os.Getenv("OTEL_TRACES_EXPORTER") != "none" &&
		(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "")
}

// Start returns a tracer that sends to a collector's address, http://HOST:4318, or to that of
// the environment where endpoint is empty. The environment's other variables of OpenTelemetry
// (headers, certificates, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER) hold in any case. Nothing is
// sent yet: a collector may come later. failed is told why spans were lost.
func Start(ctx context.Context, endpoint, version string, failed func(error)) (*Tracer, error) {
	var options []otlptracehttp.Option
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("the collector's address %q is none; write http://HOST:4318", endpoint)
		}
		options = append(options, otlptracehttp.WithEndpointURL(strings.TrimSuffix(endpoint, "/")+"/v1/traces"))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, err
	}
	named, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "beziergp"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	// The library has no other way to tell.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(failed))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(named))
	return &Tracer{provider: provider, tracer: provider.Tracer("beziergp/server")}, nil
}

// Close sends what is left, for as long as ctx lets it.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }
