package model_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/model"
	"beziergp/predictive"
)

// The mean alone is the mean that all of a prediction has, in a range and outside the box
// too, and nothing else is told.
func TestMeanAlone(t *testing.T) {
	m := shaped(t)
	for name, o := range map[string]model.PredictOptions{
		"plain":      {},
		"in a range": {Range: &predictive.Range{Lo: 0.1, Hi: 0.4}},
		"flag":       {Policy: box.Flag},
	} {
		all := predict(t, m, rows(t), o)
		o.MeanAlone = true
		own := predict(t, m, rows(t), o)
		const told = model.ClampedInputs | model.ClampedMean
		for row, want := range all.Mean {
			got := own.Mean[row]
			if got != want && (got == got || want == want) || own.InBox[row] != all.InBox[row] || own.Clamped[row] != all.Clamped[row]&told {
				t.Errorf("%s: row %d is %g, in the box %v, held %v; want %g, %v, %v", name, row, got, own.InBox[row], own.Clamped[row], want, all.InBox[row], all.Clamped[row]&told)
			}
		}
		if !slices.EqualFunc(own.Point, own.Mean, func(a, b float64) bool { return a == b || a != a && b != b }) || own.Density != nil {
			t.Errorf("%s: points %v, density %v", name, own.Point, own.Density)
		}
		for _, column := range [][]float64{own.StdF, own.Std, own.Lower, own.Upper, own.Scale} {
			if slices.ContainsFunc(column, func(v float64) bool { return v == v }) {
				t.Errorf("%s: %v is told", name, column)
			}
		}
	}
}

// What the mean alone has no use for is not evaluated: no surface but its own can spoil it.
func TestMeanAloneEvaluatesNothingElse(t *testing.T) {
	const vast = 1e30
	for name, spoil := range map[string]func(o *model.Output){
		"noise": func(o *model.Output) { o.LogNoise = noise(t, vast, -1, 1) },
		"ratio": func(o *model.Output) { o.DensityRatio = ratio(t, vast) },
	} {
		m := changed(t, spoil)
		p := predict(t, m, rows(t), model.PredictOptions{MeanAlone: true})
		if slices.ContainsFunc(p.Mean, math.IsNaN) {
			t.Errorf("%s: means %v", name, p.Mean)
		}
		all, err := m.Predict(context.Background(), rows(t), model.PredictOptions{})
		if err == nil && !slices.ContainsFunc(all.Clamped, func(c model.Clamped) bool { return c&^(model.ClampedInputs|model.ClampedMean) != 0 }) {
			t.Errorf("%s: it spoils no prediction", name)
		}
	}
}

func TestMeanAloneHasNoMedian(t *testing.T) {
	_, err := shaped(t).Predict(context.Background(), rows(t), model.PredictOptions{MeanAlone: true, Point: model.MedianPoint})
	var option *limit.OptionError
	if !errors.As(err, &option) {
		t.Errorf("error %v", err)
	}
}
