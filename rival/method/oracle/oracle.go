// Package oracle holds what the tests of Gaussian processes compare with: the normal
// distribution of the targets written out, by gonum, with covariances by scalars, and
// gradients by differences. Only tests import it.
package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"beziergp/rival/method"
	"beziergp/rival/method/covariance"
)

// Families are all kernels.
func Families() []covariance.Family {
	return []covariance.Family{covariance.RBF, covariance.Matern12, covariance.Matern32, covariance.Matern52}
}

// Sample draws n rows of d inputs with that deviation, and a wave along the first of
// them with noise of deviation 0.1.
func Sample(seed uint64, n, d int, deviation float64) method.Data {
	r := rand.New(rand.NewPCG(seed, 0))
	data := method.Data{X: make([]float64, n*d), Y: make([]float64, n), Inputs: d}
	for i := range data.X {
		data.X[i] = deviation * r.NormFloat64()
	}
	for i := range data.Y {
		data.Y[i] = math.Sin(2*data.X[i*d]) + 0.1*r.NormFloat64()
	}
	return data
}

// Hyper are parameters that are all different.
func Hyper(family covariance.Family, d int) covariance.Hyper {
	h := covariance.Hyper{Kernel: covariance.Kernel{Family: family, Variance: 1.3, Lengths: make([]float64, d)}, Noise: 0.05, Mean: 0.2}
	for j := range h.Lengths {
		h.Lengths[j] = 0.7 + 0.3*float64(j)
	}
	return h
}

// between returns the covariance of f at a and b, by scalars.
func between(h covariance.Hyper, a, b []float64) float64 {
	var square float64
	for j, l := range h.Lengths {
		square += math.Pow((a[j]-b[j])/l, 2)
	}
	r := math.Sqrt(square)
	return h.Variance * map[covariance.Family]float64{
		covariance.RBF: math.Exp(-square / 2), covariance.Matern12: math.Exp(-r),
		covariance.Matern32: (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r),
		covariance.Matern52: (1 + math.Sqrt(5)*r + 5*square/3) * math.Exp(-math.Sqrt(5)*r),
	}[h.Family]
}

// Joint is the distribution of the targets of all rows.
func Joint(t testing.TB, data method.Data, h covariance.Hyper) *distmv.Normal {
	t.Helper()
	n, d := data.Rows(), data.Inputs
	sigma, mu := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		mu[i] = h.Mean
		for j := range i + 1 {
			sigma.SetSym(i, j, between(h, data.X[i*d:(i+1)*d], data.X[j*d:(j+1)*d]))
		}
		sigma.SetSym(i, i, sigma.At(i, i)+h.Noise)
	}
	dist, ok := distmv.NewNormal(mu, sigma, nil)
	if !ok {
		t.Fatal("covariance not positive definite")
	}
	return dist
}

// Last returns the moments of the last row's target given all others.
func Last(t testing.TB, data method.Data, h covariance.Hyper) (mean, variance float64) {
	t.Helper()
	n := data.Rows() - 1
	given := make([]int, n)
	for i := range given {
		given[i] = i
	}
	conditional, ok := Joint(t, data, h).ConditionNormal(given, data.Y[:n], nil)
	if !ok {
		t.Fatal("no conditional distribution")
	}
	var sigma mat.SymDense
	conditional.CovarianceMatrix(&sigma)
	return conditional.Mean(nil)[0], sigma.At(0, 0)
}

// Gradient returns the gradient of value by differences, with respect to h as its Pack
// writes it and then to the inputs z, which may be nil.
func Gradient(t testing.TB, h covariance.Hyper, z []float64, value func(h covariance.Hyper, z []float64) float64) []float64 {
	t.Helper()
	own := h.Len()
	at := make([]float64, own, own+len(z))
	h.Pack(at)
	return fd.Gradient(nil, func(x []float64) float64 {
		moved := covariance.Start(h.Family, len(h.Lengths))
		if err := moved.Unpack(x[:own]); err != nil {
			t.Fatal(err)
		}
		return value(moved, x[own:])
	}, append(at, z...), &fd.Settings{Formula: fd.Central})
}
