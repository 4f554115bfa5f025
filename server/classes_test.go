package server_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"beziergp"
	"beziergp/box"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/server"
	"beziergp/server/rpc/inference"
	"beziergp/table"
	"beziergp/train/auto"
)

// fitted is a model in a file, rows for it and what the library says of them.
type fitted struct {
	*beziergp.Model
	path    string
	columns [][]float64
	want    *model.Predictions
}

var flagged = model.PredictOptions{Policy: box.Flag}

// fit learns a target of three classes, of two, or counts with an exposure. The last of the
// rows lies outside the box.
func fit(t *testing.T, name string) fitted {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 9))
	var x, z, years, y []float64
	for range 120 {
		x, z, years = append(x, rng.Float64()), append(z, rng.Float64()), append(years, 0.5+rng.Float64())
		y = append(y, math.Floor(3*years[len(y)]*math.Exp(x[len(y)]-z[len(y)])*rng.Float64()))
	}
	target := table.Column{Name: "y", Values: y}
	o := beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast, StepsFactor: 0.1, Members: 2, Folds: 2}, Exclude: []string{"years"}}
	switch name {
	case "three":
		target.Kind, target.Levels = table.Category, []string{"none", `"one", or <more>`, "söme"}
		for i := range y {
			y[i] = min(y[i], 2)
		}
	case "two":
		target.Kind = table.Boolean
		for i := range y {
			y[i] = min(y[i], 1)
		}
	default:
		law, err := likelihood.Named("poisson")
		if err != nil {
			t.Fatal(err)
		}
		o.Likelihood, o.Exposure, o.Exclude = law, "years", nil
	}
	tab, err := table.New(table.ColumnOf("x", x), table.ColumnOf("z", z), table.ColumnOf("years", years), target)
	if err != nil {
		t.Fatal(err)
	}
	m, err := beziergp.Fit(context.Background(), tab, "y", o)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted{Model: m, path: filepath.Join(t.TempDir(), name+".bgp")}
	if err := m.Save(f.path); err != nil {
		t.Fatal(err)
	}
	x, z = append(x[:30:30], 7), append(z[:30:30], 0.5)
	years = append(years[:30:30], 1.25)
	rows, err := table.New(table.ColumnOf("x", x), table.ColumnOf("z", z), table.ColumnOf("years", years))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Columns() {
		own, _ := rows.Column(c.Name)
		f.columns = append(f.columns, own)
	}
	if f.want, err = m.Predict(context.Background(), rows, flagged); err != nil {
		t.Fatal(err)
	}
	return f
}

// outputs are what the protocol's outputs are to be, with the names of their columns.
func (f fitted) outputs() map[string][]any {
	all := map[string][]any{}
	for i := range f.want.InBox {
		all["in_box"] = append(all["in_box"], f.want.InBox[i])
		if f.Classes() == nil {
			for name, c := range map[string][]float64{"mean": f.want.Mean, "std": f.want.Std, "lower": f.want.Lower, "upper": f.want.Upper} {
				all[name] = append(all[name], number(c[i]))
			}
			continue
		}
		for _, p := range f.want.Probabilities(i) {
			all["probabilities"] = append(all["probabilities"], number(p))
		}
		class := any(nil)
		if k := f.want.Class(i); k >= 0 {
			class = f.Classes()[k]
		}
		all["class"] = append(all["class"], class)
	}
	return all
}

