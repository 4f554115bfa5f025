package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"beziergp/server/rpc/inference"
	"beziergp/table/exact"
	"beziergp/tablewriter"
)

// checkFurther holds what is told on request alone to the library: prediction sets of classes, and
// probabilities of counts.
func (f fitted) checkFurther(t *testing.T, p *place, client inference.GRPCInferenceServiceClient, name string) {
	t.Helper()
	if f.Classes() == nil {
		f.checkCounts(t, p, client, name)
		return
	}
	least, err := f.LeastProbability(0.8)
	if err != nil {
		t.Fatal(err)
	}
	var within []any
	var texts []string
	sizes := map[int]bool{}
	for i := range f.want.InBox {
		own := f.want.Set(i, least)
		sizes[len(own)] = true
		var names []string
		for k, class := range f.Classes() {
			within = append(within, slices.Contains(own, k))
			if slices.Contains(own, k) {
				names = append(names, class)
			}
		}
		texts = append(texts, strings.Join(names, "|"))
	}
	if len(sizes) < 2 {
		t.Errorf("%s: all sets have one size, which tells little", name)
	}
	shape := []int{len(f.want.InBox), len(f.Classes())}
	for _, c := range []struct {
		parameters, outputs string
		names               []string
	}{
		{`"sets": true, "level": 0.8`, "", []string{"class", "probabilities", "set", "in_box"}},
		{`"level": "0.8"`, `, "outputs": [{"name": "set"}]`, []string{"set"}},
	} {
		names, tensors := f.infer(t, p, name, c.parameters, c.outputs)
		if got := tensors["set"]; !slices.Equal(names, c.names) || got.Datatype != "BOOL" || !slices.Equal(got.Shape, shape) || !slices.Equal(got.Data, within) || fmt.Sprint(got.Parameters["classes"]) != fmt.Sprint(f.Classes()) {
			t.Errorf("%s: %s %s: %v, %+v, want %v", name, c.parameters, c.outputs, names, got, within)
		}
	}
	for _, raw := range []bool{false, true} {
		in := f.call(name, raw)
		in.Parameters["level"] = &inference.InferParameter{ParameterChoice: &inference.InferParameter_DoubleParam{DoubleParam: 0.8}}
		in.Parameters["sets"] = &inference.InferParameter{ParameterChoice: &inference.InferParameter_BoolParam{BoolParam: true}}
		in.Outputs = []*inference.ModelInferRequest_InferRequestedOutputTensor{{Name: "set"}}
		out, err := client.ModelInfer(context.Background(), in)
		if err != nil {
			t.Fatal(name, err)
		}
		var got []any
		if raw {
			got = elements("BOOL", out.GetRawOutputContents()[0])
		} else {
			for _, v := range out.GetOutputs()[0].GetContents().GetBoolContents() {
				got = append(got, v)
			}
		}
		if !slices.Equal(got, within) {
			t.Errorf("%s: gRPC, raw %v: %v, want %v", name, raw, got, within)
		}
	}
	var likely []string
	for i := range f.want.InBox {
		likely = append(likely, "")
		if k := f.want.Class(i); k >= 0 {
			likely[i] = f.Classes()[k]
		}
	}
	names, columns := []string{"class"}, []*exact.Column{exact.Texts(likely)}
	for k, class := range f.Classes() {
		var own []float64
		for i := range f.want.InBox {
			own = append(own, f.want.Probabilities(i)[k])
		}
		names, columns = append(names, "p_"+class), append(columns, exact.Numbers(own))
	}
	f.asCSV(t, p, name, "sets=true&level=0.8", append(names, "set80", "in_box"), append(columns, exact.Texts(texts), exact.Truths(f.want.InBox)))
	f.refuses(t, p, name, "class", "probabilities=0", "level=0.8", "sets=false&level=0.8", "sets=true&quantiles=0.5")
	f.refuses(t, p, name, "sets", "sets=perhaps")
}

