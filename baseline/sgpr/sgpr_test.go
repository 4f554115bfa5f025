package sgpr

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"beziergp/baseline"
	"beziergp/baseline/dense"
	"beziergp/baseline/inducing"
	"beziergp/baseline/kern"
	"beziergp/internal/testkit"

	"gonum.org/v1/gonum/blas/blas64"
)

var families = []kern.Family{kern.RBF, kern.Matern12, kern.Matern32, kern.Matern52}

func sample(seed uint64, n, d int) baseline.Data {
	r := rand.New(rand.NewPCG(seed, 0))
	data := baseline.Data{X: make([]float64, n*d), Y: make([]float64, n), Inputs: d}
	for i := range data.X {
		data.X[i] = 2 * r.NormFloat64()
	}
	for i := range data.Y {
		data.Y[i] = math.Sin(2*data.X[i*d]) + 0.1*r.NormFloat64()
	}
	return data
}

func hyper(family kern.Family, d int) kern.Hyper {
	h := kern.Hyper{Kernel: kern.Kernel{Family: family, Variance: 1.3, Lengths: make([]float64, d)}, Noise: 0.05, Mean: 0.2}
	for j := range h.Lengths {
		h.Lengths[j] = 0.7 + 0.3*float64(j)
	}
	return h
}

func newBound(data baseline.Data, workers int) *bound {
	return &bound{ctx: context.Background(), workers: workers, data: data, first: 1e-10}
}

func value(t *testing.T, b *bound, h kern.Hyper, z []float64) float64 {
	t.Helper()
	v, err := b.value(&h, z, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// joint is the normal distribution of y at the rows, by gonum.
func joint(t *testing.T, data baseline.Data, h kern.Hyper) *distmv.Normal {
	t.Helper()
	n := data.Rows()
	values, p := dense.New(n, n), h.Points(data.X, nil)
	h.Values(values, blas64.General{}, p, p)
	sigma, mu := mat.NewSymDense(n, values.Data), make([]float64, n)
	for i := range n {
		mu[i] = h.Mean
		sigma.SetSym(i, i, sigma.At(i, i)+h.Noise)
	}
	dist, ok := distmv.NewNormal(mu, sigma, nil)
	if !ok {
		t.Fatal("covariance not positive definite")
	}
	return dist
}

// With inducing points at the rows nothing is lost.
func TestInducingPointsAtTheRowsAreExact(t *testing.T) {
	const n, d = 80, 3
	for _, family := range families {
		all, h := sample(1, n+1, d), hyper(family, d)
		rows := baseline.Data{X: all.X[:n*d], Y: all.Y[:n], Inputs: d}
		b := newBound(rows, 2)
		testkit.Close(t, fmt.Sprint(family, " bound"), value(t, b, h, rows.X), joint(t, rows, h).LogProb(rows.Y), 1e-5, 0)
		given := make([]int, n)
		for i := range given {
			given[i] = i
		}
		exact, ok := joint(t, all, h).ConditionNormal(given, rows.Y, nil)
		if !ok {
			t.Fatal("no conditional distribution")
		}
		var sigma mat.SymDense
		exact.CovarianceMatrix(&sigma)
		mean, variance := make([]float64, 1), make([]float64, 1)
		p := inducing.NewPosterior(nil, 1, h, rows.X, b.inverse, b.mean, b.root)
		if err := p.Moments(context.Background(), all.X[n*d:], mean, variance); err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, fmt.Sprint(family, " mean"), mean[0], exact.Mean(nil)[0], 1e-5, 1e-6)
		testkit.Close(t, fmt.Sprint(family, " variance"), variance[0], sigma.At(0, 0), 1e-5, 0)
	}
}

func TestBoundRisesWithNestedPointsUpToTheEvidence(t *testing.T) {
	const n, d = 300, 2 // several blocks
	data := sample(2, n, d)
	for _, family := range families {
		h := hyper(family, d)
		evidence, last := joint(t, data, h).LogProb(data.Y), math.Inf(-1)
		for _, m := range []int{1, 5, 20, 60, 200, n} {
			v := value(t, newBound(data, 2), h, data.X[:m*d])
			if v < last || v > evidence+1e-3 {
				t.Errorf("%s: bound %g with %d points, %g with fewer, evidence %g", family, v, m, last, evidence)
			}
			last = v
		}
	}
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, m, d = 300, 6, 2
	data, z := sample(3, n, d), sample(4, m, d).X
	for _, family := range families {
		h := hyper(family, d)
		own := h.Len()
		at := make([]float64, own, own+len(z))
		h.Pack(at)
		at = append(at, z...)
		b := newBound(data, 2)
		b.first = 1e-3 // so that its gradient counts
		g, got := kern.HyperGradient{Gradient: kern.Gradient{LogLengths: make([]float64, d)}}, make([]float64, len(at))
		if _, err := b.value(&h, z, &g, got[own:]); err != nil {
			t.Fatal(err)
		}
		g.Pack(got, &h)
		want := fd.Gradient(nil, func(x []float64) float64 {
			moved := hyper(family, d)
			if err := moved.Unpack(x); err != nil {
				t.Fatal(err)
			}
			return value(t, b, moved, x[own:])
		}, at, &fd.Settings{Formula: fd.Central})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-5, 1e-4)
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	data := sample(5, 600, 2)
	gradients := map[int][]float64{}
	for _, workers := range []int{1, 3} {
		h := hyper(kern.Matern32, 2)
		g, dz := kern.HyperGradient{Gradient: kern.Gradient{LogLengths: make([]float64, 2)}}, make([]float64, 140)
		v, err := newBound(data, workers).value(&h, data.X[:140], &g, dz)
		if err != nil {
			t.Fatal(err)
		}
		gradients[workers] = append(dz, v, g.Noise, g.Mean, g.LogVariance)
	}
	if !slices.Equal(gradients[1], gradients[3]) {
		t.Error("the bound depends on the number of workers")
	}
}

func TestFitRaisesTheBoundAndMovesPoints(t *testing.T) {
	data := sample(6, 200, 1)
	env := baseline.Environment{Workers: 1}
	var bounds []float64
	for _, m := range []Method{{Inducing: 8, Fixed: true}, {Inducing: 8}} {
		r, err := m.Fit(context.Background(), data, env)
		if err != nil {
			t.Fatal(err)
		}
		bounds = append(bounds, r.(*Process).Bound())
	}
	if !(bounds[1] > bounds[0]+1) {
		t.Errorf("bound %g with fixed points, %g with free ones", bounds[0], bounds[1])
	}
	for _, m := range []Method{{Inducing: -1}, {Jitter: 2}, {Family: 9}, {Steps: -1}} {
		if _, err := m.Fit(context.Background(), data, env); err == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
}