// number is a number as JSON has it.
func number(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

func numbers(all []float64) (list []any) {
	for _, v := range all {
		list = append(list, number(v))
	}
	return list
}

// elements returns those of a tensor from its bytes.
func elements(datatype string, raw []byte) (list []any) {
	for len(raw) > 0 {
		switch datatype {
		case "BOOL":
			list, raw = append(list, raw[0] != 0), raw[1:]
		case "FP64":
			list, raw = append(list, number(math.Float64frombits(binary.LittleEndian.Uint64(raw)))), raw[8:]
		default:
			n := 4 + binary.LittleEndian.Uint32(raw)
			list, raw = append(list, text(string(raw[4:n]))), raw[n:]
		}
	}
	return list
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (f fitted) check(t *testing.T, way string, got map[string][]any) {
	t.Helper()
	want := f.outputs()
	if len(got) != len(want) {
		t.Errorf("%s: %d outputs, want %d", way, len(got), len(want))
	}
	for name, w := range want {
		if !slices.Equal(got[name], w) {
			t.Errorf("%s: %s is %v, want %v", way, name, got[name], w)
		}
	}
}

// tensor is one of the protocol as JSON has it.
type tensor struct {
	Name       string         `json:"name"`
	Datatype   string         `json:"datatype"`
	Shape      []int          `json:"shape"`
	Data       []any          `json:"data"`
	Parameters map[string]any `json:"parameters"`
}

// call is the request of the rows over gRPC.
func (f fitted) call(name string, raw bool) *inference.ModelInferRequest {
	call := &inference.ModelInferRequest{ModelName: name, Parameters: map[string]*inference.InferParameter{
		"out_of_box": {ParameterChoice: &inference.InferParameter_StringParam{StringParam: "flag"}}}}
	for k, c := range f.columns {
		in := &inference.ModelInferRequest_InferInputTensor{Name: f.Model.Columns()[k].Name, Datatype: "FP64", Shape: []int64{int64(len(c))}}
		if call.Inputs = append(call.Inputs, in); !raw {
			in.Contents = &inference.InferTensorContents{Fp64Contents: c}
			continue
		}
		var bits []byte
		for _, v := range c {
			bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(v))
		}
		call.RawInputContents = append(call.RawInputContents, bits)
	}
	return call
}

// Classes, truth values and counts with an exposure are served with the library's bits, over
// REST and gRPC, as JSON and as bytes.
func TestClassesAndExposureHaveTheLibrarysBits(t *testing.T) {
	models := map[string]fitted{}
	var paths []string
	for _, name := range []string{"three", "two", "counts"} {
		models[name] = fit(t, name)
		paths = append(paths, models[name].path)
	}
	p := start(t, server.Options{Paths: paths})
	client := dial(t, p)
	for name, f := range models {
		n := len(f.columns[0])
		var request struct {
			Inputs     []tensor       `json:"inputs"`
			Parameters map[string]any `json:"parameters"`
		}
		for k, c := range f.columns {
			column := f.Model.Columns()[k].Name
			request.Inputs = append(request.Inputs, tensor{Name: column, Datatype: "FP64", Shape: []int{n}, Data: numbers(c)})
		}
		names := fmt.Sprint(f.Classes())
		for _, inBytes := range []bool{false, true} {
			request.Parameters = map[string]any{"out_of_box": "flag", "binary_data_output": inBytes}
			body, _ := json.Marshal(request)
			code, header, answer := p.ask("POST", "/v2/models/"+name+"/infer", string(body))
			if code != 200 {
				t.Fatal(name, code, answer)
			}
			var response struct{ Outputs []tensor }
			if err := json.NewDecoder(strings.NewReader(answer)).Decode(&response); err != nil {
				t.Fatal(err)
			}
			rest := answer
			if inBytes {
				head := 0
				fmt.Sscan(header.Get("Inference-Header-Content-Length"), &head)
				rest = answer[head:]
			}
			got := map[string][]any{}
			for _, o := range response.Outputs {
				got[o.Name] = o.Data
				if inBytes {
					size := int(o.Parameters["binary_data_size"].(float64))
					got[o.Name], rest = elements(o.Datatype, []byte(rest[:size])), rest[size:]
				}
				if o.Name == "probabilities" && (!slices.Equal(o.Shape, []int{n, len(f.Classes())}) || fmt.Sprint(o.Parameters["classes"]) != names) {
					t.Errorf("%s: probabilities of shape %v, of %v", name, o.Shape, o.Parameters)
				}
			}
			f.check(t, fmt.Sprintf("%s, REST, bytes %v", name, inBytes), got)

			out, err := client.ModelInfer(context.Background(), f.call(name, inBytes))
			if err != nil {
				t.Fatal(name, err)
			}
			got = map[string][]any{}
			for i, o := range out.GetOutputs() {
				switch c := o.GetContents(); {
				case inBytes:
					got[o.GetName()] = elements(o.GetDatatype(), out.GetRawOutputContents()[i])
				case o.GetDatatype() == "BOOL":
					for _, v := range c.GetBoolContents() {
						got[o.GetName()] = append(got[o.GetName()], v)
					}
				case o.GetDatatype() == "BYTES":
					for _, v := range c.GetBytesContents() {
						got[o.GetName()] = append(got[o.GetName()], text(string(v)))
					}
				default:
					got[o.GetName()] = numbers(c.GetFp64Contents())
				}
				if o.GetName() == "probabilities" {
					var told []string
					if err := json.Unmarshal([]byte(o.GetParameters()["classes"].GetStringParam()), &told); err != nil || !slices.Equal(told, f.Classes()) {
						t.Errorf("%s: gRPC names the classes %v (%v)", name, told, err)
					}
				}
			}
			f.check(t, fmt.Sprintf("%s, gRPC, bytes %v", name, inBytes), got)
		}
		f.checkRows(t, p, name)
		f.checkFurther(t, p, client, name)
		f.checkDescription(t, p, name)
	}
}
