package analysis_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"beziergp/analysis"
	"beziergp/dataset/profile"
	"beziergp/internal/testkit"
	"beziergp/model"
	"beziergp/table"
)

// design are training rows by bin: every combination of bins, so often as the product of
// these shares says. Values of the inputs are one a bin.
var design = struct {
	shares [3][]int
	values [3][]float64
	cuts   [2][]float64
	rows   int
}{
	shares: [3][]int{{3, 1, 2}, {1, 4, 2, 1}, {2, 1, 3}},
	values: [3][]float64{{0, 2, 6}, {-1.5, 0.25, 1, 1.75}, {0, 1, 2}},
	cuts:   [2][]float64{{1, 4}, {-1, 0.5, 1.5}},
	rows:   6 * 8 * 6,
}

const residualMean, residualStd = 0.3, 2.0

// withResiduals returns the model with residuals and a profile of the design.
func withResiduals(t testing.TB, m *model.Model, effective float64) *model.Model {
	t.Helper()
	p := &profile.Profile{Targets: []profile.Column{{Lo: 0, Hi: 1, Counts: []int{0, design.rows, 0}}}}
	for i, in := range m.Inputs() {
		c := profile.Column{Nodes: in.Nodes()}
		total := 0
		for _, share := range design.shares[i] {
			total += share
		}
		for _, share := range design.shares[i] {
			c.Counts = append(c.Counts, design.rows/total*share)
		}
		if i < 2 {
			c.Nodes, c.Lo, c.Hi, c.Cuts = 0, in.Lo, in.Hi, design.cuts[i]
			c.Counts = append([]int{0}, c.Counts...)
		}
		c.Counts = append(c.Counts, 0)
		p.Inputs = append(p.Inputs, c)
	}
	training := m.Training()
	training.Residuals = &model.Residuals{Rows: design.rows, Mean: residualMean, Std: residualStd, Effective: effective}
	return must[*model.Model](t)(model.New(model.Parts{
		Posterior: m.Posterior(), Inputs: m.Inputs(), Outputs: []model.Output{m.Output()}, Policy: m.Policy(), Training: training, Profile: p,
	}))
}

// ofLeastSquares returns the variance of an average of a function of main effects,
// β_0 + Σ_i β_i,b_i(x), under independent masses by bin, that the design leaves to least squares at
// the residuals' variance.
func ofLeastSquares(t testing.TB, masses [3][]float64) float64 {
	t.Helper()
	var x []float64 // [rows, 1 + Σ (bins − 1)]
	n, width := 0, 1
	for _, shares := range design.shares {
		width += len(shares) - 1
	}
	testkit.EachPath([]int{3, 4, 3}, func(path []int) {
		times := 1
		for i, b := range path {
			times *= design.shares[i][b]
		}
		for range times {
			row, at := make([]float64, width), 1
			row[0] = 1
			for i, b := range path {
				if b > 0 {
					row[at+b-1] = 1
				}
				at += len(design.shares[i]) - 1
			}
			x, n = append(x, row...), n+1
		}
	})
	if n != design.rows {
		t.Fatalf("%d rows", n)
	}
	functional := []float64{1}
	for _, q := range masses {
		functional = append(functional, q[1:]...)
	}
	rows := mat.NewDense(n, width, x)
	var normal mat.SymDense
	normal.SymOuterK(1, rows.T())
	var c mat.Cholesky
	if !c.Factorize(&normal) {
		t.Fatal("the design is singular")
	}
	l := mat.NewVecDense(width, functional)
	var solved mat.VecDense
	if err := c.SolveVecTo(&solved, l); err != nil {
		t.Fatal(err)
	}
	return residualStd * residualStd * mat.Dot(l, &solved)
}

