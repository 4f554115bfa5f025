package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"beziergp/box"
	"beziergp/model"
	"beziergp/serve"
	"beziergp/server"
	"beziergp/server/guard"
	"beziergp/server/rpc/inference"
	"beziergp/table"
)

const (
	process = "../model/testdata/format4.bgp"
	other   = "../rival/testdata/format1.bgp"
)

// place is a server that runs, and how it ends.
type place struct {
	t    testing.TB
	url  string
	own  *server.Server
	stop context.CancelFunc
	done chan error
}

// start starts a server at ports that are free.
func start(t testing.TB, o server.Options) *place {
	t.Helper()
	if o.REST == "" {
		o.REST, o.GRPC, o.Metrics = "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"
	}
	if o.Paths == nil {
		o.Paths = []string{process, other}
	}
	own, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &place{t, "http://" + own.Address("rest"), own, stop, make(chan error, 1)}
	go func() { p.done <- own.Serve(ctx) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections() // for which a server waits at its end
		p.stop()
		<-p.done
	})
	return p
}

// ask sends a request; header are names and values in turn.
func (p *place) ask(method, path, body string, header ...string) (int, http.Header, string) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

const tensors = `{"id": "7", "inputs": [
	{"name": "x", "shape": [2], "datatype": "FP64", "data": [0.25, 0.5]}, {"name": "z", "shape": [2, 1], "datatype": "FP32", "data": [[1], [null]]},
	{"name": "c", "shape": [2], "datatype": "BYTES", "data": ["bee", "dodo"]}, {"name": "when", "shape": [2], "datatype": "BYTES", "data": ["2024-03-01", ""]}]`

