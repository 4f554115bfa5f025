package model_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/box"
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
	if group.Ensemble, err = buttress.New(widths, [][]int{order}); err != nil {
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

// shaped returns the fixture with heavy tails and a tilt.
func shaped(t testing.TB) *model.Model {
	t.Helper()
	plain, _ := fixture(t)
	m, err := model.New(model.Parts{
		Posterior: plain.Posterior(), Inputs: plain.Inputs(), Target: plain.Target(), Noise: 0.04, Policy: plain.Policy(),
		Training: plain.Training(), Tails: 4, Conformal: 2.5,
		Tilt: &model.Tilt{Surface: random(t, 4, 1.5), Predicted: box.Input{Name: "predicted mean", Lo: -3, Hi: 3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
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
	if !slices.Equal(q.Lower, p.Lower) || !slices.Equal(q.Density, p.Density) || again.Tails() != 4 || !again.Shaped() {
		t.Error("a model that was read predicts differently")
	}
}

func TestBadShapes(t *testing.T) {
	plain, _ := fixture(t)
	parts := model.Parts{Posterior: plain.Posterior(), Inputs: plain.Inputs(), Target: plain.Target(), Noise: 0.04, Policy: plain.Policy()}
	for name, change := range map[string]func(p *model.Parts){
		"tails too heavy":           func(p *model.Parts) { p.Tails = 1.5 },
		"negative conformal":        func(p *model.Parts) { p.Conformal = -1 },
		"too few inputs":            func(p *model.Parts) { p.Tilt = &model.Tilt{Surface: random(t, 3, 1)} },
		"a log of what has no mean": func(p *model.Parts) { p.Tails, p.Target.Transform = 4, box.Log1p },
	} {
		p := parts
		change(&p)
		if _, err := model.New(p); err == nil {
			t.Errorf("%s is a model", name)
		}
	}
}
