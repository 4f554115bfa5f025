package model_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/predictive"
)

// random returns a process of order 1 with random weights of the mean.
func random(t testing.TB, inputs int, spread float64) *surface.Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(inputs)))
	group := surface.Group{Part: surface.MeanOnly}
	widths, order := make([]int, inputs), make([]int, inputs)
	for i := range inputs {
		b, err := basis.NewBernstein(1)
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := basis.NewAveraged(b, b.Mean())
		if err != nil {
			t.Fatal(err)
		}
		group.Bases, widths[i], order[i] = append(group.Bases, averaged), b.Nodes(), i
	}
	var err error
	if group.Ensemble, err = buttress.New(widths, nil, [][]int{order}); err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(group)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(spread * rng.NormFloat64())
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// shaped returns the fixture with heavy tails and a density ratio.
func shaped(t testing.TB) *model.Model {
	t.Helper()
	return changed(t, func(o *model.Output) { o.Tails, o.Conformal, o.DensityRatio = 4, 2.5, ratio(t, 1.5) })
}

// A shaped prediction has the density of its parts, its own quantiles and deviation,
// and goes to a file and back.
func TestShapedPredictions(t *testing.T) {
	m := shaped(t)
	p := predict(t, m, rows(t), model.PredictOptions{})
	plainModel, _ := fixture(t)
	plain := predict(t, plainModel, rows(t), model.PredictOptions{})
	if !slices.Equal(p.Mean, plain.Mean) || !slices.Equal(p.StdF, plain.StdF) || !slices.Equal(p.Scale, plain.Std) {
		t.Error("a shape changes the mean, the deviation of f or the scale")
	}
	different := false
	for row := range p.Mean {
		d := p.Distribution(row)
		testkit.Close(t, "lower", d.CDF(p.Lower[row]), 0.025, 1e-6, 0)
		testkit.Close(t, "upper", d.CDF(p.Upper[row]), 0.975, 1e-6, 0)
		_, std := d.Moments()
		testkit.Close(t, "deviation", p.Std[row], std, 1e-12, 0)
		var sum float64
		for k, w := range d.Density {
			if w <= 0 {
				t.Fatalf("density %g at node %d", w, k)
			}
			sum += w
		}
		sum -= (d.Density[0] + d.Density[predictive.Nodes-1]) / 2
		testkit.Close(t, "integral of the density", sum/(predictive.Nodes-1), 1, 1e-9, 0)
		different = different || math.Abs(d.Density[3]-p.Density[3]) > 1e-3
	}
	if !different {
		t.Error("all rows have the same shape")
	}
	conformal := predict(t, m, rows(t), model.PredictOptions{Interval: model.ConformalInterval})
	for row, c := range conformal.Upper {
		testkit.Close(t, "conformal", c, p.Mean[row]+2.5*p.Scale[row], 1e-12, 0)
	}
	file := saved(t, m)
	again, err := model.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, again), file) {
		t.Error("a model that was read is written differently")
	}
	q := predict(t, again, rows(t), model.PredictOptions{})
	if !slices.Equal(q.Lower, p.Lower) || !slices.Equal(q.Density, p.Density) || again.Output().Tails != 4 || again.Output().DensityRatio == nil {
		t.Error("a model that was read predicts differently")
	}
}

