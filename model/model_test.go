package model_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// fixture returns a model with random weights over the inputs a in [10, 30] and
// b in [-1, 1], and the same process for enumeration.
func fixture(t testing.TB) (*model.Model, testkit.Process) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	orders := []int{3, 2}
	o := testkit.Process{
		Widths: []int{4, 3}, Orderings: [][]int{{0, 1}, {1, 0}},
		Basis: func(input int, x float64) []float64 { return testkit.Bernstein(orders[input], x) },
	}
	var bases []basis.Basis
	for _, order := range orders {
		b, err := basis.NewBernstein(order)
		if err != nil {
			t.Fatal(err)
		}
		prior, err := b.PriorVariance()
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := basis.NewAveraged(b, b.Mean())
		if err != nil {
			t.Fatal(err)
		}
		bases, o.Prior = append(bases, averaged), append(o.Prior, prior)
	}
	e, err := buttress.New(o.Widths, nil, o.Orderings)
	if err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(surface.Group{Bases: bases, Ensemble: e})
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.5 * rng.NormFloat64())
	}
	for k := range o.Orderings {
		o.W, o.V = append(o.W, e.Weights(s.Mean(params, 0), k)), append(o.V, e.Weights(s.Variance(params, 0), k))
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(model.Parts{
		Posterior: q,
		Inputs:    []box.Input{{Name: "a", Lo: 10, Hi: 30}, {Name: "b", Lo: -1, Hi: 1, Declared: true}},
		Outputs:   []model.Output{{Target: box.Target{Name: "y", Mean: 100, SD: 5}, Noise: 0.04}},
		Policy:    box.Clip,
		Training:  model.Training{Recipe: "paper", Options: []byte(`{"steps":3}`), Rows: 9},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, o
}

func newTable(t testing.TB, columns ...table.Column) *table.Table {
	t.Helper()
	tab, err := table.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// rows has its columns in another order than the model, and one more.
func rows(t testing.TB) *table.Table {
	return newTable(t,
		table.Column{Name: "b", Values: []float64{0, 1, -1, 0.5, 3}},
		table.Column{Name: "other", Values: []float64{1, 2, 3, 4, 5}},
		table.Column{Name: "a", Values: []float64{10, 15, 20, 30, 30}})
}

func predict(t testing.TB, m *model.Model, tab *table.Table, o model.PredictOptions) *model.Predictions {
	t.Helper()
	p, err := m.Predict(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPredictAgreesWithEnumeration(t *testing.T) {
	m, o := fixture(t)
	p := predict(t, m, rows(t), model.PredictOptions{})
	unit := [][]float64{{0, 0.5}, {0.25, 1}, {0.5, 0}, {1, 0.75}, {1, 1}}
	for row, x := range unit {
		variance := o.Covariance(x, x)
		mean, std := 100+5*o.Mean(x), 5*math.Sqrt(variance+0.04)
		testkit.Close(t, "mean", p.Mean[row], mean, 1e-6, 0)
		testkit.Close(t, "deviation of f", p.StdF[row], 5*math.Sqrt(variance), 1e-5, 0)
		testkit.Close(t, "deviation of y", p.Std[row], std, 1e-5, 0)
		testkit.Close(t, "lower", p.Lower[row], mean-1.959963985*std, 1e-5, 0)
		testkit.Close(t, "upper", p.Upper[row], mean+1.959963985*std, 1e-5, 0)
		if p.InBox[row] != (row != 4) {
			t.Errorf("row %d in the box: %v", row, p.InBox[row])
		}
	}
	a, b := rows(t), newTable(t, table.Column{Name: "a", Values: []float64{12, 28}}, table.Column{Name: "b", Values: []float64{0, 0.1}})
	cov, err := m.Covariance(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range unit {
		for j, z := range [][]float64{{0.1, 0.5}, {0.9, 0.55}} {
			testkit.Close(t, fmt.Sprint("covariance ", i, j), cov.At(i, j), 25*o.Covariance(x, z), 1e-5, 1e-12)
		}
	}
	self, err := m.Covariance(context.Background(), a, a)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range p.StdF {
		testkit.Close(t, "variance of f", self.At(i, i), f*f, 1e-5, 0)
	}
}

func TestOutOfBoxPolicies(t *testing.T) {
	m, _ := fixture(t)
	clipped := predict(t, m, rows(t), model.PredictOptions{})
	flagged := predict(t, m, rows(t), model.PredictOptions{Policy: box.Flag})
	if !math.IsNaN(flagged.Mean[4]) || !math.IsNaN(flagged.Std[4]) || !math.IsNaN(flagged.Lower[4]) || flagged.InBox[4] {
		t.Errorf("flagged row: %g ± %g", flagged.Mean[4], flagged.Std[4])
	}
	if !slices.Equal(flagged.Mean[:4], clipped.Mean[:4]) {
		t.Error("the policy moves rows inside the box")
	}
	_, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Policy: box.Refuse})
	var outside *box.OutsideError
	if !errors.As(err, &outside) || outside.Row != 5 || outside.Input.Name != "b" {
		t.Errorf("error %v", err)
	}
	if _, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Policy: "maybe"}); err == nil {
		t.Error("an unknown policy is accepted")
	}
}

func TestPredictRefuses(t *testing.T) {
	m, _ := fixture(t)
	_, err := m.Predict(context.Background(), newTable(t, table.Column{Name: "a", Values: []float64{1}}), model.PredictOptions{})
	var unknown *table.UnknownError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("error %v", err)
	}
	if _, err := m.Predict(context.Background(), rows(t), model.PredictOptions{Workers: -1}); err == nil {
		t.Error("-1 workers are accepted")
	}
}

// Blocks of a stream, workers and concurrent callers change no bit.
func TestStreamingChangesNothing(t *testing.T) {
	m, _ := fixture(t)
	rng := rand.New(rand.NewPCG(2, 1))
	columns := [][]float64{nil, nil}
	for range 1000 {
		columns[0] = append(columns[0], 10+20*rng.Float64())
		columns[1] = append(columns[1], -1+2.1*rng.Float64())
	}
	whole := predict(t, m, newTable(t, table.Column{Name: "a", Values: columns[0]}, table.Column{Name: "b", Values: columns[1]}), model.PredictOptions{Workers: 1})
	var wg sync.WaitGroup
	for _, block := range []int{1, 100, 333, 1000} {
		wg.Go(func() {
			p, err := m.NewPredictor(model.PredictOptions{Workers: 3})
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			var out model.Predictions
			var mean, std []float64
			for from := 0; from < 1000; from += block {
				to := min(from+block, 1000)
				if err := p.Predict(context.Background(), [][]float64{columns[0][from:to], columns[1][from:to]}, &out); err != nil {
					t.Error(err)
					return
				}
				mean, std = append(mean, out.Mean...), append(std, out.Std...)
			}
			if !slices.Equal(mean, whole.Mean) || !slices.Equal(std, whole.Std) {
				t.Errorf("blocks of %d change predictions", block)
			}
			count := 0
			for _, inside := range whole.InBox {
				if !inside {
					count++
				}
			}
			if p.Rows() != 1000 || p.Outside()[0] != 0 || p.Outside()[1] != count || count == 0 {
				t.Errorf("%d rows, outside %v, want %d", p.Rows(), p.Outside(), count)
			}
			// Errors count rows over all blocks.
			err = p.Predict(context.Background(), [][]float64{{20, math.Inf(1)}, {0, 0}}, &out)
			var value *box.ValueError
			if !errors.As(err, &value) || value.Row != 1002 {
				t.Errorf("error %v", err)
			}
		})
	}
	wg.Wait()
}
