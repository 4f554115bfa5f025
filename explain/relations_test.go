package explain_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"beziergp/box"
	"beziergp/explain"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
)

// A column that f does not depend on adds nothing, and the indices of two columns that do not
// act together are zero: where all weights into a layer's nodes are the same, and out of them.
func TestANullColumnAddsNothing(t *testing.T) {
	w := newWorld(t, shape{d: 6, r: 1}, 20)
	const null = 3
	for g, own := range w.groups {
		weights := w.Posterior().Mean(w.params, g)
		for k, ordering := range own.Ensemble.Orderings() {
			layer, rows := own.Ensemble.Weights(weights, k), 1
			for at, input := range ordering {
				cols := own.Ensemble.Widths()[input]
				for i := range rows {
					for j := range cols {
						if input == null {
							layer[i*cols+j] = layer[i*cols]
						}
						if at > 0 && ordering[at-1] == null {
							layer[i*cols+j] = layer[j]
						}
					}
				}
				layer, rows = layer[rows*cols:], cols
			}
		}
	}
	x := w.rows(10, 0, 21)
	got := explainAll(t, w.Model, x, explain.Options{Interactions: true})
	for p := range 10 {
		testkit.Close(t, "null column", got.Values[p*6+null], 0, 0, 1e-6*deviation)
		for k, pair := range explain.Pairs(6) {
			if pair[0] == null || pair[1] == null {
				testkit.Close(t, "interaction with a null column", got.Interactions[p*15+k], 0, 0, 1e-5*deviation)
			}
		}
	}
}

// A row against itself has no values.
func TestARowAgainstItselfHasNoValues(t *testing.T) {
	w := newWorld(t, shape{d: 7, dates: 1, splines: true, r: 2}, 22)
	x := w.rows(1, 0, 23)
	got := explainAll(t, w.Model, x, explain.Options{Background: w.table(t, x)})
	testkit.Close(t, "base", got.Base, got.Prediction[0], 1e-7, 0)
	for j, v := range got.Values {
		testkit.Close(t, "value "+got.Columns[j], v, 0, 0, 1e-6*deviation)
	}
}

func TestBadInput(t *testing.T) {
	w := newWorld(t, shape{d: 4, r: 1}, 24)
	x := w.rows(3, 0, 25)
	var bad *limit.OptionError
	for what, o := range map[string]explain.Options{
		"tolerance": {Tolerance: -1}, "no number": {Tolerance: math.NaN()}, "workers": {Workers: -1},
		"policy": {Policy: "maybe"}, "extrapolation": {Policy: box.Extrapolate},
		"background": {Background: w.table(t, w.rows(0, 0, 1))},
	} {
		if _, err := explain.New(w.Model, o); !errors.As(err, &bad) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	x[0][1] = math.Inf(1)
	e, err := explain.New(w.Model, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var out explain.Attributions
	var value *box.ValueError
	if err := e.Explain(context.Background(), x, &out); !errors.As(err, &value) || value.Row != 2 {
		t.Errorf("an infinite value: error %v", err)
	}
	x[0][1] = 5 // beyond the box
	refuse, err := explain.New(w.Model, explain.Options{Policy: box.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	defer refuse.Close()
	var outside *box.OutsideError
	if err := refuse.Explain(context.Background(), x, &out); !errors.As(err, &outside) || outside.Row != 2 {
		t.Errorf("a row outside: error %v", err)
	}
	got := explainAll(t, w.Model, x, explain.Options{Policy: box.Flag, Interactions: true})
	for j := range 4 {
		if v := got.Values[4+j]; !math.IsNaN(v) || math.IsNaN(got.Values[j]) {
			t.Errorf("flagged: column %d has %g", j, v)
		}
	}
	if !math.IsNaN(got.Prediction[1]) || !(got.Additivity < 1e-5) {
		t.Errorf("flagged: prediction %g, additivity %g", got.Prediction[1], got.Additivity)
	}
	none := explainAll(t, w.Model, w.rows(0, 0, 1), explain.Options{})
	if len(none.Values) != 0 || len(none.Prediction) != 0 {
		t.Errorf("no rows have %d values", len(none.Values))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Explain(ctx, w.rows(3, 0, 1), &out); !errors.Is(err, context.Canceled) {
		t.Errorf("told to stop: error %v", err)
	}
}
