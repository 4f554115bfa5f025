package simplex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"beziergp/internal/testkit"
	"beziergp/metric"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
	"beziergp/rival/method/exact"
	"beziergp/rival/method/oracle"
)

// exactly has probes that are the columns of the root of the preconditioner, and so no
// error but rounding.
func exactly(data method.Data, m Method, rank, workers int) *evidence {
	n := data.Rows()
	m.Probes = rank + n
	m, err := m.options()
	if err != nil {
		panic(err)
	}
	e := newEvidence(context.Background(), method.Environment{Workers: workers, Seed: 1}, m, data)
	e.options.Rank, e.inner = rank, dense.New(rank, m.Probes)
	dense.Clear(e.outer)
	root := math.Sqrt(float64(m.Probes))
	for i := range rank {
		dense.Row(e.inner, i)[i] = root
	}
	for i := range n {
		dense.Row(e.outer, i)[rank+i] = root
	}
	e.tolerance, e.steps = 1e-11, 10*n
	return e
}

// covariances is K̂ of the rows written out, by the filter of unit vectors.
func covariances(t *testing.T, e *evidence, h covariance.Hyper) *mat.SymDense {
	t.Helper()
	s, err := e.system(&h)
	if err != nil {
		t.Fatal(err)
	}
	n := e.data.Rows()
	unit, k := dense.New(n, n), dense.New(n, n)
	for i := range n {
		unit.Data[i*n+i] = 1
	}
	if err := s.mul(k, unit); err != nil {
		t.Fatal(err)
	}
	return mat.NewSymDense(n, k.Data)
}

func logDensity(t *testing.T, y []float64, k *mat.SymDense, mean float64) float64 {
	t.Helper()
	mu := make([]float64, len(y))
	for i := range mu {
		mu[i] = mean
	}
	law, ok := distmv.NewNormal(mu, k, nil)
	if !ok {
		t.Fatal("covariance not positive definite")
	}
	return law.LogProb(y)
}

func TestEvidenceIsTheNormalDensity(t *testing.T) {
	const n = 70
	for _, d := range []int{1, 3} {
		for _, family := range oracle.Families() {
			data, h := oracle.Sample(1, n, d, 1), oracle.Hyper(family, d)
			for _, rank := range []int{0, 15} {
				e := exactly(data, Method{Family: family}, rank, 2)
				got, err := e.value(&h, nil)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Close(t, fmt.Sprint(family, " evidence, rank ", rank), got, logDensity(t, data.Y, covariances(t, e, h), h.Mean), 1e-6, 1e-6)
			}
		}
	}
}

// The usual probes are near: ten standard deviations of a mean of ten are still less.
func TestUsualProbesAreNear(t *testing.T) {
	const n, d = 600, 2
	data, h := oracle.Sample(2, n, d, 1), oracle.Hyper(covariance.Matern32, d)
	m, err := Method{Family: covariance.Matern32}.options()
	if err != nil {
		t.Fatal(err)
	}
	e := newEvidence(context.Background(), method.Environment{Workers: 2}, m, data)
	e.tolerance, e.steps = tight, tightSteps
	got, err := e.value(&h, nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "evidence a row", got/n, logDensity(t, data.Y, covariances(t, e, h), h.Mean)/n, 0.02, 0)
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, d = 60, 2
	data := oracle.Sample(3, n, d, 1)
	for _, family := range oracle.Families() {
		h := oracle.Hyper(family, d)
		e := exactly(data, Method{Family: family}, 10*int(family), 2)
		g := covariance.HyperGradient{Gradient: covariance.Gradient{LogLengths: make([]float64, d)}}
		if _, err := e.value(&h, &g); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, h.Len())
		g.Pack(got, &h)
		want := oracle.Gradient(t, h, nil, func(moved covariance.Hyper, _ []float64) float64 {
			return logDensity(t, data.Y, covariances(t, e, moved), moved.Mean)
		})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-4, 1e-4)
		}
	}
}

