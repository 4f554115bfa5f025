package analysis_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/surface"
	"beziergp/internal/testkit"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
)

var ctx = context.Background()

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// training are the rows that the fixture's averages and ranks are of: a has few values and
// b many, c is a level.
func training(n int) *table.Table {
	rng := rand.New(rand.NewPCG(7, 7))
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		a[i], b[i], c[i] = float64(rng.IntN(4)*rng.IntN(3)), rng.NormFloat64(), float64(min(rng.IntN(5), 2))
	}
	tab, err := table.New(table.ColumnOf("a", a), table.ColumnOf("b", b), table.Column{Name: "c", Kind: table.Category, Levels: []string{"x", "y", "z"}, Values: c})
	if err != nil {
		panic(err)
	}
	return tab
}

// weights returns a surface with random weights.
func weights(t testing.TB, rng *rand.Rand, groups ...surface.Group) *surface.Posterior {
	t.Helper()
	s := must[*surface.Surface](t)(surface.New(groups...))
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.7 * rng.NormFloat64())
	}
	return must[*surface.Posterior](t)(surface.NewPosterior(s, params))
}

func group(t testing.TB, rng *rand.Rand, part surface.Part, x []float32, bases ...basis.Basis) surface.Group {
	t.Helper()
	d := len(bases)
	var widths []int
	for i := range bases {
		column := make([]float32, 0, len(x)/d)
		for at := i; at < len(x); at += d {
			column = append(column, x[at])
		}
		bases[i] = must[basis.Averaged](t)(basis.AverageOver(bases[i], column))
		widths = append(widths, bases[i].Nodes())
	}
	e := must[*buttress.Ensemble](t)(buttress.New(widths, surface.Supports(bases), buttress.RandomOrderings(d, 3, rng)))
	return surface.Group{Bases: bases, Ensemble: e, Part: part}
}

// mapped returns the rows' coordinates.
func mapped(t testing.TB, inputs []box.Input, tab *table.Table) []float32 {
	t.Helper()
	b := box.New(inputs)
	columns := must[[][]float64](t)(b.Pick(tab))
	x := make([]float32, tab.Rows()*len(inputs))
	if err := b.Map(x, columns, box.Clip, make([]bool, tab.Rows()), make([]int, len(inputs))); err != nil {
		t.Fatal(err)
	}
	return x
}

// fixture returns a model of random weights with an epistemic variance on a box of its own.
func fixture(t testing.TB, transform box.Transform) (*model.Model, *table.Table) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	rows := training(400)
	a, _ := rows.Column("a")
	b, _ := rows.Column("b")
	inputs := []box.Input{
		must[box.Input](t)(box.RankInput("a", a)), must[box.Input](t)(box.FitInput("b", b)),
		{Name: "c", Kind: table.Category, Levels: []string{"x", "y", "z"}},
	}
	var wide []box.Input
	for _, in := range inputs {
		wide = append(wide, in.Widen())
	}
	spline := func(m int) basis.Basis { return must[basis.Spline](t)(basis.NewSpline(m)) }
	steps := func(m int) basis.Basis { return must[basis.Steps](t)(basis.NewSteps(m)) }
	bernstein := func(o int) basis.Basis { return must[basis.Bernstein](t)(basis.NewBernstein(o)) }
	level := must[basis.Indicator](t)(basis.NewIndicator(3))
	x, y := mapped(t, inputs, rows), mapped(t, wide, rows)
	mean := weights(t, rng, group(t, rng, surface.MeanOnly, x, spline(7), bernstein(4), level), group(t, rng, surface.MeanOnly, x, steps(9), spline(6), level))
	m := must[*model.Model](t)(model.New(model.Parts{
		Posterior: mean, Inputs: inputs, Policy: box.Clip,
		Outputs: []model.Output{{
			Target: box.Target{Name: "t", Mean: 20, SD: 3, Transform: transform}, Noise: 0.04, VarianceScale: 1.3,
			Epistemic: &model.Auxiliary{Surface: weights(t, rng, group(t, rng, surface.VarianceOnly, y, spline(9), spline(8), level)), Inputs: wide, Variance: true},
		}},
		Training: model.Training{Recipe: "paper", Options: []byte(`{}`), Rows: 400},
	}))
	return m, rows
}

// analysed returns its analysis under laws.
func analysed(t testing.TB, m *model.Model, laws map[string]string) *analysis.Analysis {
	t.Helper()
	o := analysis.Options{Laws: map[string]measure.Law{}}
	for name, text := range laws {
		o.Laws[name] = must[measure.Law](t)(measure.Parse(text))
	}
	return must[*analysis.Analysis](t)(analysis.New(m, o))
}

// few are laws of few values, so that all of their combinations can be predicted.
var few = map[string]string{"a": "levels(0:1,2:2,6:3)", "b": "levels(-1.5:2,0.25:1,1:1,1.75:2)", "c": "levels(x:3,z:1)"}

// combinations are the rows of all values of the laws, with their weights and, by input, which
// value a row has.
func combinations(t testing.TB, a *analysis.Analysis) (rows *table.Table, weight []float64, at [][]int) {
	t.Helper()
	var widths []int
	for i := range a.Inputs() {
		widths = append(widths, len(a.Rule(i).Points))
	}
	columns := make([][]float64, len(widths))
	testkit.EachPath(widths, func(path []int) {
		w := 1.0
		for i, k := range path {
			columns[i] = append(columns[i], a.Rule(i).Points[k])
			w *= a.Rule(i).Weights[k]
		}
		weight, at = append(weight, w), append(at, append([]int(nil), path...))
	})
	tab, err := table.New(table.ColumnOf("a", columns[0]), table.ColumnOf("b", columns[1]), table.Column{Name: "c", Kind: table.Category, Levels: []string{"x", "y", "z"}, Values: columns[2]})
	if err != nil {
		t.Fatal(err)
	}
	return tab, weight, at
}

// predicted returns E f and the covariances of f at rows, by other code.
func predicted(t testing.TB, m *model.Model, rows *table.Table) ([]float64, *mat.Dense) {
	t.Helper()
	p := must[*model.Predictions](t)(m.Predict(ctx, rows, model.PredictOptions{}))
	return p.Location, must[*mat.Dense](t)(m.Covariance(ctx, rows, rows))
}