// The common variance is what least squares leave uncertain of main effects, whether an
// average is over laws or over rows.
func TestTheCommonErrorIsThatOfMainEffects(t *testing.T) {
	plain, _ := fixture(t, "")
	m := withResiduals(t, plain, float64(design.rows))
	masses := [3][]float64{{2. / 6, 1. / 6, 3. / 6}, {2. / 6, 0, 3. / 6, 1. / 6}, {0.75, 0, 0.25}}
	law := map[string]string{"a": "levels(0:2,2:1,6:3)", "b": "levels(-1.5:2,1:3,1.75:1)", "c": "levels(x:3,z:1)"}
	// beyond returns what the residuals add to a variance.
	beyond := func(with, without float64) float64 { return with*with - without*without }

	a, before := analysed(t, m, law), analysed(t, plain, law)
	want := residualMean*residualMean + ofLeastSquares(t, masses)
	got, closed := a.Integral(), before.Integral()
	if got.Mean != closed.Mean {
		t.Errorf("the mean is %g, and %g without residuals", got.Mean, closed.Mean)
	}
	testkit.Close(t, "an integral", beyond(got.Std, closed.Std), want, 1e-9, 0)

	rows, weight, _ := combinations(t, a)
	r, err := analysis.NewRows(ctx, m, rows, analysis.RowsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own, err := r.Weighted(ctx, weight, 0)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "an average over rows", own.Std, got.Std, 1e-5, 0)
	k, err := r.Covariance(ctx)
	if err != nil {
		t.Fatal(err)
	}
	w := mat.NewVecDense(len(weight), weight)
	testkit.Close(t, "by all covariances", math.Sqrt(mat.Inner(w, k, w)), got.Std, 1e-5, 0)
	var e mat.EigenSym
	if !e.Factorize(k, false) || e.Values(nil)[0] < -1e-12*float64(len(weight))*e.Values(nil)[len(weight)-1] {
		t.Error("covariances are not positive semi-definite")
	}

	// With an input given its mass is in one bin; that of all training rows is theirs.
	single := masses
	single[1] = []float64{0, 0, 1, 0}
	effect, was := a.Effects([][]float64{nil, {0.25, 1}, nil}).Effects[0], before.Effects([][]float64{nil, {0.25, 1}, nil}).Effects[0]
	testkit.Close(t, "an effect", beyond(effect.Std[1], was.Std[1]), residualMean*residualMean+ofLeastSquares(t, single), 1e-9, 0)
	single[0] = []float64{0, 1, 0}
	pair, wasPair := a.Pair(0, 1, []float64{2}, []float64{1}), before.Pair(0, 1, []float64{2}, []float64{1})
	testkit.Close(t, "an effect of two", beyond(pair.Std[0], wasPair.Std[0]), residualMean*residualMean+ofLeastSquares(t, single), 1e-9, 0)
	all, wasAll := analysed(t, m, nil).Integral(), analysed(t, plain, nil).Integral()
	testkit.Close(t, "over the training rows", beyond(all.Std, wasAll.Std), residualMean*residualMean+residualStd*residualStd/float64(design.rows), 1e-9, 0)
}

// The difference of two means over the same rows is certain, and no residuals make the
// error of a row larger than they are.
func TestWhatIsCommonCancels(t *testing.T) {
	plain, _ := fixture(t, "")
	m := withResiduals(t, plain, 3) // fewer than bins
	rows, weight, _ := combinations(t, analysed(t, m, few))
	r, err := analysis.Joined(ctx, m, rows, rows, analysis.RowsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	both := append([]float64(nil), weight...)
	for _, w := range weight {
		both = append(both, -w)
	}
	got, err := r.Weighted(ctx, both, 0)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "difference", got.Std, 0, 0, 1e-6)

	// Over rows as often as the design has them the common variance of a row is s² + r̄².
	law := map[string]string{"a": "levels(0:3,2:1,6:2)", "b": "levels(-1.5:1,0.25:4,1:2,1.75:1)", "c": "levels(x:2,y:1,z:3)"}
	rows, weight, _ = combinations(t, analysed(t, m, law))
	var sum float64
	with, without := covariances(t, m, rows), covariances(t, plain, rows)
	for i, w := range weight {
		sum += w * (with.At(i, i) - without.At(i, i))
	}
	testkit.Close(t, "variance of a row", sum, residualStd*residualStd+residualMean*residualMean, 1e-9, 0)
}

func covariances(t testing.TB, m *model.Model, rows *table.Table) *mat.SymDense {
	t.Helper()
	r := must[*analysis.Rows](t)(analysis.NewRows(ctx, m, rows, analysis.RowsOptions{}))
	return must[*mat.SymDense](t)(r.Covariance(ctx))
}

// Many rows, whose covariances are an estimate, have the common error in whole.
func TestTheCommonErrorOfManyRows(t *testing.T) {
	plain, _ := fixture(t, "")
	m := withResiduals(t, plain, float64(design.rows))
	rows := training(1200)
	w := make([]float64, rows.Rows())
	for i := range w {
		w[i] = 1 / float64(len(w))
	}
	var std [2]float64
	for k, most := range []int{0, 1000} {
		r := must[*analysis.Rows](t)(analysis.NewRows(ctx, m, rows, analysis.RowsOptions{Workers: 2, MostPairs: most}))
		std[k] = must[analysis.Average](t)(r.Weighted(ctx, w, 1)).Std
	}
	testkit.Close(t, "an estimate of the deviation", std[1], std[0], 0.05, 0)
	if std[0] < math.Hypot(residualMean, residualStd/math.Sqrt(float64(design.rows))) {
		t.Errorf("the deviation %g has no residuals in it", std[0])
	}
}
