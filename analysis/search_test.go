package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"beziergp"
	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/testkit"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
	"beziergp/train/auto"
	"beziergp/train/paper"
)

// hill is a model of y = 1 − (a − 0.7)² − 2 (b − 0.4)² − [c = "low"], whose largest value is at (0.7, 0.4, "high").
func hill(t *testing.T) *beziergp.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 9))
	a, b, c, y := make([]float64, 600), make([]float64, 600), make([]float64, 600), make([]float64, 600)
	for i := range y {
		a[i], b[i], c[i] = rng.Float64(), rng.Float64(), float64(i%2)
		y[i] = 1 - (a[i]-0.7)*(a[i]-0.7) - 2*(b[i]-0.4)*(b[i]-0.4) - (1 - c[i])
	}
	rows := must[*table.Table](t)(table.New(table.ColumnOf("a", a), table.ColumnOf("b", b),
		table.Column{Name: "c", Kind: table.Category, Levels: []string{"low", "high"}, Values: c}, table.ColumnOf("y", y)))
	return must[*beziergp.Model](t)(beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: paper.Recipe{Order: 3, Orderings: 3, Steps: 1500, LearningRate: 0.02}}))
}

// A search ends near the top, with a value that the function has there; of the same seed at the same point.
func TestSearchFindsTheTop(t *testing.T) {
	m := hill(t)
	all := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
	search := func(seed uint64, o analysis.SearchOptions) (*analysis.Function, *analysis.Extremum) {
		f := analysis.NewFunction(m, seed, 0, analysis.RowsOptions{Workers: 2})
		return f, must[*analysis.Extremum](t)(f.Search(ctx, all, o))
	}
	f, top := search(1, analysis.SearchOptions{Points: 256})
	if math.Abs(top.At[0]-0.7) > 0.25 || math.Abs(top.At[1]-0.4) > 0.25 || top.At[2] != 1 {
		t.Errorf("the top of a draw is at %.3g, f = %.3g", top.At, top.F)
	}
	_, bottom := search(1, analysis.SearchOptions{Points: 256, Smallest: true})
	if bottom.At[2] != 0 || bottom.F > top.F-0.5 {
		t.Errorf("the bottom is at %.3g, f = %.3g", bottom.At, bottom.F)
	}
	_, again := search(1, analysis.SearchOptions{Points: 256})
	if again.F != top.F || again.At[0] != top.At[0] {
		t.Error("the same seed finds another top")
	}
	if _, other := search(2, analysis.SearchOptions{Points: 256}); other.F == top.F {
		t.Error("two draws have one top")
	}
	row := must[*table.Table](t)(table.New(table.ColumnOf("a", top.At[:1]), table.ColumnOf("b", top.At[1:2]),
		table.Column{Name: "c", Kind: table.Category, Levels: []string{"low", "high"}, Values: top.At[2:]}))
	testkit.Close(t, "f at the top", must[[]float64](t)(f.At(ctx, row))[0], top.F, 0, 1e-3)
	if _, few := search(1, analysis.SearchOptions{Points: 8}); few.F > top.F+0.05 {
		t.Errorf("8 points find %g, 256 %g", few.F, top.F)
	}

	// Laws bound the search.
	left := must[measure.Law](t)(measure.Uniform(0.05, 0.3))
	bounded := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"a": left, "c": measure.At("low")}}))
	own := must[*analysis.Extremum](t)(analysis.NewFunction(m, 1, 0, analysis.RowsOptions{}).Search(ctx, bounded, analysis.SearchOptions{Points: 64}))
	if own.At[0] < 0.05 || own.At[0] > 0.3 || own.At[2] != 0 {
		t.Errorf("a search within [0.05, 0.3] and low ends at %.3g", own.At)
	}
}

