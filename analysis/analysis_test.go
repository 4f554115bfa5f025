package analysis_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/analysis"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
	"beziergp/measure"
	"beziergp/model"
	"beziergp/table"
)

// weighted returns wᵀ mean and √(wᵀ K w).
func weighted(w, mean []float64, k *mat.Dense) (sum, sd float64) {
	v := mat.NewVecDense(len(w), w)
	for i, x := range mean {
		sum += w[i] * x
	}
	return sum, math.Sqrt(mat.Inner(v, k, v))
}

func TestIntegralsAndEffectsAreSumsOverAllCombinations(t *testing.T) {
	m, _ := fixture(t, "")
	a := analysed(t, m, few)
	rows, weight, at := combinations(t, a)
	mean, k := predicted(t, m, rows)
	want, sd := weighted(weight, mean, k)
	got := a.Integral()
	testkit.Close(t, "integral", got.Mean, want, 1e-6, 1e-5)
	testkit.Close(t, "its deviation", got.Std, sd, 1e-4, 0)

	// Given some values, the weights are those of the others.
	given := func(match func(row []int) bool) (w []float64) {
		var sum float64
		for r, own := range weight {
			if !match(at[r]) {
				own = 0
			}
			w, sum = append(w, own), sum+own
		}
		for r := range w {
			w[r] /= sum
		}
		return w
	}
	var grids [][]float64
	for i := range a.Inputs() {
		grids = append(grids, a.Rule(i).Points)
	}
	effects := a.Effects(grids)
	testkit.Close(t, "base", effects.Base.Mean, want, 1e-6, 1e-5)
	testkit.Close(t, "its deviation", effects.Base.Std, sd, 1e-4, 0)
	for i, e := range effects.Effects {
		for p := range e.Mean {
			want, sd := weighted(given(func(row []int) bool { return row[i] == p }), mean, k)
			testkit.Close(t, "effect", e.Mean[p], want, 1e-6, 1e-5)
			testkit.Close(t, "its deviation", e.Std[p], sd, 1e-4, 0)
		}
	}
	for _, pair := range [][2]int{{0, 1}, {2, 0}} {
		e := a.Pair(pair[0], pair[1], grids[pair[0]], grids[pair[1]])
		n := 0
		for p := range grids[pair[0]] {
			for q := range grids[pair[1]] {
				want, sd := weighted(given(func(row []int) bool { return row[pair[0]] == p && row[pair[1]] == q }), mean, k)
				testkit.Close(t, "effect of two", e.Mean[n], want, 1e-6, 1e-5)
				testkit.Close(t, "its deviation", e.Std[n], sd, 1e-4, 0)
				n++
			}
		}
	}
	fixed := analysed(t, m, map[string]string{"a": few["a"], "b": few["b"], "c": "at(z)"}).Integral()
	want, sd = weighted(given(func(row []int) bool { return row[2] == 1 }), mean, k)
	testkit.Close(t, "given a level", fixed.Mean, want, 1e-6, 1e-5)
	testkit.Close(t, "its deviation", fixed.Std, sd, 1e-4, 0)
}

// What is no value of an input has no effect: NaN, and the others are as they are without it.
func TestEffectsOfWhatIsNoValueAreNaN(t *testing.T) {
	m, _ := fixture(t, "")
	a := analysed(t, m, few)
	want, got := a.Effects([][]float64{nil, nil, {0}}).Effects[0], a.Effects([][]float64{nil, nil, {-1, 0, 0.5, 1e300}}).Effects[0]
	for p := range got.Mean {
		if n := got.Mean[p] + got.Std[p]; p == 1 && n != want.Mean[0]+want.Std[0] || p != 1 && n == n {
			t.Errorf("level %g: %g and %g", got.Grid[0][p], got.Mean[p], got.Std[p])
		}
	}
	pair, one := a.Pair(0, 2, []float64{1}, []float64{7, 0}), a.Pair(0, 2, []float64{1}, []float64{0})
	if other := pair.Mean[0] + pair.Std[0]; other == other || pair.Mean[1] != one.Mean[0] || pair.Std[1] != one.Std[0] {
		t.Errorf("pairs of a level that there is not, and of another: %g and %g, want %g", pair.Mean, pair.Std, one.Mean)
	}
}

