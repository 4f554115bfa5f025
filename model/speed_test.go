package model_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/model"
)

// usual returns a model of the shape that effort default gives most tables, with random
// weights near one: six members of a coarse and a fine group, ten of the noise, one of Var f
// and five of the density ratio.
func usual(t testing.TB, d int) *model.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, uint64(d)))
	inputs := make([]box.Input, d)
	for i := range inputs {
		values := make([]float64, 5000)
		for k := range values {
			values[k] = rng.NormFloat64()
		}
		var err error
		if inputs[i], err = box.RankInput(fmt.Sprintf("x%d", i), values); err != nil {
			t.Fatal(err)
		}
	}
	m, err := model.New(model.Parts{
		Posterior: members(t, rng, d, 0, 6, surface.MeanOnly, component{5, 30}, component{30, 20}),
		Inputs:    inputs,
		Outputs: []model.Output{{
			Target: box.Target{Name: "y", Mean: 3, SD: 2}, Noise: 0.1, Tails: 4, Limits: &model.Limits{Lo: -3, Hi: 3, Variance: 9},
			LogNoise:     &model.Auxiliary{Surface: members(t, rng, d+1, 0, 10, surface.MeanOnly, component{5, 10}, component{20, 10}), Predicted: predictedMean(), Limits: &model.Limits{Lo: -1, Hi: 1}},
			Epistemic:    &model.Auxiliary{Surface: members(t, rng, d, 0, 1, surface.VarianceOnly, component{20, 10}), Inputs: inputs, Variance: true},
			DensityRatio: &model.Auxiliary{Surface: members(t, rng, d+2, 16, 5, surface.MeanOnly, component{9, 10}), Predicted: predictedMean(), U: true, Limits: model.LogRatioLimits()},
		}},
		Policy: box.Clip,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// component is one of buttresses whose bases have an order, splines above 5, or one node
// more than it.
type component struct{ order, buttresses int }

// members returns the sum of so many of each of the components; last is the number of nodes
// of the last input, where that is another one.
func members(t testing.TB, rng *rand.Rand, d, last, of int, part surface.Part, components ...component) *surface.Posterior {
	t.Helper()
	var groups []surface.Group
	for range of {
		for _, c := range components {
			g := surface.Group{Part: part}
			var widths []int
			for i := range d {
				nodes, kind := c.order+1, basis.KindSpline
				if c.order <= 5 {
					kind = basis.KindBernstein
				}
				if i == d-1 && last > 0 {
					nodes = last
				}
				bare, err := basis.New(basis.Spec{Kind: kind, Nodes: nodes})
				if err != nil {
					t.Fatal(err)
				}
				b, err := basis.NewAveraged(bare, bare.Mean())
				if err != nil {
					t.Fatal(err)
				}
				g.Bases, widths = append(g.Bases, b), append(widths, nodes)
			}
			var err error
			if g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), buttress.RandomOrderings(d, c.buttresses, rng)); err != nil {
				t.Fatal(err)
			}
			groups = append(groups, g)
		}
	}
	s, err := surface.New(groups...)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(1 + 0.1*rng.NormFloat64())
		if part == surface.VarianceOnly {
			params[i]--
		}
	}
	q, err := surface.NewPosterior(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// BenchmarkPredict is a model of ten inputs: a row alone, and 10⁵ in blocks as the program
// has them.
func BenchmarkPredict(b *testing.B) {
	const d = 10
	m, rng := usual(b, d), rand.New(rand.NewPCG(1, 1))
	columns := make([][]float64, d)
	for i := range columns {
		columns[i] = make([]float64, 100000)
		for row := range columns[i] {
			columns[i][row] = rng.NormFloat64()
		}
	}
	for _, o := range []struct {
		name string
		model.PredictOptions
	}{{"mean alone", model.PredictOptions{Workers: 1, MeanAlone: true}}, {"mean and interval", model.PredictOptions{Workers: 1}}} {
		for _, block := range []int{1, 8192} {
			b.Run(fmt.Sprintf("%s, %d at a time", o.name, block), func(b *testing.B) {
				p, err := m.NewPredictor(o.PredictOptions)
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close()
				var out model.Predictions
				part, rows, at := make([][]float64, d), 0, 0
				for b.Loop() {
					for range max(1, 100000/block*min(1, block-1)) { // all rows, or one
						n := min(block, 100000-at)
						for i := range part {
							part[i] = columns[i][at : at+n]
						}
						if err := p.Predict(context.Background(), part, &out); err != nil {
							b.Fatal(err)
						}
						rows += n
						at = (at + n) % 100000
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(rows), "µs/row")
				b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

// A row is the same alone, among few and among many, and from any number of workers.
func TestUsualModelPredictsRowsAlone(t *testing.T) {
	const d, n = 5, 700
	m, rng := usual(t, d), rand.New(rand.NewPCG(2, 1))
	columns := make([][]float64, d)
	for i := range columns {
		columns[i] = make([]float64, n)
		for row := range columns[i] {
			columns[i][row] = rng.NormFloat64()
		}
	}
	at := func(from, to, workers int) model.Predictions {
		p, err := m.NewPredictor(model.PredictOptions{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		part := make([][]float64, d)
		for i := range part {
			part[i] = columns[i][from:to]
		}
		var out model.Predictions
		if err := p.Predict(context.Background(), part, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	all := at(0, n, 2)
	for _, c := range []struct{ from, to int }{{0, 1}, {n - 1, n}, {3, 5}, {10, 17}, {20, 36}, {40, 57}, {100, 300}} {
		own := at(c.from, c.to, 1)
		for i := range own.Mean {
			row := c.from + i
			if own.Mean[i] != all.Mean[row] || own.Std[i] != all.Std[row] || own.Lower[i] != all.Lower[row] || own.Upper[i] != all.Upper[row] {
				t.Fatalf("row %d among those from %d to %d is %g ± %g [%g, %g], among all %g ± %g [%g, %g]", row, c.from, c.to,
					own.Mean[i], own.Std[i], own.Lower[i], own.Upper[i], all.Mean[row], all.Std[row], all.Lower[row], all.Upper[row])
			}
		}
	}
}