// An interval of another level lies between the quantiles of that level, and the level that
// is the default changes no bit.
func TestIntervalsOfALevel(t *testing.T) {
	m := shaped(t)
	usual := predict(t, m, rows(t), model.PredictOptions{})
	same := predict(t, m, rows(t), model.PredictOptions{Level: model.Level})
	if !slices.Equal(usual.Lower, same.Lower) || !slices.Equal(usual.Upper, same.Upper) {
		t.Error("the default level differs when it is said")
	}
	for _, level := range []float64{0.5, 0.8, 0.99} {
		p := predict(t, m, rows(t), model.PredictOptions{Level: level})
		for row := range p.Mean {
			d := p.Distribution(row)
			if p.Clamped[row]&model.ClampedInterval == 0 {
				testkit.Close(t, "lower", d.CDF(p.Lower[row]), (1-level)/2, 1e-6, 0)
				testkit.Close(t, "upper", d.CDF(p.Upper[row]), (1+level)/2, 1e-6, 0)
			}
			if (p.Upper[row]-p.Lower[row] < usual.Upper[row]-usual.Lower[row]) != (level < model.Level) {
				t.Errorf("row %d: an interval of %g is %g wide, that of %g %g", row, level, p.Upper[row]-p.Lower[row], model.Level, usual.Upper[row]-usual.Lower[row])
			}
		}
	}
	for _, o := range []model.PredictOptions{{Level: -0.5}, {Level: 1}, {Level: math.NaN()}, {Level: 1 - 1e-16}, {Level: 0.9, Interval: model.ConformalInterval}} {
		var option *limit.OptionError
		if _, err := m.Predict(t.Context(), rows(t), o); !errors.As(err, &option) || option.Option != "level" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	predict(t, m, rows(t), model.PredictOptions{Level: model.Level, Interval: model.ConformalInterval})
}

func TestBadOutputs(t *testing.T) {
	plain, _ := fixture(t)
	inputs := plain.Inputs()
	other := slices.Clone(inputs)
	other[1].Name = "c"
	for name, c := range map[string]struct {
		change func(o *model.Output)
		says   string
	}{
		"tails too heavy":           {func(o *model.Output) { o.Tails = 1.5 }, "1.5 degrees of freedom"},
		"negative conformal":        {func(o *model.Output) { o.Conformal = -1 }, "conformal score -1"},
		"a log of what has no mean": {func(o *model.Output) { o.Tails, o.Target.Transform = 4, box.Log1p }, "no mean"},
		"too few inputs":            {func(o *model.Output) { o.DensityRatio = ratio(t, 1); o.DensityRatio.Surface = random(t, 3, 1) }, "tilt: a surface of 3 inputs where a model of 2 needs one of 4"},
		"other limits":              {func(o *model.Output) { o.DensityRatio = ratio(t, 1); o.DensityRatio.Limits.Hi = 11 }, "tilt: the limits"},
		"no u":                      {func(o *model.Output) { o.DensityRatio = ratio(t, 1); o.DensityRatio.U = false }, "does not take what it should"},
		"no range":                  {func(o *model.Output) { o.LogNoise = noise(t, 1, 0, 0); o.LogNoise.Limits = nil }, "noise: the limits"},
		"a range that is none":      {func(o *model.Output) { o.LogNoise = noise(t, 1, 1, 0) }, "noise: limits [1, 0] are not an interval"},
		"bounds of the mean":        {func(o *model.Output) { o.LogNoise = noise(t, 1, 0, 0); o.LogNoise.Predicted.Lo = 9 }, "noise: column \"predicted mean\": bounds"},
		"other inputs": {func(o *model.Output) {
			o.Epistemic = &model.Auxiliary{Surface: random(t, 2, 1), Inputs: other, Variance: true}
		}, `variance: input 1, "c", is not "b"`},
		"too few scalings": {func(o *model.Output) {
			o.Epistemic = &model.Auxiliary{Surface: random(t, 2, 1), Inputs: other[:1], Variance: true}
		}, "variance: 1 scalings of 2 inputs"},
		"a mean": {func(o *model.Output) { o.Epistemic = &model.Auxiliary{Surface: random(t, 2, 1), Inputs: inputs} }, "does not take what it should"},
	} {
		p := model.Parts{Posterior: plain.Posterior(), Inputs: inputs, Outputs: []model.Output{plain.Output()}, Policy: plain.Policy()}
		c.change(&p.Outputs[0])
		if _, err := model.New(p); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.says)
		}
		p.Outputs = nil
		if _, err := model.New(p); err == nil {
			t.Error("no output is a model")
		}
	}
}
