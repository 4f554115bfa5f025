package covariance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/diff/fd"

	"beziergp/internal/testkit"
	"beziergp/rival/method/dense"
)

var families = []Family{RBF, Matern12, Matern32, Matern52}

func normals(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// bySpectrum is the kernel of order ν = ½, 3/2 or 5/2 in one input as the integral of
// its spectral density, Student's t with 2ν degrees of freedom: no formula in common
// with the one under test.
func bySpectrum(nu, r float64) float64 {
	degrees := 2 * nu
	const steps = 50000
	var sum, mass float64
	for i := range steps {
		// ω = tan u takes the line to an interval.
		u := (float64(i) + 0.5) / steps * math.Pi / 2
		omega := math.Tan(u)
		density := math.Pow(1+omega*omega/degrees, -(degrees+1)/2) / (math.Cos(u) * math.Cos(u))
		mass += density
		sum += density * math.Cos(omega*r)
	}
	return sum / mass
}

func TestMaternIsTheTransformOfItsSpectrum(t *testing.T) {
	for family, nu := range map[Family]float64{Matern12: 0.5, Matern32: 1.5, Matern52: 2.5} {
		for _, r := range []float64{0, 0.3, 1, 2.5} {
			k := Kernel{Family: family, Variance: 2, Lengths: []float64{0.5}}
			values := dense.New(1, 1)
			k.Values(values, blas64.General{}, k.Points([]float64{1}, nil), k.Points([]float64{1 + r/2}, nil))
			testkit.Close(t, fmt.Sprint(family, " at ", r), values.Data[0], 2*bySpectrum(nu, r), 0, 1e-3)
		}
	}
}

func TestRBFIsAProductOverInputs(t *testing.T) {
	k := Kernel{Family: RBF, Variance: 3, Lengths: []float64{0.5, 2}}
	values := dense.New(1, 1)
	k.Values(values, blas64.General{}, k.Points([]float64{1, 1}, nil), k.Points([]float64{1.5, -1}, nil))
	testkit.Close(t, "rbf", values.Data[0], 3*math.Exp(-0.5)*math.Exp(-0.5), 1e-14, 0)
}

func TestPullAgreesWithDifferences(t *testing.T) {
	const n, m, d = 7, 5, 3
	r := rand.New(rand.NewPCG(1, 0))
	x, cotangent := normals(r, n*d), normals(r, n*m)
	for _, family := range families {
		// The parameters in one vector: log v, log ℓ, and the inputs of b and of a.
		at := append([]float64{0.3, -0.5, 0.2, 0.7}, slices.Concat(normals(r, m*d), x)...)
		scalar := func(p []float64) float64 {
			k := Kernel{family, math.Exp(p[0]), []float64{math.Exp(p[1]), math.Exp(p[2]), math.Exp(p[3])}}
			values := dense.New(n, m)
			k.Values(values, blas64.General{}, k.Points(p[4+m*d:], nil), k.Points(p[4:4+m*d], nil))
			return dense.Dot(values.Data, cotangent)
		}
		k := Kernel{family, math.Exp(at[0]), []float64{math.Exp(at[1]), math.Exp(at[2]), math.Exp(at[3])}}
		a, b := k.Points(x, nil), k.Points(at[4:4+m*d], nil)
		values, slopes, c := dense.New(n, m), dense.New(n, m), dense.New(n, m)
		copy(c.Data, cotangent)
		k.Values(values, slopes, a, b)
		g, moved, inputs := NewGradient(d), make([]float64, n*d), make([]float64, m*d)
		// In two pieces, as it is used.
		for _, piece := range [][2]int{{0, 3}, {3, n}} {
			i, rows := piece[0], piece[1]-piece[0]
			if err := k.Pull(context.Background(), 2, &g, moved[i*d:(i+rows)*d], inputs, dense.View(c, i, 0, rows, m), dense.View(values, i, 0, rows, m), dense.View(slopes, i, 0, rows, m), a.Slice(i, i+rows), b); err != nil {
				t.Fatal(err)
			}
		}
		got := slices.Concat([]float64{g.LogVariance}, g.LogLengths, inputs, moved)
		want := fd.Gradient(nil, scalar, at, &fd.Settings{Formula: fd.Central})
		for i := range want {
			testkit.Close(t, fmt.Sprint(family, " parameter ", i), got[i], want[i], 1e-6, 1e-7)
		}
	}
}

func TestMatern12HasFiniteGradientsWherePointsMeet(t *testing.T) {
	k := Kernel{Matern12, 1, []float64{1}}
	p := k.Points([]float64{1, 2}, nil)
	values, slopes, c := dense.New(2, 2), dense.New(2, 2), dense.New(2, 2)
	k.Values(values, slopes, p, p)
	for i := range c.Data {
		c.Data[i] = 1
	}
	g, inputs := NewGradient(1), make([]float64, 2)
	if err := k.Pull(context.Background(), 1, &g, nil, inputs, c, values, slopes, p, p); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "∂/∂log ℓ", g.LogLengths[0], 2*math.Exp(-1), 1e-12, 0)
	testkit.Close(t, "∂/∂z", inputs[0], math.Exp(-1), 1e-12, 0)
}

func TestHyperPacks(t *testing.T) {
	h := Hyper{Kernel: Kernel{Matern32, 2, []float64{0.3, 4}}, Noise: 0.01, Mean: -1}
	x := make([]float64, h.Len())
	h.Pack(x)
	back := Start(Matern32, 2)
	if err := back.Unpack(x); err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "noise", back.Noise, h.Noise, 1e-12, 0)
	testkit.Close(t, "length", back.Lengths[1], 4, 1e-12, 0)
	for _, wrong := range []float64{30, math.NaN(), math.Inf(-1)} {
		x[1] = wrong
		if back.Unpack(x) == nil {
			t.Errorf("log ℓ = %g is accepted", wrong)
		}
	}
}
