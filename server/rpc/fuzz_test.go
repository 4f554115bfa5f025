package rpc_test

import (
	"context"
	"encoding/binary"
	"math"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"beziergp/server/engine"
	"beziergp/server/guard"
	"beziergp/server/infer"
	"beziergp/server/repository"
	"beziergp/server/rpc"
	"beziergp/server/rpc/inference"
)

// message is what is sent as it is.
type message []byte

// verbatim sends bytes in the place of messages, and keeps those that come.
type verbatim struct{}

func (verbatim) Marshal(v any) ([]byte, error) { return v.(message), nil }

func (verbatim) Unmarshal(data []byte, v any) error {
	*v.(*message) = append(message(nil), data...)
	return nil
}

func (verbatim) Name() string { return "proto" }

// connect starts a server in memory and returns a connection to it.
func connect(t testing.TB, most int) *grpc.ClientConn {
	t.Helper()
	r, err := repository.Open(repository.Options{Paths: []string{"../../model/testdata/format4.bgp"}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := rpc.New(infer.New(r, e, infer.Options{Elements: 10000}), rpc.Options{Tokens: &guard.Tokens{}, Message: most})
	listener := bufconn.Listen(1 << 16)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)
	c, err := grpc.NewClient("passthrough:memory", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

const service = "/inference.GRPCInferenceService/"

// Whatever a message is, the answer is one of the protocol's.
func FuzzInfer(f *testing.F) {
	c := connect(f, 1<<16)
	for _, in := range seeds() {
		text, err := proto.Marshal(in)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		var answer message
		err := c.Invoke(ctx, service+"ModelInfer", message(text), &answer, grpc.ForceCodec(verbatim{}))
		switch code := status.Code(err); code {
		case codes.OK:
			var out inference.ModelInferResponse
			if err := proto.Unmarshal(answer, &out); err != nil || len(out.GetOutputs()) == 0 {
				t.Errorf("%v %v", &out, err)
			}
		case codes.InvalidArgument, codes.NotFound, codes.ResourceExhausted:
		case codes.Internal: // what the library says of a message that is none, and we never do of one that is
			if proto.Unmarshal(text, new(inference.ModelInferRequest)) == nil {
				t.Errorf("%v", err)
			}
		default:
			t.Errorf("%v: %v", code, err)
		}
	})
}

// seeds are requests to begin with.
func seeds() []*inference.ModelInferRequest {
	row := []float64{0.5, math.NaN(), 1, 1.7e9}
	var raw []byte
	for _, v := range row {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	one := func(datatype string, c *inference.InferTensorContents) *inference.ModelInferRequest {
		return &inference.ModelInferRequest{ModelName: "format4", Inputs: []*inference.ModelInferRequest_InferInputTensor{{Name: "x", Datatype: datatype, Shape: []int64{1, 4}, Contents: c}}}
	}
	withRaw, lying, texts := one("FP64", nil), one("FP64", nil), one("BYTES", nil)
	withRaw.RawInputContents = [][]byte{raw}
	withRaw.Parameters = map[string]*inference.InferParameter{"level": {ParameterChoice: &inference.InferParameter_DoubleParam{DoubleParam: 0.8}},
		"quantiles": {ParameterChoice: &inference.InferParameter_StringParam{StringParam: "0.1,0.9"}}}
	withRaw.Outputs = []*inference.ModelInferRequest_InferRequestedOutputTensor{{Name: "mean"}, {Name: "q0.5"}}
	lying.Inputs[0].Shape, lying.RawInputContents = []int64{math.MaxInt64, math.MaxInt64}, [][]byte{raw}
	texts.RawInputContents = [][]byte{[]byte("\x01\x00\x00\x001\x02\x00\x00\x00-2\xff\xff\xff\xff\x00\x00\x00\x00")}
	return []*inference.ModelInferRequest{one("FP64", &inference.InferTensorContents{Fp64Contents: row}), withRaw, lying, texts,
		one("FP32", &inference.InferTensorContents{Fp32Contents: []float32{1, 2, 3, 4}}), one("INT8", &inference.InferTensorContents{IntContents: []int32{1, 1000, 3, 4}}),
		one("BYTES", &inference.InferTensorContents{BytesContents: [][]byte{[]byte("1"), nil, []byte("bee"), []byte("2024-03-01")}}), {ModelName: "format4"}, {}}
}

// Other calls stand random bytes as well.
func FuzzCalls(f *testing.F) {
	c := connect(f, 1<<16)
	methods := []string{"ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "RepositoryIndex", "RepositoryModelLoad", "RepositoryModelUnload", "NoSuchMethod"}
	for i := range methods {
		f.Add(i, []byte("\x0a\x07format4"))
		f.Add(i, []byte("\x12\x07format4\x1a\x04\x0a\x02\x10\x01"))
	}
	f.Fuzz(func(t *testing.T, method int, text []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		var answer message
		err := c.Invoke(ctx, service+methods[uint(method)%uint(len(methods))], message(text), &answer, grpc.ForceCodec(verbatim{}))
		switch code := status.Code(err); code {
		case codes.OK, codes.InvalidArgument, codes.NotFound, codes.PermissionDenied, codes.Unimplemented, codes.ResourceExhausted:
		case codes.Internal: // as of a message that is none
			if proto.Unmarshal(text, new(inference.RepositoryModelLoadRequest)) == nil && proto.Unmarshal(text, new(inference.ModelMetadataRequest)) == nil && proto.Unmarshal(text, new(inference.RepositoryIndexRequest)) == nil {
				t.Errorf("%v", err)
			}
		default:
			t.Errorf("%v: %v", code, err)
		}
	})
}