// wanted is what the library predicts of the rows of tensors.
func wanted(t testing.TB, o model.PredictOptions) *model.Predictions {
	t.Helper()
	m, err := serve.Load(process)
	if err != nil {
		t.Fatal(err)
	}
	s := serve.NewSchema(m.Columns(), m.Missing())
	var rows [][]float64
	for _, values := range []map[string]any{{"x": 0.25, "z": 1, "c": "bee", "when": "2024-03-01"}, {"x": 0.5, "z": nil, "c": "dodo", "when": nil}} {
		row, err := s.Row(values)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	var columns []table.Column
	for k, f := range m.Columns() {
		columns = append(columns, table.NewColumn(f, []float64{rows[0][k], rows[1][k]}))
	}
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type response struct {
	ModelName    string `json:"model_name"`
	ModelVersion string `json:"model_version"`
	ID           string
	Error        string
	Outputs      []struct {
		Name, Datatype string
		Shape          []int
		Data           []any
		Parameters     struct {
			Size int `json:"binary_data_size"`
		}
	}
}

// numbers returns the outputs that are numbers by their names.
func (r *response) numbers() map[string][]float64 {
	all := map[string][]float64{}
	for _, o := range r.Outputs {
		for _, v := range o.Data {
			if n, ok := v.(float64); ok {
				all[o.Name] = append(all[o.Name], n)
			}
		}
	}
	return all
}

// JSON and binary tensors, rows as JSON and CSV, and gRPC all have the bits of the library.
func TestEveryWayHasTheLibrarysBits(t *testing.T) {
	p := start(t, server.Options{})
	want := wanted(t, model.PredictOptions{Policy: box.Clip, Level: 0.8})
	check := func(way string, got map[string][]float64) {
		t.Helper()
		for name, w := range map[string][]float64{"mean": want.Mean, "std": want.Std, "lower": want.Lower, "upper": want.Upper} {
			if !slices.Equal(got[name], w) {
				t.Errorf("%s: %s is %v, want %v", way, name, got[name], w)
			}
		}
	}
	const parameters = `, "parameters": {"level": 0.8, "out_of_box": "clip"`
	code, header, text := p.ask("POST", "/v2/models/format4/infer", tensors+parameters+"}}")
	var r response
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 200 || r.ID != "7" || r.ModelName != "format4" || r.ModelVersion != "1" || header.Get("X-Request-Id") == "" {
		t.Fatalf("%d %v %s", code, err, text)
	}
	check("JSON", r.numbers())
	if in := r.Outputs[4]; in.Name != "in_box" || in.Datatype != "BOOL" || in.Data[0] != true || in.Data[1] != false {
		t.Errorf("in_box: %+v", in)
	}

	code, header, text = p.ask("POST", "/v2/models/format4/versions/1/infer", tensors+parameters+`, "binary_data_output": true}, "outputs": [{"name": "std"}, {"name": "mean", "parameters": {"binary_data": true}}, {"name": "upper"}, {"name": "lower"}, {"name": "q0.5", "parameters": {"binary_data": false}}]}`)
	at, err := strconv.Atoi(header.Get("Inference-Header-Content-Length"))
	if err != nil || code != 200 || header.Get("Content-Type") != "application/octet-stream" {
		t.Fatalf("%d %v %s", code, header, text)
	}
	r = response{}
	if err := json.Unmarshal([]byte(text[:at]), &r); err != nil {
		t.Fatal(err)
	}
	got, tail := map[string][]float64{}, text[at:]
	for _, o := range r.Outputs {
		for ; o.Parameters.Size > 0; o.Parameters.Size -= 8 {
			got[o.Name] = append(got[o.Name], math.Float64frombits(binary.LittleEndian.Uint64([]byte(tail))))
			tail = tail[8:]
		}
	}
	check("binary", got)
	if q := r.numbers()["q0.5"]; len(tail) != 0 || len(q) != 2 || q[0] != want.Distribution(0).Quantile(0.5) {
		t.Errorf("%d bytes are left; the median is %v", len(tail), q)
	}

	code, _, text = p.ask("POST", "/predict/format4?level=0.8&out_of_box=clip", `[{"x": 0.25, "z": 1, "c": "bee", "when": "2024-03-01", "id": 1}, {"x": 0.5, "z": null, "c": "dodo", "when": ""}]`, "Content-Type", "application/json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(text), &rows); err != nil || code != 200 || len(rows) != 2 {
		t.Fatalf("%d %s", code, text)
	}
	got = map[string][]float64{}
	for _, row := range rows {
		for to, from := range map[string]string{"mean": "mean", "std": "std", "lower": "lower80", "upper": "upper80"} {
			got[to] = append(got[to], row[from].(float64))
		}
	}
	check("rows in JSON", got)

	code, header, text = p.ask("POST", "/predict/format4?level=0.8&out_of_box=clip", "when,c,more,z,x\n2024-03-01,bee,a,1,0.25\n,dodo,b,,0.5\n", "Content-Type", "text/csv; charset=utf-8")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if code != 200 || len(lines) != 3 || lines[0] != "mean,std,lower80,upper80,in_box" || header.Get("Content-Type") != "text/csv" {
		t.Fatalf("%d %s", code, text)
	}
	got = map[string][]float64{}
	for _, line := range lines[1:] {
		for i, cell := range strings.Split(line, ",")[:4] {
			v, _ := strconv.ParseFloat(cell, 64)
			name := []string{"mean", "std", "lower", "upper"}[i]
			got[name] = append(got[name], v)
		}
	}
	check("CSV", got)

	c := dial(t, p)
	level := map[string]*inference.InferParameter{"level": {ParameterChoice: &inference.InferParameter_DoubleParam{DoubleParam: 0.8}},
		"out_of_box": {ParameterChoice: &inference.InferParameter_StringParam{StringParam: "clip"}}}
	for _, raw := range []bool{false, true} {
		in := call(raw)
		in.Parameters = level
		out, err := c.ModelInfer(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		got = map[string][]float64{}
		for i, o := range out.GetOutputs() {
			got[o.GetName()] = o.GetContents().GetFp64Contents()
			if raw && o.GetDatatype() == "FP64" {
				for bits := out.GetRawOutputContents()[i]; len(bits) > 0; bits = bits[8:] {
					got[o.GetName()] = append(got[o.GetName()], math.Float64frombits(binary.LittleEndian.Uint64(bits)))
				}
			}
		}
		check(fmt.Sprint("gRPC, raw ", raw), got)
	}
}

func dial(t testing.TB, p *place) inference.GRPCInferenceServiceClient {
	t.Helper()
	c, err := grpc.NewClient(p.own.Address("grpc"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return inference.NewGRPCInferenceServiceClient(c)
}

// call is the request of tensors over gRPC.
func call(raw bool) *inference.ModelInferRequest {
	in := &inference.ModelInferRequest{ModelName: "format4", Inputs: []*inference.ModelInferRequest_InferInputTensor{
		{Name: "x", Datatype: "FP64", Shape: []int64{2}, Contents: &inference.InferTensorContents{Fp64Contents: []float64{0.25, 0.5}}},
		{Name: "z", Datatype: "FP32", Shape: []int64{2}, Contents: &inference.InferTensorContents{Fp32Contents: []float32{1, float32(math.NaN())}}},
		{Name: "c", Datatype: "BYTES", Shape: []int64{2}, Contents: &inference.InferTensorContents{BytesContents: [][]byte{[]byte("bee"), []byte("dodo")}}},
		{Name: "when", Datatype: "BYTES", Shape: []int64{2, 1}, Contents: &inference.InferTensorContents{BytesContents: [][]byte{[]byte("2024-03-01"), nil}}},
	}}
	if !raw {
		return in
	}
	for _, t := range in.Inputs {
		var b []byte
		for _, v := range t.Contents.Fp64Contents {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		for _, v := range t.Contents.Fp32Contents {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		for _, v := range t.Contents.BytesContents {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
		}
		t.Contents, in.RawInputContents = nil, append(in.RawInputContents, b)
	}
	return in
}

// What is wrong is said with the status that the protocol has for it.
func TestErrors(t *testing.T) {
	p := start(t, server.Options{Body: 5000, Elements: 1000})
	const infer = "/v2/models/format4/infer"
	one := func(name, datatype, shape, data string) string {
		return fmt.Sprintf(`{"inputs": [{"name": %q, "datatype": %q, "shape": %s, "data": %s}]}`, name, datatype, shape, data)
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	z.Close()
	for _, c := range []struct {
		method, path, body string
		header             []string
		code               int
		says               string
	}{
		{"GET", "/v2/models/none", "", nil, 404, "no model"},
		{"GET", "/v2/models/format4/versions/2", "", nil, 404, "version"},
		{"GET", "/v2/models/..%2F..%2Fetc%2Fpasswd", "", nil, 404, "no model"},
		{"POST", "/predict/..%2Fformat4", "[]", []string{"Content-Type", "application/json"}, 404, "no model"},
		{"GET", "/nothing", "", nil, 404, "nothing at this address"},
		{"GET", infer, "", nil, 405, "takes POST"},
		{"PUT", "/predict/format4", "", nil, 405, "takes GET and POST"},
		{"POST", infer, `{"inputs": 1}`, nil, 400, "JSON: inputs must be an array of tensors\""},
		{"POST", infer, `{"inputs": [1]}`, nil, 400, "JSON: inputs must be an array of tensors\""},
		{"POST", infer, `[]`, nil, 400, "JSON: the request must be an object\""},
		{"POST", infer, `{"inputs": [{"name": "x", "shape": ["1"]}]}`, nil, 400, "JSON: inputs.shape must be an array of whole numbers\""},
		{"POST", infer, `{"inputs": [{"name": 1}]}`, nil, 400, "JSON: inputs.name must be a text\""},
		{"POST", infer, `{"inputs": [], "parameters": 1}`, nil, 400, "JSON: parameters must be an object\""},
		{"POST", "/predict/format4", `[{"x": true, "z": 1, "c": "ant", "when": null}]`, []string{"Content-Type", "application/json"}, 400, "true is not a number"},
		{"POST", "/predict/format4", "x,z,c,when\nfar,1,ant,\n", []string{"Content-Type", "text/csv"}, 400, "is not a number; mend the value\""},
		{"POST", infer, "", nil, 400, "ends too soon"},
		{"POST", infer, "{}", nil, 400, "no inputs"},
		{"POST", infer, tensors + "}, 1", nil, 400, "follows"},
		{"POST", infer, one("x", "FP65", "[1]", "[1]"), nil, 400, "datatype"},
		{"POST", infer, one("x", "FP64", "[2]", "[1]"), nil, 400, "1 elements"},
		{"POST", infer, one("x", "FP64", "[1]", "[1, 2]"), nil, 400, "more than the 1"},
		{"POST", infer, one("x", "FP64", "[1]", `["1"]`), nil, 400, "is no FP64"},
		{"POST", infer, one("x", "INT8", "[1]", "[128]"), nil, 400, "is no INT8"},
		{"POST", infer, one("x", "FP64", "[-1]", "[1]"), nil, 400, "out of range"},
		{"POST", infer, one("x", "FP64", "[0]", "[]"), nil, 400, "no elements"},
		{"POST", infer, one("x", "FP64", "[2147483647, 2147483647]", "[1]"), nil, 413, "elements"},
		{"POST", infer, one("x", "FP64", "[1]", "[1]"), nil, 400, "is missing"},
		{"POST", infer, one("X", "FP64", "[1]", "[1]"), nil, 400, `did you mean x?`},
		{"POST", infer, one("x", "FP64", "[1, 3]", "[1, 2, 3]"), nil, 400, "4 columns"},
		{"POST", infer, tensors + `, "parameters": {"levle": 0.9}}`, nil, 400, "did you mean level?"},
		{"POST", infer, tensors + `, "parameters": {"level": 2}}`, nil, 400, "above 0 and below 1"},
		{"POST", infer, tensors + `, "parameters": {"level": 0.9, "interval": "conformal"}}`, nil, 400, "conformal"},
		{"POST", infer, tensors + `, "outputs": [{"name": "men"}]}`, nil, 400, "did you mean mean?"},
		{"POST", infer, tensors + `, "parameters": {"quantiles": "0.1,x"}}`, nil, 400, "no number"},
		{"POST", infer, tensors + "}", []string{"Inference-Header-Content-Length", "99999"}, 400, "99999"},
		{"POST", infer, tensors + "}", []string{"Inference-Header-Content-Length", "-1"}, 400, "-1"},
		{"POST", infer, strings.Replace(tensors, `"data": [0.25, 0.5]`, `"parameters": {"binary_data_size": 800}`, 1) + "}", nil, 400, "bytes are left"},
		{"POST", infer, strings.Repeat(" ", 6000), nil, 413, "5000 bytes"},
		{"POST", infer, bomb.String(), []string{"Content-Encoding", "gzip"}, 413, "5000 bytes"},
		{"POST", infer, "this is certainly no gzip", []string{"Content-Encoding", "gzip"}, 400, "packed"},
		{"POST", infer, "{}", []string{"Content-Encoding", "br"}, 415, "gzip or deflate"},
		{"POST", "/predict/format4", "x", []string{"Content-Type", "text/html"}, 415, "text/csv"},
		{"POST", "/predict/format4", `[{"x": 1}]`, []string{"Content-Type", "application/json"}, 400, "row 1, no column"},
		{"POST", "/predict/format4", `[]`, []string{"Content-Type", "application/json"}, 400, "no rows"},
		{"POST", "/predict/format4", `[{"x": "a lot", "z": 1, "c": "ant", "when": null}]`, []string{"Content-Type", "application/json"}, 400, `row 1, column "x": "a lot" is not a number`},
		{"POST", "/predict/format4", "x,z,c,when\n1,2,ant,soon\n", []string{"Content-Type", "text/csv"}, 400, `the body: row 1 (line 2), column "when"`},
		{"POST", "/predict/format4", bomb.String()[:20], []string{"Content-Type", "text/csv"}, 415, "Content-Encoding"},
		{"POST", "/predict/format4?out_of_box=error", `[{"x": 99, "z": 1, "c": "ant", "when": "2024-03-01"}]`, []string{"Content-Type", "application/json"}, 400, "outside the box"},
		{"POST", "/predict/format4?explian=true", `[]`, []string{"Content-Type", "application/json"}, 400, "did you mean explain?"},
		{"POST", "/predict/format1?explain=true", `{"a": 1}`, []string{"Content-Type", "application/json"}, 400, ""},
		{"POST", "/v2/repository/models/format4/load", "", nil, 403, "administrator"},
		{"GET", "/v2", "", []string{"Host", "evil.example"}, 403, "this machine alone"},
		{"POST", "/v2/repository/index", "", []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403, `{"error":"the request comes from a page of another site`},
		{"POST", "/predict/format4?level=0.8&level=0.9", `[]`, []string{"Content-Type", "application/json"}, 400, `parameter "level" stands 2 times`},
		{"POST", "/predict/format4?level=0.8;point=median", `[]`, []string{"Content-Type", "application/json"}, 400, "semicolon"},
		{"POST", "/predict/format4?level=", `[]`, []string{"Content-Type", "application/json"}, 400, `level: "" is no number`},
		{"POST", "/predict/format4?binary_data_output=true", `[]`, []string{"Content-Type", "application/json"}, 400, "unknown"},
		{"POST", "/predict/format4", `[]`, []string{"Content-Type", "application/json; charset=utf-16"}, 415, `charset of the Content-Type is "utf-16"`},
		{"POST", "/predict/format4", `[]`, []string{"Content-Type", "application/json; charset=UTF-8"}, 400, "no rows"},
		{"POST", "/predict/format4", "[{\"x\": \"\xff\"}]", []string{"Content-Type", "application/json"}, 400, "byte 9 of the body is not UTF-8"},
		{"POST", "/predict/format4", `[{"x": 1, "z": 1, "c": "ant", "when": null}, {"x": NaN}]`, []string{"Content-Type", "application/json"}, 400, "row 2, the row is no JSON object: invalid character 'N'"},
		{"POST", "/predict/format4", `[{"x": 1, "z": 1, "c": "ant", "when": null}`, []string{"Content-Type", "application/json"}, 400, "not closed after row 1"},
		{"POST", "/predict/format4", `[{"x": 1, "z": 1, "c": "ant", "when": null}] 1`, []string{"Content-Type", "application/json"}, 400, "something follows"},
		{"POST", "/predict/format4", `{"x": 1, "z": 1, "c": "ant", "when": null} 1`, []string{"Content-Type", "application/json"}, 400, "something follows"},
		{"POST", "/predict/format4", `null`, []string{"Content-Type", "application/json"}, 400, "no array of rows"},
		{"POST", infer, `{"inputs": [{"name": "x", "shape": [1` + strings.Repeat(",1", 40) + `]}]}`, nil, 400, "more than 32 extents"},
		{"POST", infer, `{"inputs": [{"name": "x", "parameters": [1]}]}`, nil, 400, "parameters must be an object"},
		{"POST", infer, `{"inputs": [{}, "never read"]}`, nil, 400, "has no shape"},
		{"POST", infer, tensors + `, "outputs": [{}, "never read"]}`, nil, 400, "output 1 of the request has no name"},
		{"POST", infer, tensors + `, "parameters": {"level": 0.8}, "parameters": {"level": 0.5}}`, nil, 400, `"parameters" stands twice in the request`},
		{"POST", infer + "?level=0.8", tensors + "}", nil, 400, "stands in the query of the address"},
		{"POST", "/v2/models/none/infer", "x", nil, 404, "no model"},
		{"POST", infer, tensors + `, "parameters": {"binary_data_output": "true"}}`, nil, 400, `"true" is neither true nor false`},
		{"POST", infer, tensors + `, "outputs": [{"name": "mean", "parameters": {"binary_data": "yes"}}]}`, nil, 400, `binary_data is "yes"`},
		{"POST", infer, tensors + `, "outputs": [{"name": "mean", "parameters": {"binary_dat": true}}]}`, nil, 400, `"binary_dat" is unknown`},
		{"POST", infer, strings.Replace(tensors, `"bee"`, "\"b\xff\"", 1) + "}", nil, 400, "not UTF-8"},
	} {
		code, _, text := p.ask(c.method, c.path, c.body, c.header...)
		if code != c.code || !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), c.says) {
			t.Errorf("%s %s %.80s: %d %s, want %d with %q", c.method, c.path, c.body, code, text, c.code, c.says)
		}
		if strings.Contains(text, "testdata") || strings.Contains(text, "/tmp") {
			t.Errorf("%s %s tells a path: %s", c.method, c.path, text)
		}
	}
	client := dial(t, p)
	for want, in := range map[codes.Code]*inference.ModelInferRequest{
		codes.NotFound: {ModelName: "none", Inputs: call(false).Inputs}, codes.InvalidArgument: {ModelName: "format4"},
		codes.ResourceExhausted: {ModelName: "format4", Inputs: []*inference.ModelInferRequest_InferInputTensor{{Name: "x", Datatype: "FP64", Shape: []int64{1 << 30}}}},
	} {
		if _, err := client.ModelInfer(context.Background(), in); status.Code(err) != want {
			t.Errorf("want %v: %v", want, err)
		}
	}
}

// Who shows no token, or a wrong one, learns nothing but whether the server runs.
func TestTokens(t *testing.T) {
	tokens, err := guard.NewTokens("0123456789abcdef\nsecond-token-012345", "administrator-123")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, server.Options{Tokens: tokens, Reload: server.ReloadExplicit})
	for _, c := range []struct {
		method, path, token string
		code                int
	}{
		{"GET", "/v2/health/ready", "", 200}, {"GET", "/v2", "", 401}, {"GET", "/nothing", "", 401}, {"GET", "/v2/models/none", "", 401},
		{"GET", "/v2", "Bearer 0123456789abcdeF", 401}, {"GET", "/v2", "Basic 0123456789abcdef", 401}, {"GET", "/v2", "Bearer ", 401},
		{"GET", "/v2", "Bearer 0123456789abcdef", 200}, {"GET", "/v2", "bearer second-token-012345", 200},
		{"POST", "/v2/repository/models/format4/unload", "", 401}, {"POST", "/v2/repository/models/format4/unload", "Bearer 0123456789abcdef", 403},
		{"POST", "/v2/repository/models/format4/unload", "Bearer administrator-123", 200}, {"GET", "/v2/models/format4", "Bearer administrator-123", 503},
		{"GET", "/v2/models/format4/ready", "Bearer administrator-123", 503},
		{"POST", "/v2/repository/models/format4/load", "Bearer administrator-123", 200}, {"GET", "/v2/models/format4", "Bearer administrator-123", 200},
		{"POST", "/v2/repository/models/none/load", "Bearer administrator-123", 404},
		{"POST", "/v2/repository/models/..%2Fformat4/load", "Bearer administrator-123", 404},
	} {
		if code, header, text := p.ask(c.method, c.path, "", "Authorization", c.token); code != c.code || code == 401 && header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s %s with %q: %d %s, want %d", c.method, c.path, c.token, code, text, c.code)
		}
	}
	client := dial(t, p)
	if _, err := client.ServerReady(context.Background(), &inference.ServerReadyRequest{}); err != nil {
		t.Error(err)
	}
	if _, err := client.ModelInfer(context.Background(), call(true)); status.Code(err) != codes.Unauthenticated {
		t.Error(err)
	}
	with := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer 0123456789abcdef")
	if _, err := client.ModelInfer(with, call(true)); err != nil {
		t.Error(err)
	}
	if _, err := client.RepositoryModelUnload(with, &inference.RepositoryModelUnloadRequest{ModelName: "format4"}); status.Code(err) != codes.PermissionDenied {
		t.Error(err)
	}
}

// What would let strangers in is refused before anything listens.
func TestUnsafeOptions(t *testing.T) {
	tokens, _ := guard.NewTokens("0123456789abcdef", "")
	for _, o := range []server.Options{
		{REST: ":8080"}, {REST: "0.0.0.0:8080", Tokens: tokens}, {GRPC: "[::]:8081"}, {REST: "192.0.2.1:1", TLS: guard.TLS{Certificate: "c", Key: "k"}},
		{}, {REST: "127.0.0.1:0", Reload: server.ReloadExplicit}, {REST: "127.0.0.1:0", TLS: guard.TLS{ClientCA: "ca"}}, {REST: "nowhere"},
	} {
		o.Paths = []string{process}
		var wrong *server.OptionError
		if _, err := server.New(o); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// What Prometheus is told agrees with what was asked.
func TestMetrics(t *testing.T) {
	p := start(t, server.Options{})
	for range 3 {
		p.ask("POST", "/v2/models/format4/infer", tensors+`, "parameters": {"out_of_box": "clip"}}`)
	}
	p.ask("GET", "/v2/models/no-such-model", "")
	response, err := http.Get("http://" + p.own.Address("metrics") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	for _, line := range []string{
		`beziergp_requests_total{code="200",model="format4",route="POST /v2/models/{model}/infer"} 3`,
		`beziergp_requests_total{code="404",model="",route="GET /v2/models/{model}"} 1`,
		`beziergp_rows_total{model="format4"} 6`, `beziergp_rows_outside_total{model="format4",reason="new_level"} 3`,
		`beziergp_missing_values_total{model="format4"} 6`, `beziergp_predicted_deviation_count{model="format4"} 6`,
		`beziergp_queue_seconds_count{model="format4"} 3`, `beziergp_models 2`, `beziergp_pending_rows 0`, `beziergp_panics_total 0`,
	} {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	if strings.Contains(string(text), "no-such-model") {
		t.Error("a name of a client's is a label")
	}
}
