package analysis_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"beziergp/analysis"
	"beziergp/box"
	"beziergp/internal/limit"
	"beziergp/internal/testkit"
	"beziergp/table"
)

func some(t testing.TB, rows *table.Table, from, to int) *table.Table {
	t.Helper()
	keep := make([]bool, rows.Rows())
	for i := from; i < to; i++ {
		keep[i] = true
	}
	return rows.Filter(keep)
}

func newRows(t testing.TB, n int) (*analysis.Rows, *mat.Dense, []float64) {
	t.Helper()
	m, rows := fixture(t, "")
	rows = some(t, rows, 0, n)
	mean, k := predicted(t, m, rows)
	r, err := analysis.NewRows(ctx, m, rows, analysis.RowsOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r, k, mean
}

func TestCovariancesBetweenRows(t *testing.T) {
	r, want, mean := newRows(t, 120)
	k, err := r.Covariance(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range mean {
		testkit.Close(t, "mean", r.Mean()[i], mean[i], 1e-6, 1e-6)
		for j := range mean {
			testkit.Close(t, "covariance", k.At(i, j), want.At(i, j), 1e-4, 1e-5)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(k, false) {
		t.Fatal("no eigenvalues")
	}
	values := e.Values(nil)
	if lowest, highest := values[0], values[len(values)-1]; lowest < -1e-13*float64(len(mean))*highest {
		t.Errorf("the lowest eigenvalue is %g, the highest %g", lowest, highest)
	}
}

// The deviation of a mean over rows is that of the means of drawn functions.
func TestTheMeanOverRows(t *testing.T) {
	r, k, mean := newRows(t, 60)
	w := make([]float64, len(mean))
	for i := range w {
		w[i] = 1 / float64(len(w))
	}
	want, sd := weighted(w, mean, k)
	got, err := r.Weighted(ctx, w, 0)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "mean", got.Mean, want, 1e-6, 0)
	testkit.Close(t, "deviation", got.Std, sd, 1e-4, 0)
	const n = 10000
	d, err := r.Draw(ctx, n, 5)
	if err != nil {
		t.Fatal(err)
	}
	var sum, square float64
	for _, own := range d.Values {
		var average float64
		for i, v := range own {
			average += w[i] * v
		}
		sum += average / n
		square += (average - got.Mean) * (average - got.Mean) / n
	}
	testkit.Close(t, "mean of draws", sum, got.Mean, 0, 4*got.Std/100)
	testkit.Close(t, "deviation of draws", math.Sqrt(square), got.Std, 0.03, 0)
}

// Where all pairs are too many the deviation is an estimate with an error.
func TestTheMeanOverManyRows(t *testing.T) {
	m, _ := fixture(t, "")
	rows := training(1200)
	r, err := analysis.NewRows(ctx, m, rows, analysis.RowsOptions{Workers: 2, MostPairs: 1000})
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, r.Len())
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range w {
		w[i] = 2 * rng.Float64() / float64(len(w))
	}
	began := time.Now()
	a, err := r.Weighted(ctx, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	estimated := time.Since(began)
	k, err := r.Covariance(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("an estimate in %v, all pairs in %v", estimated, time.Since(began)-estimated)
	v := mat.NewVecDense(len(w), w)
	want := math.Sqrt(mat.Inner(v, k, v))
	if !(a.StdError > 0 && a.StdError < 0.05*want) || math.Abs(a.Std-want) > 4*a.StdError {
		t.Errorf("deviation %g ± %g, want %g", a.Std, a.StdError, want)
	}
}

// A drawn function is one function, whatever the order and the portions it is asked for in.
func TestAFunctionIsConsistent(t *testing.T) {
	m, rows := fixture(t, "")
	o := analysis.RowsOptions{Workers: 2}
	at := func(f *analysis.Function, from, to int) []float64 {
		v, err := f.At(ctx, some(t, rows, from, to))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	whole := at(analysis.NewFunction(m, 3, 2, o), 0, 40)
	f := analysis.NewFunction(m, 3, 2, o)
	parts := append(at(f, 0, 7), at(f, 7, 25)...)
	parts = append(parts, at(f, 25, 40)...)
	r, err := analysis.NewRows(ctx, m, some(t, rows, 0, 40), o)
	if err != nil {
		t.Fatal(err)
	}
	var option *limit.OptionError
	if _, err := r.Draw(ctx, -1, 3); !errors.As(err, &option) {
		t.Errorf("fewer draws than none: %v", err)
	}
	d, err := r.Draw(ctx, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	again := at(f, 3, 10)
	for i := range whole {
		testkit.Close(t, "in parts", parts[i], whole[i], 0, 2e-4)
		testkit.Close(t, "of rows", d.Values[2][i], whole[i], 0, 2e-4)
		if i >= 3 && i < 10 {
			testkit.Close(t, "again", again[i-3], whole[i], 0, 2e-4)
		}
	}
	if d.Values[0][0] == d.Values[1][0] {
		t.Error("two draws are one")
	}
}

func TestRowsThatCannotBeTaken(t *testing.T) {
	m, rows := fixture(t, "")
	if _, err := analysis.NewRows(ctx, m, some(t, rows, 0, 0), analysis.RowsOptions{}); !errors.Is(err, analysis.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	far, err := table.New(table.ColumnOf("a", []float64{1}), table.ColumnOf("b", []float64{77}), table.Column{Name: "c", Kind: table.Category, Levels: []string{"x"}, Values: []float64{0}})
	if err != nil {
		t.Fatal(err)
	}
	var outside *box.OutsideError
	for _, policy := range []box.Policy{box.Refuse, box.Flag} {
		if _, err := analysis.NewRows(ctx, m, far, analysis.RowsOptions{Policy: policy}); !errors.As(err, &outside) {
			t.Errorf("policy %s: %v", policy, err)
		}
	}
	if r, err := analysis.NewRows(ctx, m, far, analysis.RowsOptions{}); err != nil || r.Outside() != 1 {
		t.Errorf("clipped: %v", err)
	}
	less, err := table.New(table.ColumnOf("a", []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := analysis.NewRows(ctx, m, less, analysis.RowsOptions{}); err == nil {
		t.Error("columns are missing")
	}
}