func (f fitted) checkCounts(t *testing.T, p *place, client inference.GRPCInferenceServiceClient, name string) {
	t.Helper()
	probability := func(count int) (all []float64) {
		for i, mean := range f.want.Mean {
			v := math.NaN()
			if !math.IsNaN(mean) {
				v = math.Exp(f.want.Distribution(i).LogDensity(float64(count)))
			}
			all = append(all, v)
		}
		return all
	}
	for _, c := range []struct {
		parameters, outputs string
		names               []string
	}{
		{`"probabilities": [0, 2]`, "", []string{"mean", "std", "lower", "upper", "in_box", "p0", "p2"}},
		{`"probabilities": "2"`, `, "outputs": [{"name": "p0"}, {"name": "p2"}]`, []string{"p0", "p2"}},
	} {
		names, tensors := f.infer(t, p, name, c.parameters, c.outputs)
		if !slices.Equal(names, c.names) || !slices.Equal(tensors["p0"].Data, numbers(probability(0))) || !slices.Equal(tensors["p2"].Data, numbers(probability(2))) {
			t.Errorf("%s: %s %s: %v, %v", name, c.parameters, c.outputs, names, tensors)
		}
	}
	in := f.call(name, false)
	in.Parameters["probabilities"] = &inference.InferParameter{ParameterChoice: &inference.InferParameter_StringParam{StringParam: "1, 3"}}
	out, err := client.ModelInfer(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if last := out.GetOutputs()[len(out.GetOutputs())-1]; last.GetName() != "p3" || !slices.Equal(numbers(last.GetContents().GetFp64Contents()), numbers(probability(3))) {
		t.Errorf("%s: gRPC: %v, want %v", name, last, probability(3))
	}
	f.asCSV(t, p, name, "probabilities=0,1", []string{"mean", "std", "lower", "upper", "in_box", "p0", "p1"},
		[]*exact.Column{exact.Numbers(f.want.Mean), exact.Numbers(f.want.Std), exact.Numbers(f.want.Lower), exact.Numbers(f.want.Upper), exact.Truths(f.want.InBox), exact.Numbers(probability(0)), exact.Numbers(probability(1))})
	f.refuses(t, p, name, "probabilities", "probabilities=-1", "probabilities=1.5", "probabilities=1,1", "probabilities=x", "probabilities=1e300")
	f.refuses(t, p, name, "no classes", "sets=true")
}

// infer asks for the rows as JSON, and returns the outputs, whose names are in order.
func (f fitted) infer(t *testing.T, p *place, name, parameters, outputs string) (names []string, all map[string]tensor) {
	t.Helper()
	var inputs []tensor
	for k, c := range f.columns {
		inputs = append(inputs, tensor{Name: f.Model.Columns()[k].Name, Datatype: "FP64", Shape: []int{len(c)}, Data: numbers(c)})
	}
	text, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	code, _, answer := p.ask("POST", "/v2/models/"+name+"/infer", fmt.Sprintf(`{"inputs": %s, "parameters": {"out_of_box": "flag", %s}%s}`, text, parameters, outputs))
	var response struct{ Outputs []tensor }
	if err := json.Unmarshal([]byte(answer), &response); err != nil || code != 200 {
		t.Fatal(name, code, answer, err)
	}
	all = map[string]tensor{}
	for _, o := range response.Outputs {
		names, all[o.Name] = append(names, o.Name), o
	}
	return names, all
}

// asCSV holds rows as CSV to columns.
func (f fitted) asCSV(t *testing.T, p *place, name, query string, names []string, columns []*exact.Column) {
	t.Helper()
	var header []string
	var inputs []*exact.Column
	for k, c := range f.columns {
		header, inputs = append(header, f.Model.Columns()[k].Name), append(inputs, exact.Numbers(c))
	}
	var body, want bytes.Buffer
	if err := tablewriter.Write(&body, tablewriter.CSV, header, inputs); err != nil {
		t.Fatal(err)
	}
	if err := tablewriter.Write(&want, tablewriter.CSV, names, columns); err != nil {
		t.Fatal(err)
	}
	if code, _, got := p.ask("POST", "/predict/"+name+"?out_of_box=flag&"+query, body.String(), "Content-Type", "text/csv"); code != 200 || got != want.String() {
		t.Errorf("%s, %s: %d %.300q, want %.300q", name, query, code, got, want.String())
	}
}

// refuses holds that queries are refused, and that the reason is told.
func (f fitted) refuses(t *testing.T, p *place, name, says string, queries ...string) {
	t.Helper()
	row := map[string]any{}
	for k, c := range f.columns {
		row[f.Model.Columns()[k].Name] = c[0]
	}
	body, _ := json.Marshal(row)
	for _, query := range queries {
		if code, _, text := p.ask("POST", "/predict/"+name+"?"+query, string(body), "Content-Type", "application/json"); code != 400 || !strings.Contains(text, says) {
			t.Errorf("%s, %s: %d %s", name, query, code, text)
		}
	}
}
