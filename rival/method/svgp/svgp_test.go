package svgp

import (
	"context"
	"fmt"
	"testing"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/inducing"
	"beziergp/rival/method/oracle"
	"beziergp/rival/method/sgpr"
)

const jitter = 1e-10

func newTestBatch(t *testing.T, h covariance.Hyper, z []float64, rows method.Data, n int) *inducing.Batch {
	t.Helper()
	b, err := inducing.NewBatch(context.Background(), 2, &h, z, jitter, rows, n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func stepped(t *testing.T, b *inducing.Batch, rhos ...float64) *inducing.Gaussian {
	t.Helper()
	q := inducing.NewGaussian(b.Prior.Points.N)
	for _, rho := range rhos {
		if err := b.Step(q, rho); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func value(t *testing.T, b *inducing.Batch, q *inducing.Gaussian) float64 {
	t.Helper()
	v, err := b.Value(q, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The likelihood is Gaussian, so one natural step of size 1 on all rows is the optimum;
// with inducing points at the rows it is the exact process.
func TestOneNaturalStepIsExact(t *testing.T) {
	const n, d = 80, 3
	for _, family := range oracle.Families() {
		all, h := oracle.Sample(1, n+1, d, 2), oracle.Hyper(family, d)
		rows := method.Data{X: all.X[:n*d], Y: all.Y[:n], Inputs: d}
		b := newTestBatch(t, h, rows.X, rows, n)
		q := stepped(t, b, 0.3, 1) // from anywhere
		testkit.Close(t, fmt.Sprint(family, " bound"), value(t, b, q), oracle.Joint(t, rows, h).LogProb(rows.Y), 1e-5, 0)
		wantMean, wantVariance := oracle.Last(t, all, h)
		mean, variance := make([]float64, 1), make([]float64, 1)
		p := inducing.NewPosterior(nil, 1, h, rows.X, b.Prior.Inverse, q.Mean, q.Root)
		if err := p.Moments(context.Background(), all.X[n*d:], mean, variance); err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, fmt.Sprint(family, " mean"), mean[0], wantMean, 1e-5, 1e-6)
		testkit.Close(t, fmt.Sprint(family, " variance"), variance[0], wantVariance, 1e-5, 0)
	}
}

// Below the collapsed bound for any Gaussian, which it meets at the best one. A fit of
// SGPR gives the collapsed bound at its own parameters.
func TestBoundStaysBelowTheCollapsedOne(t *testing.T) {
	data := oracle.Sample(2, 200, 2, 2)
	const points = 15
	r, err := sgpr.Method{Inducing: points, Steps: 5, Jitter: jitter}.Fit(context.Background(), data, method.Environment{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := r.(*sgpr.Process)
	standard, _, err := method.Standardise(data)
	if err != nil {
		t.Fatal(err)
	}
	b := newTestBatch(t, p.Hyper(), p.Inputs(), standard, 200)
	last := value(t, b, inducing.NewGaussian(points))
	for _, rhos := range [][]float64{{0.1}, {0.3}, {0.9}} {
		v := value(t, b, stepped(t, b, rhos...))
		if v < last || v > p.Bound() {
			t.Errorf("bound %g after %g, %g before, %g collapsed", v, rhos, last, p.Bound())
		}
		last = v
	}
	testkit.Close(t, "best bound", value(t, b, stepped(t, b, 1)), p.Bound(), 1e-6, 0)
}

func TestBatchesAverageToTheBound(t *testing.T) {
	const n, d = 120, 2
	data, h := oracle.Sample(3, n, d, 2), oracle.Hyper(covariance.Matern52, d)
	z := data.X[:10*d]
	whole := newTestBatch(t, h, z, data, n)
	q := stepped(t, whole, 0.5)
	var mean float64
	for from := 0; from < n; from += 40 {
		part := method.Data{X: data.X[from*d : (from+40)*d], Y: data.Y[from : from+40], Inputs: d}
		mean += value(t, newTestBatch(t, h, z, part, n), q) / 3
	}
	testkit.Close(t, "average", mean, value(t, whole, q), 1e-12, 0)
}

func TestGradientAgreesWithDifferences(t *testing.T) {
	const n, m, d = 70, 6, 2
	data, z := oracle.Sample(4, n, d, 2), oracle.Sample(5, m, d, 2).X
	for _, family := range oracle.Families() {
		h := oracle.Hyper(family, d)
		own := h.Len()
		b := newTestBatch(t, h, z, data, 500)
		q := stepped(t, b, 0.4)
		g, got := covariance.NewHyperGradient(d), make([]float64, own+len(z))
		if _, err := b.Value(q, &g, got[own:], nil); err != nil {
			t.Fatal(err)
		}
		g.Pack(got, &h)
		want := oracle.Gradient(t, h, z, func(moved covariance.Hyper, z []float64) float64 {
			return value(t, newTestBatch(t, moved, z, data, 500), q)
		})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-5, 1e-4)
		}
	}
}

func TestFitComesNearTheCollapsedBound(t *testing.T) {
	data := oracle.Sample(6, 400, 1, 2)
	env := method.Environment{Workers: 1}
	best, err := sgpr.Method{Inducing: 15}.Fit(context.Background(), data, env)
	if err != nil {
		t.Fatal(err)
	}
	var last method.Event
	env.Progress = func(e method.Event) { last = e }
	if _, err := (Method{Inducing: 15, Batch: 400, Steps: 500, Rate: 0.05, Natural: 1}).Fit(context.Background(), data, env); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "bound a row", last.Objective, best.(*sgpr.Process).Bound()/400, 0, 0.02)
	for _, m := range []Method{{Inducing: -1}, {Batch: -1}, {Natural: 2}, {Rate: -1}, {Family: 9}} {
		if _, err := m.Fit(context.Background(), data, env); err == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
}
