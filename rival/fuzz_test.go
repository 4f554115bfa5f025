package rival_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"beziergp/box"
	"beziergp/internal/safetensors"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/rival"
)

// FuzzRead mutates whole files, FuzzHead the JSON that describes a model of a method,
// with tensors that fit the one it starts from.
func FuzzRead(f *testing.F) {
	for _, m := range all(f, people(30)) {
		good := saved(f, m)
		f.Add(good)
		f.Add(good[:len(good)-1])
	}
	f.Fuzz(func(t *testing.T, data []byte) { use(t, testkit.Seal(data)) })
}

func FuzzHead(f *testing.F) {
	files := map[uint8]map[string]safetensors.Tensor{}
	models := all(f, people(30))
	for i, m := range rival.Methods() {
		file, err := safetensors.Read(bytes.NewReader(saved(f, models[m.Name])))
		if err != nil {
			f.Fatal(err)
		}
		files[uint8(i)] = file.Tensors
		f.Add(uint8(i), file.Metadata["beziergp.rival"])
	}
	f.Fuzz(func(t *testing.T, method uint8, head string) {
		var b bytes.Buffer
		if err := safetensors.Write(&b, files[method], map[string]string{"beziergp.rival": head}); err != nil {
			t.Skip(err)
		}
		use(t, b.Bytes())
	})
}

// use reads a model and predicts with it, if it is one.
func use(t *testing.T, file []byte) {
	m, err := rival.Read(bytes.NewReader(file))
	if err != nil {
		return
	}
	columns := make([][]float64, len(m.Columns()))
	for i := range columns {
		columns[i] = []float64{0, 1, math.NaN()}
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
		if math.IsNaN(mean) != math.IsNaN(out.Std[row]) || math.IsNaN(mean) && (m.Policy() != box.Flag || out.InBox[row]) {
			t.Fatalf("row %d: %g ± %g", row, mean, out.Std[row])
		}
	}
}
