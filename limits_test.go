package beziergp_test

import (
	"errors"
	"testing"

	"beziergp"
	"beziergp/rival/method"
	"beziergp/rival/method/deepgp"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/knn"
	"beziergp/rival/method/linear"
	"beziergp/rival/method/sgpr"
	"beziergp/rival/method/simplex"
	"beziergp/rival/method/svgp"
)

// Counts above all reason are refused as options, before anything of their size is made.
func TestCountsAboveAllReason(t *testing.T) {
	const huge = 1<<63 - 1
	rows, err := beziergp.NewTable(
		beziergp.Column{Name: "x", Values: []float64{0, 1, 2, 3}},
		beziergp.Column{Name: "y", Values: []float64{0, 2, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		method  method.Method
		workers int
	}{
		"workers":    {linear.Method{}, huge},
		"no workers": {linear.Method{}, -1},
		"points":     {sgpr.Method{Inducing: 100_000}, 1},
		"steps":      {sgpr.Method{Steps: huge}, 1},
		"exact":      {exact.Method{Steps: huge}, 1},
		"svgp":       {svgp.Method{Inducing: huge}, 1},
		"deepgp":     {deepgp.Method{Inducing: huge}, 1},
		"layers":     {deepgp.Method{Layers: 4}, 1},
		"batch":      {svgp.Method{Batch: -1}, 1},
		"simplex":    {simplex.Method{Steps: huge}, 1},
		"draws":      {simplex.Method{Draws: 1 << 20}, 1},
		"neighbours": {knn.Method{Neighbours: []int{huge}}, 1},
	} {
		_, err := beziergp.FitRival(t.Context(), rows, "y", c.method, beziergp.RivalOptions{Workers: c.workers})
		var refused *beziergp.OptionError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", what, err)
		}
	}
	m, err := beziergp.FitRival(t.Context(), rows, "y", linear.Method{}, beziergp.RivalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{-1, 1025, huge} {
		var refused *beziergp.OptionError
		if _, err := m.Predict(t.Context(), rows, beziergp.PredictOptions{Workers: workers}); !errors.As(err, &refused) {
			t.Errorf("prediction by %d workers: %v", workers, err)
		}
	}
}