// A drawn function is held within the limits of predictions: of the mean, and in proportion to that of the deviation.
func TestSearchHoldsLimits(t *testing.T) {
	free := hill(t)
	search := func(limits *model.Limits) *analysis.Extremum {
		out := free.Output()
		out.Limits = limits
		m := must[*model.Model](t)(model.New(model.Parts{Posterior: free.Posterior(), Inputs: free.Inputs(), Outputs: []model.Output{out}, Policy: free.Policy(), Training: free.Training(), Profile: free.Profile()}))
		all := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
		return must[*analysis.Extremum](t)(analysis.NewFunction(m, 1, 0, analysis.RowsOptions{}).Search(ctx, all, analysis.SearchOptions{Points: 64}))
	}
	target := free.Target()
	wide, low, sure := search(&model.Limits{Lo: -9, Hi: 9, Variance: 99}), search(&model.Limits{Lo: -9, Hi: 0, Variance: 1e-12}), search(&model.Limits{Lo: -9, Hi: 9, Variance: 1e-12})
	if wide.Held || !sure.Held || !low.Held {
		t.Errorf("held: %t, %t and %t", wide.Held, sure.Held, low.Held)
	}
	testkit.Close(t, "the top of a mean of 0 at most", low.F, target.Mean, 0, 1e-4)
	if sure.F <= target.Mean || sure.F >= wide.F {
		t.Errorf("the top without deviation is %g, that of the draw %g", sure.F, wide.F)
	}
}

func TestSearchRefuses(t *testing.T) {
	m, _ := fixture(t, "")
	all := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
	for _, points := range []int{-1, 7, analysis.MostJoint + 1} {
		if _, err := analysis.NewFunction(m, 1, 0, analysis.RowsOptions{}).Search(ctx, all, analysis.SearchOptions{Points: points}); err == nil {
			t.Errorf("%d points are taken", points)
		}
	}
	other, _ := fixture(t, "")
	if _, err := analysis.NewFunction(other, 1, 0, analysis.RowsOptions{}).Search(ctx, all, analysis.SearchOptions{}); err == nil {
		t.Error("an analysis of another model is taken")
	}
}

// A search tries known values alone, also where rows that lack one have the highest targets, and a law of the rows tells how many do.
func TestSearchTriesKnownValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	a, b, y := make([]float64, 400), make([]float64, 400), make([]float64, 400)
	for i := range y {
		a[i], b[i] = rng.Float64(), rng.Float64()
		if y[i] = a[i] - b[i]; i%4 == 0 {
			a[i], y[i] = math.NaN(), 5-b[i]
		}
	}
	rows := must[*table.Table](t)(table.New(table.ColumnOf("a", a), table.ColumnOf("b", b), table.ColumnOf("y", y)))
	m := must[*beziergp.Model](t)(beziergp.Fit(ctx, rows, "y", beziergp.Options{Recipe: auto.Recipe{Effort: auto.Fast}}))
	if n := len(m.Inputs()); n != 3 || m.Inputs()[1].Part != box.Absent {
		t.Fatalf("%d inputs: %+v", n, m.Inputs())
	}
	all := must[*analysis.Analysis](t)(analysis.New(m, analysis.Options{}))
	e := all.Effects([][]float64{{0.5}, all.Grid(1, 5), {0.5}})
	if own := e.Effects[1].Mean; len(own) != 2 || own[1]-own[0] < 4 {
		t.Errorf("the effect of whether a value is missing: %v", own)
	}
	f := analysis.NewFunction(m, 1, 0, analysis.RowsOptions{Workers: 2})
	top := must[*analysis.Extremum](t)(f.Search(ctx, all, analysis.SearchOptions{Points: 128}))
	if top.At[1] != 0 || top.F > 2 {
		t.Errorf("the top is at %.3g, f = %.3g", top.At, top.F)
	}
	row := must[*table.Table](t)(table.New(table.ColumnOf("a", top.At[:1]), table.ColumnOf("b", top.At[2:])))
	testkit.Close(t, "f at the top", must[[]float64](t)(f.At(ctx, row))[0], top.F, 0, 1e-3)
}
