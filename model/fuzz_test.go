package model_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// FuzzRead mutates whole files, FuzzHead the JSON that describes a model, with
// tensors that fit the one it starts from.
func FuzzRead(f *testing.F) {
	m, _ := fixture(f)
	good := saved(f, m)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(saved(f, shaped(f)))
	f.Add(saved(f, changed(f, func(o *model.Output) {
		o.DensityRatio = ratio(f, 3e37) // no number
	})))
	for _, older := range []string{"format1", "format2", "format3", "format4"} {
		file, err := os.ReadFile(filepath.Join("testdata", older+".bgp"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) { use(t, testkit.Seal(data)) })
}

// FuzzBundle mutates files of models of several targets, and the JSON that describes them.
func FuzzBundle(f *testing.F) {
	one, err := model.Load("testdata/format4.bgp")
	if err != nil {
		f.Fatal(err)
	}
	other := changed(f, func(o *model.Output) { o.Target.Name = "another" })
	b, err := model.NewBundle(one, other)
	if err != nil {
		f.Fatal(err)
	}
	var whole bytes.Buffer
	if err := b.Write(&whole); err != nil {
		f.Fatal(err)
	}
	const key = "beziergp.outputs"
	file, err := safetensors.Read(bytes.NewReader(whole.Bytes()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes(), "")
	f.Add([]byte(nil), file.Metadata[key])
	f.Fuzz(func(t *testing.T, data []byte, head string) {
		if head != "" {
			var b bytes.Buffer
			if err := safetensors.Write(&b, file.Tensors, map[string]string{key: head}); err != nil {
				t.Skip(err)
			}
			data = b.Bytes()
		}
		read, err := model.ReadBundle(bytes.NewReader(testkit.Seal(data)))
		if err != nil {
			return
		}
		for _, m := range read.Models() {
			var own bytes.Buffer
			if err := m.Write(&own); err == nil {
				use(t, own.Bytes())
			}
		}
	})
}

func FuzzHead(f *testing.F) {
	m, _ := fixture(f)
	file, err := safetensors.Read(bytes.NewReader(saved(f, m)))
	if err != nil {
		f.Fatal(err)
	}
	head := file.Metadata["beziergp.model"]
	f.Add(head)
	for old, new := range map[string]string{
		`"order":[`: `"order":[1`, `"bernstein"`: `"indicator"`, `"lo":10`: `"lo":30`, `"bases":{`: `"bases":{"kinds":["spline"],`,
	} {
		f.Add(strings.Replace(head, old, new, 1))
	}
	f.Fuzz(func(t *testing.T, head string) {
		var b bytes.Buffer
		if err := safetensors.Write(&b, file.Tensors, map[string]string{"beziergp.model": head}); err != nil {
			t.Skip(err)
		}
		use(t, b.Bytes())
	})
}

// use reads a model and predicts with it, if it is one.
func use(t *testing.T, file []byte) {
	m, err := model.Read(bytes.NewReader(file))
	if err != nil {
		return
	}
	columns := make([][]float64, len(m.Columns()))
	for i, c := range m.Columns() {
		columns[i] = []float64{0, 1, math.NaN()}
		if c.Kind == table.Category {
			columns[i] = []float64{0, float64(c.Other()), math.NaN()}
		}
	}
	p, err := m.NewPredictor(model.PredictOptions{Workers: 1})
	if err != nil {
		t.Fatalf("a model that was read does not predict: %v", err)
	}
	defer p.Close()
	var out model.Predictions
	if err := p.Predict(context.Background(), columns, &out); err != nil {
		return
	}
	for row, mean := range out.Mean {
		// Either nothing is said of a row, which the policy wants, or all is a number.
		none := m.Policy() == box.Flag && !out.InBox[row]
		for _, v := range []float64{mean, out.Point[row], out.Std[row], out.StdF[row], out.Lower[row], out.Upper[row]} {
			if math.IsInf(v, 0) || math.IsNaN(v) != none {
				t.Fatalf("row %d: %g ± %g in [%g, %g]", row, mean, out.Std[row], out.Lower[row], out.Upper[row])
			}
		}
	}
}
