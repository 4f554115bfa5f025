package traces

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	otelcodes "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Unary has every call answered within a span.
func (t *Tracer) Unary(ctx context.Context, in any, info *grpc.UnaryServerInfo, answer grpc.UnaryHandler) (any, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	ctx, span := t.tracer.Start(t.callers.Extract(ctx, carrier(md)), info.FullMethod[1:], trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	out, err := answer(ctx, in)
	code := status.Code(err)
	span.SetAttributes(attribute.String("rpc.system", "grpc"), attribute.Int("rpc.grpc.status_code", int(code)))
	if code == codes.Internal || code == codes.Unknown {
		span.SetStatus(otelcodes.Error, code.String())
	}
	return out, err
}

// carrier has the trace that a caller began.
type carrier metadata.MD

// Get returns the first value of a key.
func (c carrier) Get(key string) string {
	if all := metadata.MD(c).Get(key); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Set is not called.
func (c carrier) Set(key, value string) { metadata.MD(c).Set(key, value) }

// Keys returns the names of all values.
func (c carrier) Keys() (all []string) {
	for key := range c {
		all = append(all, key)
	}
	return all
}
