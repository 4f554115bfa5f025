package model_test

import (
	"context"
	"reflect"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
	"beziergp/model"
	"beziergp/predictive"
)

// valuesOf are those of the model's own surfaces at the rows of the fixture.
func valuesOf(t *testing.T, m *model.Model) model.Values {
	t.Helper()
	mapping, pool, tab := box.New(m.Inputs()), simd.NewPool(1), rows(t)
	defer pool.Close()
	columns, err := mapping.Pick(tab)
	if err != nil {
		t.Fatal(err)
	}
	n, o := tab.Rows(), m.Output()
	x := make([]float32, 2*n)
	if err := mapping.Map(x, columns, box.Clip, make([]bool, n), make([]int, 2)); err != nil {
		t.Fatal(err)
	}
	v := model.Values{Mean: make([]float64, n), Variance: make([]float64, n), LogNoise: make([]float64, n), LogRatio: make([]float64, n*predictive.Nodes), Noise: o.Noise}
	ctx := context.Background()
	if err := surface.NewEvaluator(m.Posterior(), pool).Moments(ctx, x, v.Mean, v.Variance); err != nil {
		t.Fatal(err)
	}
	o.Limits.Clamp(v.Mean)
	if err := o.LogNoise.NewEvaluator(pool).Values(ctx, x, v.Mean, v.LogNoise); err != nil {
		t.Fatal(err)
	}
	if err := o.DensityRatio.NewEvaluator(pool).Values(ctx, x, v.Mean, v.LogRatio); err != nil {
		t.Fatal(err)
	}
	return v
}

// Of the values of its own surfaces a model makes the predictions that it makes itself, and
// of another noise others.
func TestPredictionsOfValues(t *testing.T) {
	m := changed(t, func(o *model.Output) {
		o.Tails, o.Conformal, o.DensityRatio, o.LogNoise = 4, 2.5, ratio(t, 3), varying(t, 0.5)
		o.Limits, o.VarianceScale = &model.Limits{Lo: -1, Hi: 1, Variance: 0.1}, 0.7
		o.Target.Range = &predictive.Range{Lo: 90, Hi: 200}
	})
	v := valuesOf(t, m)
	for _, interval := range []model.Interval{model.PredictiveInterval, model.ConformalInterval} {
		o := model.PredictOptions{Interval: interval, Point: model.MedianPoint}
		want := predict(t, m, rows(t), o)
		got, err := m.PredictValues(v, o)
		if err != nil {
			t.Fatal(err)
		}
		inside := *want
		inside.InBox = []bool{true, true, true, true, true} // of values nobody knows another
		for row := range inside.Clamped {
			free := model.ClampedInputs | model.ClampedMean
			inside.Clamped[row] &^= free
			got.Clamped[row] &^= free
		}
		if !reflect.DeepEqual(got, &inside) {
			t.Errorf("%s: %+v, want %+v", interval, got, inside)
		}
	}
	v.Noise *= 4
	louder, err := m.PredictValues(v, model.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, scale := range predict(t, m, rows(t), model.PredictOptions{}).Scale {
		if !(louder.Scale[row] > scale) {
			t.Errorf("row %d: scale %g of a noise four times %g", row, louder.Scale[row], scale)
		}
	}
}

// Values out of fold have a law of their own where that of the model is of an average.
func TestPredictionsOfValuesOfAnotherLaw(t *testing.T) {
	m, _ := fixture(t)
	target := m.Target()
	target.Mean, target.SD = 0, 1
	m, err := model.New(model.Parts{
		Posterior: m.Posterior(), Inputs: m.Inputs(), Policy: box.Clip,
		Outputs: []model.Output{{Target: target, Noise: 1, Likelihood: likelihood.NewLaw(likelihood.Gamma{Shape: 9}, 0)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	v := model.Values{Mean: []float64{0.3}, Variance: []float64{0.01}, Noise: 1}
	var widths []float64
	for _, law := range []likelihood.Likelihood{nil, likelihood.NewLaw(likelihood.Gamma{Shape: 9}, 0), likelihood.NewLaw(likelihood.Gamma{Shape: 4}, 0)} {
		v.Likelihood = law
		p, err := m.PredictValues(v, model.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		widths = append(widths, p.Upper[0]-p.Lower[0])
	}
	if widths[0] != widths[1] || !(widths[2] > 1.2*widths[0]) {
		t.Errorf("intervals of widths %v", widths)
	}
}

func TestPredictionsOfOtherValues(t *testing.T) {
	plain, _ := fixture(t)
	if _, err := plain.PredictValues(model.Values{Mean: []float64{0}, Variance: []float64{1}, Noise: 1}, model.PredictOptions{Interval: model.ConformalInterval}); err == nil {
		t.Error("there is a conformal interval")
	}
	for name, v := range map[string]model.Values{
		"no variance": {Mean: []float64{0}},
		"noise":       {Mean: []float64{0}, Variance: []float64{1}, LogNoise: []float64{1}},
		"ratio":       {Mean: []float64{0}, Variance: []float64{1}, LogRatio: make([]float64, predictive.Nodes)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it does not panic", name)
				}
			}()
			_, _ = plain.PredictValues(v, model.PredictOptions{})
		}()
	}
}
