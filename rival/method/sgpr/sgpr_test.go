package sgpr

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
	"beziergp/rival/method/oracle"
)

func newBound(data method.Data, workers int) *bound {
	return &bound{ctx: context.Background(), workers: workers, data: data, first: 1e-10}
}

func value(t *testing.T, b *bound, h covariance.Hyper, z []float64) float64 {
	t.Helper()
	v, err := b.value(&h, z, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// With inducing points at the rows nothing is lost.
func TestInducingPointsAtTheRowsAreExact(t *testing.T) {
	const n, d = 80, 3
	for _, family := range oracle.Families() {
		all, h := oracle.Sample(1, n+1, d, 2), oracle.Hyper(family, d)
		rows := method.Data{X: all.X[:n*d], Y: all.Y[:n], Inputs: d}
		b := newBound(rows, 2)
		testkit.Close(t, fmt.Sprint(family, " bound"), value(t, b, h, rows.X), oracle.Joint(t, rows, h).LogProb(rows.Y), 1e-5, 0)
		wantMean, wantVariance := oracle.Last(t, all, h)
		mean, variance := make([]float64, 1), make([]float64, 1)
		p := inducing.NewPosterior(nil, 1, h, rows.X, b.inverse, b.mean, b.root)
		if err := p.Moments(context.Background(), all.X[n*d:], mean, variance); err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, fmt.Sprint(family, " mean"), mean[0], wantMean, 1e-5, 1e-6)
		testkit.Close(t, fmt.Sprint(family, " variance"), variance[0], wantVariance, 1e-5, 0)
	}
}

func TestBoundRisesWithNestedPointsUpToTheEvidence(t *testing.T) {
	const n, d = 300, 2 // several blocks
	data := oracle.Sample(2, n, d, 2)
	for _, family := range oracle.Families() {
		h := oracle.Hyper(family, d)
		evidence, last := oracle.Joint(t, data, h).LogProb(data.Y), math.Inf(-1)
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
	data, z := oracle.Sample(3, n, d, 2), oracle.Sample(4, m, d, 2).X
	for _, family := range oracle.Families() {
		h := oracle.Hyper(family, d)
		own := h.Len()
		b := newBound(data, 2)
		b.first = 1e-3 // so that its gradient counts
		g, got := covariance.NewHyperGradient(d), make([]float64, own+len(z))
		if _, err := b.value(&h, z, &g, got[own:]); err != nil {
			t.Fatal(err)
		}
		g.Pack(got, &h)
		want := oracle.Gradient(t, h, z, func(moved covariance.Hyper, z []float64) float64 { return value(t, b, moved, z) })
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-5, 1e-4)
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	data := oracle.Sample(5, 600, 2, 2)
	gradients := map[int][]float64{}
	for _, workers := range []int{1, 3} {
		h := oracle.Hyper(covariance.Matern32, 2)
		g, dz := covariance.NewHyperGradient(2), make([]float64, 140)
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
	data := oracle.Sample(6, 200, 1, 2)
	env := method.Environment{Workers: 1}
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
