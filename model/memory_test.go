package model_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/model"
)

// crafted returns a file of one input of one node and as many orderings of it.
func crafted(t *testing.T, orderings int, weights int) []byte {
	t.Helper()
	numbers := append(make([]float64, orderings+1), 1, 1) // orderings and kind; nodes; average
	head := map[string]any{
		"format": 4, "noise": 1, "out_of_box": "clip",
		"inputs": []any{map[string]any{"name": "x", "hi": 1}}, "target": map[string]any{"name": "y", "sd": 1},
		"bases":  map[string]any{"kinds": []string{"bernstein"}, "kind": [2]int{0, 1}, "nodes": [2]int{orderings + 1, 1}, "averages": [2]int{orderings + 2, 1}},
		"groups": []any{map[string]any{"basis_of_input": [2]int{0, 1}, "order": [2]int{0, orderings}, "part": "mean"}},
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	err = safetensors.Write(&b, map[string]safetensors.Tensor{
		"numbers":       {Shape: []int{len(numbers)}, Wide: numbers},
		"groups.0.mean": {Shape: []int{weights}, Data: make([]float32, weights)},
	}, map[string]string{"beziergp.model": string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// older returns a file of format 3, which has no digest, with this head and so many
// weights.
func older(head string, weights int) []byte {
	text, _ := json.Marshal(map[string]any{
		"__metadata__": map[string]string{"beziergp.model": head},
		"w":            map[string]any{"dtype": "F32", "shape": []int{weights}, "data_offsets": []int{0, 4 * weights}},
	})
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, make([]byte, 4*weights))
}

// Whatever a file says, reading it takes a small multiple of its bytes. What is counted
// is all that is allocated, which is several times what is held at once.
func TestReadingTakesLittleMemory(t *testing.T) {
	const orderings = 50000
	for name, c := range map[string]struct {
		file  []byte
		times int64
		says  string // nothing where the file is a model
	}{
		"many orderings":            {crafted(t, orderings, orderings), 60, ""},
		"orderings without weights": {crafted(t, orderings, 1), 20, "where there can be 1"},
		"weights without orderings": {crafted(t, 1, orderings), 60, "the file holds 50000"},
		"older orderings": {older(`{"format":3,"inputs":[{"name":"x","lo":0,"hi":1}],"groups":[{"bases":[{"kind":"bernstein","nodes":1}],"orderings":[`+
			strings.Repeat("[0],", orderings)+`[0]]}]}`, 1), 60, "more than the 1 tensors"},
		"empty orderings": {older(`{"format":3,"inputs":[{"name":"x"}],"groups":[{"bases":[{"kind":"bernstein","nodes":1}],"orderings":[`+
			strings.Repeat("[],", orderings)+`[]]}]}`, 1), 60, "more than the 1 tensors"},
		"empty groups":             {older(`{"format":3,"inputs":[{"name":"x"}],"groups":[`+strings.Repeat("{},", orderings)+`{}]}`, 1), 60, "no bases"},
		"empty inputs":             {older(`{"format":3,"inputs":[`+strings.Repeat("{},", orderings)+`{}],"groups":[]}`, orderings+1), 60, "no name"},
		"more inputs than weights": {older(`{"format":3,"inputs":[`+strings.Repeat(`{"name":"x"},`, orderings)+`{"name":"x"}],"groups":[]}`, 1), 60, "more than 1 inputs"},
		"empty scalings":           {older(`{"format":3,"inputs":[{"name":"x"}],"groups":[],"variance_process":{"inputs":[`+strings.Repeat("{},", orderings)+`{}]}}`, 1), 60, "group"},
		"huge basis":               {older(`{"format":3,"inputs":[{"name":"x"}],"groups":[{"bases":[{"kind":"indicator","nodes":65536}],"orderings":[]}]}`, 1), 60, "more functions"},
		"huge bases": {older(`{"format":3,"inputs":[`+strings.Repeat(`{"name":"x"},`, 99)+`{"name":"x"}],"groups":[{"bases":[`+
			strings.Repeat(`{"kind":"indicator","nodes":65536},`, 99)+`{"kind":"indicator","nodes":65536}],"orderings":[]}]}`, 100), 60, "more functions"},
	} {
		var m *model.Model
		var err error
		allocated := testkit.Allocated(func() { m, err = model.Read(bytes.NewReader(c.file)) })
		if limit := c.times*int64(len(c.file)) + 4<<20; allocated > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d, want at most %d", name, allocated, len(c.file), limit)
		}
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		allocated = testkit.Allocated(func() {
			p, err := m.NewPredictor(model.PredictOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			var out model.Predictions
			if err := p.Predict(t.Context(), [][]float64{{0.5}}, &out); err != nil {
				t.Fatal(err)
			}
		})
		if allocated > 4<<20 {
			t.Errorf("%s: %d bytes allocated for a prediction", name, allocated)
		}
	}
}

// wide returns a model of many inputs by ranks, as the recipe auto makes them.
func wide(t *testing.T, d int) *model.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	var inputs, wider []box.Input
	var group surface.Group
	widths, ordering := make([]int, d), rng.Perm(d)
	for i := range d {
		values := make([]float64, 700)
		for k := range values {
			values[k] = math.Exp(3 * rng.NormFloat64())
		}
		in, err := box.RankInput(fmt.Sprint("measurement ", i), values)
		if err != nil {
			t.Fatal(err)
		}
		b, err := basis.NewBernstein(3)
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := basis.NewAveraged(b, []float64{0.5, 0.25, 0.25 - float64(i)/1000, float64(i) / 1000})
		if err != nil {
			t.Fatal(err)
		}
		inputs, wider, group.Bases, widths[i] = append(inputs, in), append(wider, in.Widen()), append(group.Bases, averaged), b.Nodes()
	}
	var err error
	if group.Ensemble, err = buttress.New(widths, nil, [][]int{ordering}); err != nil {
		t.Fatal(err)
	}
	group.Part = surface.MeanOnly
	posterior := process(t, group)
	group.Part = surface.VarianceOnly
	m, err := model.New(model.Parts{
		Posterior: posterior, Inputs: inputs, Policy: box.Clip,
		Outputs: []model.Output{{
			Target: box.Target{Name: "y", SD: 1}, Noise: 0.1,
			Epistemic: &model.Auxiliary{Inputs: wider, Surface: process(t, group), Variance: true},
		}},
		Training: model.Training{Options: []byte("{}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func process(t *testing.T, group surface.Group) *surface.Posterior {
	t.Helper()
	s, err := surface.New(group)
	if err != nil {
		t.Fatal(err)
	}
	q, err := surface.NewPosterior(s, make([]float32, s.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A file has a head of a few hundred bytes an input, however its values lie, and every
// list of numbers once: 100,000 inputs fit. A header ends at 100 MB.
func TestHeadsStaySmall(t *testing.T) {
	const d = 60
	m := wide(t, d)
	file := saved(t, m)
	if header := int(binary.LittleEndian.Uint64(file)); header > 500*d+2000 {
		t.Errorf("a header of %d bytes for %d inputs", header, d)
	}
	// 512 knots and 514 more knots and ranks of the variance an input, in float64; the
	// 512 ranks are the same for all. The rest is less than a tenth.
	if need := 8 * (d*(512+514+514) + 512); len(file) > need*11/10 {
		t.Errorf("%d bytes, want hardly more than %d", len(file), need)
	}
	again, err := model.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, again), file) {
		t.Error("the model that was read is written otherwise")
	}
	for i, in := range again.Inputs() {
		if want := m.Inputs()[i]; fmt.Sprint(in) != fmt.Sprint(want) {
			t.Fatalf("input %d: %v, want %v", i, in, want)
		}
	}
}