// Averages stand in for a missing value, so that its effect is the integral over the training rows.
func TestEffectOfAMissingValue(t *testing.T) {
	m, _ := fixture(t, "")
	a := analysed(t, m, nil)
	missing := []float64{math.NaN()}
	all := a.Effects([][]float64{missing, missing, missing})
	for i, e := range all.Effects {
		testkit.Close(t, a.Inputs()[i].Name, e.Mean[0], all.Base.Mean, 1e-6, 1e-6)
	}
}

// Sobol indices are those of the sums of squares over all combinations.
func TestSobolIndicesAreThoseOfAllCombinations(t *testing.T) {
	m, _ := fixture(t, "")
	a := analysed(t, m, few)
	rows, weight, at := combinations(t, a)
	f, _ := predicted(t, m, rows)
	// conditional variance explained by a set of inputs
	explained := func(set ...int) float64 {
		sums, mass := map[[3]int]float64{}, map[[3]int]float64{}
		var mean float64
		for r, w := range weight {
			key := [3]int{-1, -1, -1}
			for _, i := range set {
				key[i] = at[r][i]
			}
			sums[key] += w * f[r]
			mass[key] += w
			mean += w * f[r]
		}
		var v float64
		for key, sum := range sums {
			v += sum * sum / mass[key]
		}
		return v - mean*mean
	}
	total := explained(0, 1, 2)
	s, err := a.Sobol(ctx, analysis.SobolOptions{Samples: 1 << 14, Groups: [][]int{{0, 2}}, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got analysis.Estimate, want float64) {
		t.Helper()
		if got.Error <= 0 || math.Abs(got.Value-want) > 4*got.Error+1e-4*math.Abs(want) || got.Error > 0.03*math.Abs(want)+0.01 {
			t.Errorf("%s = %g ± %g, want %g", what, got.Value, got.Error, want)
		}
	}
	near("variance", s.Variance, total)
	scale := s.Variance.Value / total // what is divided by is an estimate
	others := [][]int{{1, 2}, {0, 2}, {0, 1}}
	for i := range 3 {
		testkit.Close(t, "first order", s.First[i]*scale, explained(i)/total, 1e-4, 1e-6)
		near("total", s.Total[i], 1-explained(others[i]...)/total)
	}
	if len(s.Pairs) != 3 {
		t.Fatalf("%d pairs", len(s.Pairs))
	}
	for k, p := range s.Pairs {
		testkit.Close(t, "second order", p.Index*scale, (explained(p.I, p.J)-explained(p.I)-explained(p.J))/total, 1e-3, 1e-5)
		if k > 0 && p.Index > s.Pairs[k-1].Index {
			t.Error("pairs do not descend")
		}
	}
	near("group", s.Groups[0].Closed, explained(0, 2)/total)
	near("group's total", s.Groups[0].Total, 1-explained(1)/total)

	again, err := a.Sobol(ctx, analysis.SobolOptions{Samples: 1 << 14, Groups: [][]int{{0, 2}}, Workers: 1})
	if err != nil || again.Total[1] != s.Total[1] || again.Groups[0].Total != s.Groups[0].Total {
		t.Errorf("results depend on the workers: %v, %v, %v", again.Total, s.Total, err)
	}
}

// Smooth laws against sampling.
func TestSmoothLawsAgreeWithSampling(t *testing.T) {
	m, _ := fixture(t, "")
	a := analysed(t, m, map[string]string{"a": "triangular(0,1,6)", "b": "normal(0.2,0.4)", "c": "uniform"})
	rng := rand.New(rand.NewPCG(1, 9))
	const n = 200000
	columns := make([][]float64, 3)
	for range n {
		u := rng.Float64()
		v := math.Sqrt(u * 6) // the inverse of the distribution function
		if u > 1./6 {
			v = 6 - math.Sqrt((1-u)*30)
		}
		columns[0], columns[1], columns[2] = append(columns[0], v), append(columns[1], 0.2+0.4*rng.NormFloat64()), append(columns[2], float64(rng.IntN(3)))
	}
	rows, err := table.New(table.ColumnOf("a", columns[0]), table.ColumnOf("b", columns[1]), table.Column{Name: "c", Kind: table.Category, Levels: []string{"x", "y", "z"}, Values: columns[2]})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(ctx, rows, model.PredictOptions{MeanAlone: true})
	if err != nil {
		t.Fatal(err)
	}
	var sum, square float64
	for _, v := range p.Location {
		sum += v / n
	}
	for _, v := range p.Location {
		square += (v - sum) * (v - sum) / n
	}
	s, err := a.Sobol(ctx, analysis.SobolOptions{Samples: 1 << 13})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "integral", a.Integral().Mean, sum, 0, 4*math.Sqrt(square/n))
	testkit.Close(t, "mean", s.Mean, sum, 0, 4*math.Sqrt(square/n))
	testkit.Close(t, "variance", s.Variance.Value, square, 0.03, 4*s.Variance.Error)
}

