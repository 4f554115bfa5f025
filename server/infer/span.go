package infer

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"beziergp/server/repository"
)

// span begins a part of the request's span, where it is traced; end says how it went.
func span(ctx context.Context, name string, m *repository.Loaded, rows int) (_ context.Context, end func(error)) {
	around := trace.SpanFromContext(ctx)
	if !around.IsRecording() {
		return ctx, func(error) {}
	}
	ctx, part := around.TracerProvider().Tracer("beziergp/server").Start(ctx, name,
		trace.WithAttributes(attribute.String("model", m.Name), attribute.String("version", m.Version), attribute.Int("rows", rows)))
	return ctx, func(err error) {
		if err != nil {
			part.SetStatus(codes.Error, err.Error())
		}
		part.End()
	}
}
