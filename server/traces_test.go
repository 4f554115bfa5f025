package server_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"beziergp/server"
)

// collects is a collector that keeps what it is sent.
type collects struct {
	*httptest.Server
	mu      sync.Mutex
	service string
	got     []*spans.Span
}

func newCollector(t *testing.T) *collects {
	c := &collects{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(r.Body)
		}
		text, err := io.ReadAll(body)
		var in collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(text, &in)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %s: %v", r.URL.Path, r.Header, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range in.ResourceSpans {
			for _, a := range resource.Resource.Attributes {
				if a.Key == "service.name" {
					c.service = a.Value.GetStringValue()
				}
			}
			for _, scope := range resource.ScopeSpans {
				c.got = append(c.got, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// attribute returns an attribute of a span: its text, or its number.
func attribute(s *spans.Span, key string) any {
	for _, a := range s.Attributes {
		if a.Key == key {
			if text := a.Value.GetStringValue(); text != "" {
				return text
			}
			return a.Value.GetIntValue()
		}
	}
	return nil
}

// Requests are told of as parts of their callers' traces; at the end all have been told of.
func TestTraces(t *testing.T) {
	for _, by := range []string{"option", "environment"} {
		c := newCollector(t)
		o := server.Options{Collector: c.URL}
		if by == "environment" {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
			t.Setenv("OTEL_SERVICE_NAME", "predictions")
			o.Collector = ""
		}
		p := start(t, o)
		const trace, caller = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
		if code, _, text := p.ask("POST", "/v2/models/format4/infer", tensors+`, "parameters": {"out_of_box": "clip"}}`, "Traceparent", "00-"+trace+"-"+caller+"-01", "X-Request-Id", "mine"); code != 200 {
			t.Fatal(text)
		}
		p.ask("GET", "/no/such/address", "")
		p.ask("POST", "/v2/models/format4/infer", tensors+"}", "Traceparent", "00-"+trace+"-"+caller+"-00") // which is not sampled
		ctx := metadata.AppendToOutgoingContext(context.Background(), "traceparent", "00-"+trace+"-"+caller+"-01")
		unknown := call(true)
		unknown.ModelName = "none"
		if _, err := dial(t, p).ModelInfer(ctx, unknown); status.Code(err) != codes.NotFound {
			t.Error(err)
		}
		p.stop()
		if err := <-p.done; err != nil {
			t.Error(err)
		}
		p.done <- nil
		c.mu.Lock()
		byName := map[string]*spans.Span{}
		for _, s := range c.got {
			byName[s.Name] = s
			if strings.Contains(s.String(), "such") {
				t.Errorf("an address of a stranger's is told: %v", s)
			}
		}
		if c.service != map[string]string{"option": "beziergp", "environment": "predictions"}[by] {
			t.Errorf("by %s: the service is %q", by, c.service)
		}
		c.mu.Unlock()
		infer, predict, call := byName["POST /v2/models/{model}/infer"], byName["predict"], byName["inference.GRPCInferenceService/ModelInfer"]
		if infer == nil || predict == nil || call == nil {
			t.Fatalf("by %s: %v", by, byName)
		}
		for _, s := range []*spans.Span{infer, call} {
			if id(s.TraceId) != trace || id(s.ParentSpanId) != caller || s.Kind != spans.Span_SPAN_KIND_SERVER || s.EndTimeUnixNano < s.StartTimeUnixNano {
				t.Errorf("by %s: %v", by, s)
			}
		}
		if attribute(infer, "http.response.status_code") != int64(200) || attribute(infer, "http.request.header.x-request-id") != "mine" || attribute(call, "rpc.grpc.status_code") != int64(codes.NotFound) {
			t.Errorf("by %s: %v; %v", by, infer, call)
		}
		count := 0
		for _, s := range c.got {
			if s.Name == infer.Name {
				count++
			}
			if s.Name == "predict" && id(s.ParentSpanId) == id(infer.SpanId) && attribute(s, "rows") == int64(2) && attribute(s, "model") == "format4" && id(s.TraceId) == trace {
				predict = nil
			}
		}
		if count != 1 || predict != nil {
			t.Errorf("by %s: %d spans of the request, and %v within", by, count, predict)
		}
	}
}

func id(b []byte) string {
	const digits = "0123456789abcdef"
	var text []byte
	for _, c := range b {
		text = append(text, digits[c>>4], digits[c&15])
	}
	return string(text)
}

// An address that is none is refused, and one where nobody listens changes no answer.
func TestCollectorsThatAreNone(t *testing.T) {
	for _, address := range []string{"localhost:4318", "ftp://localhost", "http://"} {
		var wrong *server.OptionError
		if _, err := server.New(server.Options{REST: "127.0.0.1:0", Paths: []string{process}, Collector: address}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", address, err)
		}
	}
	p := start(t, server.Options{Collector: "http://127.0.0.1:1"})
	if code, _, text := p.ask("GET", "/v2", ""); code != 200 {
		t.Error(code, text)
	}
	p.own.Service().Drain()
}