// The law of the training rows has the rows' moments, and the averages of the bases.
func TestTheLawOfTheTrainingRows(t *testing.T) {
	m, rows := fixture(t, "")
	a := analysed(t, m, nil)
	for i, in := range a.Inputs() {
		column, _ := rows.Column(in.Name)
		for power := 1.0; power <= 2; power++ {
			var want, got float64
			for _, v := range column {
				want += math.Pow(v, power) / float64(len(column))
			}
			for k, v := range a.Rule(i).Points {
				got += a.Rule(i).Weights[k] * math.Pow(v, power)
			}
			testkit.Close(t, in.Name+"'s moment", got, want, 0.01, 0.01)
		}
	}
	s, err := a.Sobol(ctx, analysis.SobolOptions{NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "mean by the rule and by the averages", s.Mean, a.Integral().Mean, 0, 1e-4)
	if s.Pairs != nil {
		t.Error("there are pairs that nobody asked for")
	}
}

func TestWhatCannotBeAnalysed(t *testing.T) {
	m, _ := fixture(t, "")
	var input *analysis.InputError
	if _, err := analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"bb": {}}}); !errors.As(err, &input) {
		t.Errorf("an unknown input: %v", err)
	}
	var outside *measure.OutsideError
	normal, _ := measure.Normal(0, 9)
	if _, err := analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"b": normal}}); !errors.As(err, &outside) {
		t.Errorf("a law beyond the box: %v", err)
	}
	if _, err := analysis.New(m, analysis.Options{Laws: map[string]measure.Law{"b": normal}, Truncate: true}); err != nil {
		t.Errorf("a law that is cut off: %v", err)
	}
	fixed := analysed(t, m, map[string]string{"a": "at(1)", "b": "at(0)", "c": "at(x)"})
	if _, err := fixed.Sobol(ctx, analysis.SobolOptions{}); err == nil {
		t.Error("what does not vary has indices")
	}
	if _, err := analysed(t, m, nil).Sobol(ctx, analysis.SobolOptions{Samples: 3}); err == nil {
		t.Error("three samples have an error")
	}
	var option *limit.OptionError
	for _, group := range wrongGroups {
		if _, err := analysed(t, m, nil).Sobol(ctx, analysis.SobolOptions{Groups: [][]int{group}, Workers: 2}); !errors.As(err, &option) {
			t.Errorf("group %v: %v", group, err)
		}
	}
}
