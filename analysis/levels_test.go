package analysis_test

import (
	"math/rand/v2"
	"testing"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// Levels that share a function in some components count as often as training rows have them, and integrals are sums over all of them.
func TestLevelsThatShareAFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const n = 200
	c, b := make([]float64, n), make([]float64, n)
	share := make([]float64, 4)
	for i := range n {
		c[i], b[i] = float64(rng.IntN(4)*rng.IntN(2)), rng.Float64()
		share[int(c[i])] += 1. / n
	}
	levels := []string{"w", "x", "y", "z"}
	rows := must[*table.Table](t)(table.New(table.Column{Name: "c", Kind: table.Category, Levels: levels, Values: c}, table.ColumnOf("b", b)))
	inputs := []box.Input{{Name: "c", Kind: table.Category, Levels: levels}, must[box.Input](t)(box.FitInput("b", b))}
	x := mapped(t, inputs, rows)
	pooled := must[basis.Pooled](t)(basis.NewPooled(2, basis.Pool{From: 1, To: 4}))
	all := must[basis.Indicator](t)(basis.NewIndicator(4))
	line := func() basis.Basis { return must[basis.Bernstein](t)(basis.NewBernstein(1)) }
	m := must[*model.Model](t)(model.New(model.Parts{
		Posterior: weights(t, rng, group(t, rng, surface.MeanOnly, x, pooled, line()), group(t, rng, surface.MeanOnly, x, all, line())), Inputs: inputs, Policy: box.Clip,
		Outputs:  []model.Output{{Target: box.Target{Name: "t", Mean: 2, SD: 3}, Noise: 0.1}},
		Training: model.Training{Recipe: "paper", Options: []byte(`{}`), Rows: n},
	}))
	a := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
	for level, w := range share {
		testkit.Close(t, levels[level], a.Rule(0).Weights[level], w, 1e-6, 0)
	}
	var at [2][]float64
	var weight []float64
	for k, level := range a.Rule(0).Points {
		for l, v := range a.Rule(1).Points {
			at[0], at[1] = append(at[0], level), append(at[1], v)
			weight = append(weight, a.Rule(0).Weights[k]*a.Rule(1).Weights[l])
		}
	}
	grid := must[*table.Table](t)(table.New(table.Column{Name: "c", Kind: table.Category, Levels: levels, Values: at[0]}, table.ColumnOf("b", at[1])))
	mean, _ := predicted(t, m, grid)
	var want float64
	for i, w := range weight {
		want += w * mean[i]
	}
	testkit.Close(t, "integral", a.Integral().Mean, want, 1e-5, 1e-5)
}
