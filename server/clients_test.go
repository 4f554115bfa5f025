package server_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"

	"beziergp/box"
	"beziergp/model"
	"beziergp/server"
	"beziergp/server/engine"
	"beziergp/server/guard"
	"beziergp/server/rpc/inference"
)

// The clients of Triton and KServe are understood.
func TestClients(t *testing.T) {
	python := os.Getenv("BEZIERGP_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import tritonclient.http, tritonclient.grpc").Run(); err != nil {
		t.Skip("Python has no tritonclient (pip install 'tritonclient[all]' kserve; BEZIERGP_PYTHON names another Python)")
	}
	tokens, err := guard.NewTokens("", "administrator-123")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, server.Options{Tokens: tokens, Reload: server.ReloadExplicit, Body: 1 << 20, Engine: engine.Options{Lanes: 1, QueueTasks: 1}})
	own, err := proto.Marshal(protodesc.ToFileDescriptorProto(inference.File_inference_proto))
	if err != nil {
		t.Fatal(err)
	}
	descriptor := filepath.Join(t.TempDir(), "descriptor")
	if err := os.WriteFile(descriptor, own, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"testdata/clients.py", p.own.Address("rest"), p.own.Address("grpc"), "administrator-123", "format4", descriptor},
		{"testdata/kserve_client.py", p.own.Address("rest"), "administrator-123", "format4"},
	} {
		if strings.Contains(args[0], "kserve") && exec.Command(python, "-c", "import kserve").Run() != nil {
			t.Log("KServe's client SKIPPED: Python has no kserve")
			continue
		}
		if said, err := exec.Command(python, args...).CombinedOutput(); err != nil || !strings.Contains(string(said), "done") {
			t.Errorf("%s: %v\n%s", args[0], err, said)
		}
	}
}

// What the codecs of MLServer 1.7.1 make of arrays, frames, texts and dates is understood.
func TestMLServersConventions(t *testing.T) {
	p := start(t, server.Options{})
	want := numbers(wanted(t, model.PredictOptions{Policy: box.Clip}).Mean)
	for name, body := range map[string]string{
		"a frame": `{"parameters": {"content_type": "pd", "out_of_box": "clip"}, "inputs": [{"name": "x", "shape": [2, 1], "datatype": "FP64", "data": [0.25, 0.5]},
			{"name": "z", "shape": [2, 1], "datatype": "FP64", "data": [1.0, null]}, {"name": "c", "shape": [2, 1], "datatype": "BYTES", "parameters": {"content_type": "str"}, "data": ["bee", "dodo"]},
			{"name": "when", "shape": [2, 1], "datatype": "BYTES", "parameters": {"content_type": "datetime"}, "data": ["2024-03-01", null]}]}`,
		"arrays": `{"parameters": {"out_of_box": "clip"}, "inputs": [{"name": "x", "shape": [2, 1], "datatype": "FP32", "parameters": {"content_type": "np"}, "data": [0.25, 0.5]},
			{"name": "z", "shape": [2], "datatype": "FP64", "parameters": {"content_type": "np"}, "data": [1.0, null]}, {"name": "c", "shape": [2, 1], "datatype": "BYTES", "data": ["bee", "dodo"]},
			{"name": "when", "shape": [2, 1], "datatype": "BYTES", "data": ["2024-03-01", ""]}]}`,
		"truth values of a number": `{"parameters": {"out_of_box": "clip"}, "inputs": [{"name": "x", "shape": [2], "datatype": "FP64", "data": [0.25, 0.5]},
			{"name": "z", "shape": [2], "datatype": "BOOL", "data": [true, null]}, {"name": "c", "shape": [2], "datatype": "BYTES", "data": ["bee", "dodo"]},
			{"name": "when", "shape": [2], "datatype": "BYTES", "data": ["2024-03-01", ""]}]}`,
	} {
		code, _, text := p.ask("POST", "/v2/models/format4/infer", body)
		var answer struct{ Outputs []tensor }
		if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 200 || answer.Outputs[0].Name != "mean" || !slices.Equal(answer.Outputs[0].Data, want) {
			t.Errorf("%s: %d %s, want %v", name, code, text, want)
		}
	}
	refused := `{"inputs": [{"name": "x", "shape": [1], "datatype": "BYTES", "parameters": {"content_type": "base64"}, "data": ["MC41"]}]}`
	if code, _, text := p.ask("POST", "/v2/models/format4/infer", refused); code != 400 || !strings.Contains(text, "base64") {
		t.Errorf("%d %s", code, text)
	}
}
