package explain_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"beziergp/explain"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

func TestGradientsAreCentralDifferencesOfPredictions(t *testing.T) {
	w := newWorld(t, shape{d: 9, dates: 1, splines: true, r: 3, part: surface.Whole}, 12)
	const n = 20
	x := w.rows(n, 9, 13)
	e, err := explain.NewGradient(w.Model, explain.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var got explain.Gradients
	if err := e.Gradients(context.Background(), x, &got); err != nil {
		t.Fatal(err)
	}
	predict := func(columns [][]float64) *model.Predictions {
		p, err := w.Predict(context.Background(), w.table(t, columns), model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for k, f := range w.Columns() {
		h, unit := 0.001, 1.0
		switch f.Kind {
		case table.Category:
			for p := range n {
				if v := got.Mean[p*len(x)+k]; !math.IsNaN(v) {
					t.Errorf("row %d: a category has a derivative, %g", p, v)
				}
			}
			continue
		case table.DateTime:
			h, unit = 60, 86400 // a minute: an hour of the day counts
		}
		high, low := slices.Clone(x), slices.Clone(x)
		high[k], low[k] = slices.Clone(x[k]), slices.Clone(x[k])
		for p := range n {
			high[k][p] += h
			low[k][p] -= h
		}
		up, down := predict(high), predict(low)
		for p := range n {
			mean, std := got.Mean[p*len(x)+k], got.Std[p*len(x)+k]
			if math.IsNaN(x[k][p]) {
				if !math.IsNaN(mean) || !math.IsNaN(std) {
					t.Errorf("row %d, column %d: a missing value has a derivative", p, k)
				}
				continue
			}
			if kink(w, k, low[k][p], high[k][p]) {
				continue
			}
			width := (high[k][p] - low[k][p]) / unit
			testkit.Close(t, "mean by "+f.Name, mean, (up.Mean[p]-down.Mean[p])/width, 0.01, 0.02)
			testkit.Close(t, "std by "+f.Name, std, (up.StdF[p]-down.StdF[p])/width, 0.01, 0.02)
		}
	}
}

// kink tells whether a scaling has one between two values of a column, or ends there.
func kink(w *world, column int, low, high float64) bool {
	for _, in := range w.inputs {
		if in.Source() == w.Columns()[column].Name && (in.Slope(low) != in.Slope(high) || in.Of(low) > in.Of(high)) {
			return true
		}
	}
	return false
}
