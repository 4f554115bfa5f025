package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"beziergp/internal/testkit"
	"beziergp/rival/method"
)

func predict(t *testing.T, data method.Data, x ...float64) (mean, std []float64) {
	t.Helper()
	r, err := Method{}.Fit(context.Background(), data, method.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	mean, std = make([]float64, len(x)/data.Inputs), make([]float64, len(x)/data.Inputs)
	if err := r.Predict(context.Background(), x, mean, std); err != nil {
		t.Fatal(err)
	}
	return mean, std
}

func TestOneInputIsTheTextbookLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	const n = 20
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 5 + 3*r.Float64()
		y[i] = 2 - 7*x[i] + r.NormFloat64()
	}
	alpha, beta := stat.LinearRegression(x, y, nil, false)
	var residual, spread float64
	centre := stat.Mean(x, nil)
	for i := range x {
		residual += math.Pow(y[i]-alpha-beta*x[i], 2) / (n - 2)
		spread += math.Pow(x[i]-centre, 2)
	}
	mean, std := predict(t, method.Data{X: x, Y: y, Inputs: 1}, 10)
	testkit.Close(t, "mean", mean[0], alpha+10*beta, 1e-12, 0)
	testkit.Close(t, "deviation", std[0], math.Sqrt(residual*(1+1.0/n+math.Pow(10-centre, 2)/spread)), 1e-12, 0)
}

// A second input that is a multiple of the first adds nothing but the units.
func TestCollinearInputs(t *testing.T) {
	x, y := []float64{1, 2, 4, 7}, []float64{3, 4, 9, 13}
	var twice []float64
	for _, v := range x {
		twice = append(twice, v, -3*v)
	}
	want, wantStd := predict(t, method.Data{X: x, Y: y, Inputs: 1}, 5)
	got, std := predict(t, method.Data{X: twice, Y: y, Inputs: 2}, 5, -15)
	testkit.Close(t, "mean", got[0], want[0], 1e-12, 0)
	testkit.Close(t, "deviation", std[0], wantStd[0], 1e-12, 0)
}

// With more inputs than rows every row is met, and what is left of its deviation is
// that of the target.
func TestMoreInputsThanRows(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	const n, d = 6, 15
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = r.NormFloat64()
	}
	mean, std := predict(t, method.Data{X: x, Y: y, Inputs: d}, x...)
	for i := range y {
		testkit.Close(t, "mean", mean[i], y[i], 0, 1e-10)
		if std[i] < stat.StdDev(y, nil) {
			t.Errorf("deviation %g", std[i])
		}
	}
}
