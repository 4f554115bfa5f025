package beziergp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp"
	"beziergp/analysis"
	"beziergp/internal/testkit"
	"beziergp/table"
)

// Rows without a level that are not like others are predicted as they are, and what is told of the process counts
// them: its average over the inputs is the rows', and an effect shows them behind the levels.
func TestAMissingLevelIsLearned(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	const rows = 800
	x, c, y, mean := make([]float64, rows), make([]float64, rows), make([]float64, rows), 0.0
	for i := range rows {
		level := rng.IntN(3)
		x[i], c[i] = rng.Float64(), float64(level)
		y[i] = 2*float64(level) + x[i] + 0.05*rng.NormFloat64()
		if level == 2 {
			c[i], y[i] = math.NaN(), y[i]+5
		}
		mean += y[i] / rows
	}
	category := func(values ...float64) beziergp.Column {
		return beziergp.Column{Name: "c", Values: values, Kind: table.Category, Levels: []string{"a", "b"}}
	}
	ctx := context.Background()
	m, err := beziergp.Fit(ctx, mustTable(t, column("x", x...), category(c...), column("y", y...)), "y", beziergp.Options{Recipe: brief})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(ctx, mustTable(t, column("x", 0.5, 0.5, 0.5), category(0, 1, math.NaN())), beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.5, 2.5, 9.5}
	for row, v := range want {
		if math.Abs(p.Mean[row]-v) > 0.2 || !p.InBox[row] {
			t.Errorf("row %d: %g, in the box %v; want %g", row, p.Mean[row], p.InBox[row], v)
		}
	}
	a, err := analysis.New(m, analysis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := a.Effects([][]float64{{0.5}, a.Grid(1, 5)})
	if math.Abs(e.Base.Mean-mean) > 0.1 {
		t.Errorf("average %g, of the rows %g", e.Base.Mean, mean)
	}
	if got := e.Effects[1].Mean; len(got) != len(want) || math.Abs(got[2]-want[2]) > 0.2 {
		t.Errorf("effect %v, want %v", got, want)
	}
}

// A number that is missing for a reason is learned from, in memory and out of core, and so is a date; a model from a file predicts the
// same. The input that tells counts as none that is left out, and a row that lacks a value where training rows did lies in the box.
func TestAMissingNumberIsLearned(t *testing.T) {
	testkit.Long(t)
	rng := rand.New(rand.NewPCG(4, 4))
	const rows = 500
	x, when, z, y := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], z[i], when[i] = rng.Float64(), rng.Float64(), float64(rng.IntN(300)*86400)
		y[i] = x[i] + z[i] + 0.05*rng.NormFloat64()
		switch rng.IntN(4) {
		case 0:
			x[i], y[i] = math.NaN(), z[i]+3
		case 1:
			when[i], y[i] = math.NaN(), y[i]-3
		}
	}
	date := func(values ...float64) beziergp.Column {
		return beziergp.Column{Name: "when", Values: values, Kind: table.DateTime}
	}
	tab := mustTable(t, column("x", x...), date(when...), column("z", z...), column("y", y...))
	o := beziergp.Options{Recipe: brief}
	m := fitted(t, tab, o)
	own := mustTable(t, column("x", 0.5, math.NaN(), 0.5), date(86400, 86400, math.NaN()), column("z", 0.5, 0.5, 0.5))
	p, err := m.Predict(context.Background(), own, beziergp.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, v := range []float64{1, 3.5, -2} {
		if math.Abs(p.Mean[row]-v) > 0.25 || !p.InBox[row] {
			t.Errorf("row %d: %g, in the box %v; want %g", row, p.Mean[row], p.InBox[row], v)
		}
	}
	if n := len(m.Columns()); n != 3 || m.Training().LeftOut != 0 {
		t.Errorf("%d columns, %d inputs are left out", n, m.Training().LeftOut)
	}
	cached, err := beziergp.FitCache(context.Background(), cacheOf(t, tab, "y"), "y", o)
	if err != nil {
		t.Fatal(err)
	}
	for what, other := range map[string][]float64{"out of core": mean(t, cached, own), "from a file": mean(t, fromFile(t, m), own)} {
		if !slices.Equal(other, p.Mean) {
			t.Errorf("%s: %v, want %v", what, other, p.Mean)
		}
	}
}
