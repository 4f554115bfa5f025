package traces

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// HTTP has every request answered within a span. A span has the name of the route and never
// what a stranger wrote into an address.
func (t *Tracer) HTTP(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := t.callers.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		r = r.WithContext(ctx)
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(status, r)
		if r.Pattern != "" {
			span.SetName(r.Pattern)
		}
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", r.Pattern),
			attribute.Int("http.response.status_code", status.status), attribute.String("http.request.header.x-request-id", w.Header().Get("X-Request-Id")))
		if status.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status.status))
		}
	})
}

// statusWriter notes the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets net/http set deadlines.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