func TestMomentsAreTheConditionalNormals(t *testing.T) {
	const n, d, draws = 120, 2, 4000
	all, h := oracle.Sample(5, n+1, d, 1), oracle.Hyper(covariance.RBF, d)
	// The lattice of all rows has the vertices that the last alone would add.
	rows := method.Data{X: all.X[:n*d], Y: all.Y[:n], Inputs: d}
	m, err := Method{Draws: draws}.options()
	if err != nil {
		t.Fatal(err)
	}
	env := method.Environment{Workers: 2, Seed: 1}
	p := &Process{workers: 2, inputs: rows.X, learned: learned{Options: m, Hyper: h, Seed: 1}}
	if err := p.condition(context.Background(), newEvidence(context.Background(), env, m, rows)); err != nil {
		t.Fatal(err)
	}
	mean, variance := make([]float64, n), make([]float64, n)
	if err := p.moments(context.Background(), rows.X, mean, variance); err != nil {
		t.Fatal(err)
	}
	// At a training row: K̂ without noise, given K̂.
	k := covariances(t, exactly(rows, Method{}, 0, 1), h)
	var chol mat.Cholesky
	chol.Factorize(k)
	y := mat.NewVecDense(n, nil)
	for i, v := range rows.Y {
		y.SetVec(i, v-h.Mean)
	}
	for _, i := range []int{0, 17, 80} {
		own := mat.NewVecDense(n, nil)
		for j := range n {
			own.SetVec(j, k.At(i, j))
		}
		own.SetVec(i, k.At(i, i)-h.Noise)
		var solved mat.VecDense
		if err := chol.SolveVecTo(&solved, own); err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, fmt.Sprint("mean of row ", i), mean[i], h.Mean+mat.Dot(&solved, y), 5e-3, 0)
		// Five standard deviations of the mean of so many squares.
		testkit.Close(t, fmt.Sprint("variance of row ", i), variance[i]-h.Noise, own.AtVec(i)-mat.Dot(&solved, own), 0, 5*math.Sqrt(2.0/draws))
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	data := oracle.Sample(6, 3000, 3, 1) // several blocks
	var first []float64
	for _, workers := range []int{1, 3} {
		h := oracle.Hyper(covariance.Matern32, 3)
		m, err := Method{Rank: 20, Family: covariance.Matern32}.options()
		if err != nil {
			t.Fatal(err)
		}
		e := newEvidence(context.Background(), method.Environment{Workers: workers}, m, data)
		g := covariance.HyperGradient{Gradient: covariance.Gradient{LogLengths: make([]float64, 3)}}
		v, err := e.value(&h, &g)
		if err != nil {
			t.Fatal(err)
		}
		all := append(g.LogLengths, v, g.Noise, g.Mean, g.LogVariance)
		if first == nil {
			first = all
		} else if !slices.Equal(first, all) {
			t.Errorf("%v with one worker, %v with three", first, all)
		}
	}
}

// On few inputs the lattice's process predicts about as well as the one that it stands
// for.
func TestFitIsNearTheExactProcess(t *testing.T) {
	const n, d = 400, 2
	data, test := oracle.Sample(7, n, d, 1), oracle.Sample(8, 300, d, 1)
	score := func(m method.Method) (rmse, nlpd float64) {
		r, err := m.Fit(context.Background(), data, method.Environment{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		mean, std := make([]float64, len(test.Y)), make([]float64, len(test.Y))
		if err := r.Predict(context.Background(), test.X, mean, std); err != nil {
			t.Fatal(err)
		}
		return metric.RMSE(test.Y, mean), metric.NLPD(test.Y, mean, std)
	}
	rmse, nlpd := score(Method{})
	want, wantNLPD := score(exact.Method{Steps: 50})
	t.Logf("RMSE %.4f, NLPD %.3f; exact %.4f, %.3f", rmse, nlpd, want, wantNLPD)
	if rmse > 1.5*want || nlpd > wantNLPD+0.4 {
		t.Errorf("RMSE %.4f, NLPD %.3f; exact %.4f, %.3f", rmse, nlpd, want, wantNLPD)
	}
}

func TestOptionsAndMemoryAreRefused(t *testing.T) {
	data := oracle.Sample(9, 50, 3, 1)
	for _, m := range []Method{{Rate: 2}, {Steps: -1}, {Probes: -1}, {Rank: 1 << 20}, {Draws: -3}, {Family: 9}, {Memory: -1}} {
		if _, err := m.Fit(context.Background(), data, method.Environment{}); err == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
	_, err := Method{Memory: 1000}.Fit(context.Background(), data, method.Environment{})
	var bad *method.DataError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "sgpr") {
		t.Errorf("%v", err)
	}
}
