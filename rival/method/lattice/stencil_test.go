package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"beziergp/internal/testkit"
	"beziergp/rival/method/covariance"
	"beziergp/rival/method/dense"
)

var families = []covariance.Family{covariance.RBF, covariance.Matern12, covariance.Matern32, covariance.Matern52}

// A Gaussian and its spectrum have one form, so that 3s/2 = π/s; of the others the
// shares are sums here, of h on a grid and of its cosine transform.
func TestSpacingBalancesTruncationAndAliasing(t *testing.T) {
	testkit.Close(t, "tap", NewStencil(covariance.RBF, 3).Tap, math.Exp(-math.Pi/3), 1e-12, 0)
	for _, family := range families {
		s := spacing(family)
		const reach, points = 40.0, 8000
		var inside, all float64
		for i := range points {
			r := (float64(i) + 0.5) * reach / points
			h := profile(family, r)
			all += h
			if r < 1.5*s {
				inside += h
			}
		}
		// ∫_0^w F h = ∫ h(r) sin(w r)/r, whose limit is π h(0)/2.
		var below float64
		for i := range points * 10 {
			r := (float64(i) + 0.5) * reach / points / 10
			below += profile(family, r) * math.Sin(math.Pi/s*r) / r * reach / points / 10
		}
		testkit.Close(t, fmt.Sprint(family, " shares"), inside/all, below/(math.Pi/2), 0.004, 0)
	}
}

func TestEveryStencilHasAFactor(t *testing.T) {
	for _, family := range families {
		k := NewStencil(family, 4)
		if !(k.Tap > 0.2 && k.Tap < 0.5) {
			t.Errorf("%s: tap %g", family, k.Tap)
		}
		for i := 1; i < depth; i++ {
			testkit.Close(t, "diagonal of L Lᵀ", k.below[i]*k.below[i]+k.diag[i]*k.diag[i], 1, 1e-14, 0)
			testkit.Close(t, "beside it", k.below[i]*k.diag[i-1], k.Tap, 1e-14, 0)
		}
		testkit.Close(t, "the last step", k.diag[depth-1], k.diag[depth-2], 1e-15, 0)
	}
}

// offBy is the relative error of a product with the kernel, the filter scaled to it, as
// Kapoor et al. (2021, section 5.1) measure it, of normal rows one lengthscale wide.
func offBy(t *testing.T, family covariance.Family, n, d int) float64 {
	t.Helper()
	x := normals(1, n*d, 1)
	l := lattice(t, x, d, NewStencil(family, d))
	f := l.Filter(context.Background(), 2)
	in, got, z := dense.New(n, 1), dense.New(n, 1), dense.New(l.Vertices(), 1)
	copy(in.Data, normals(2, n, 0.3))
	for i := range n {
		in.Data[i] += math.Sin(2 * x[i*d])
	}
	if err := errors.Join(f.MulT(z, in), f.Mul(got, z)); err != nil {
		t.Fatal(err)
	}
	k := covariance.Kernel{Family: family, Variance: 1, Lengths: make([]float64, d)}
	for j := range k.Lengths {
		k.Lengths[j] = 1
	}
	values, points, want := dense.New(n, n), k.Points(x, nil), make([]float64, n)
	k.Values(values, blas64.General{}, points, points)
	for i := range want {
		want[i] = dense.Dot(dense.Row(values, i), in.Data)
	}
	scale := dense.Dot(got.Data, want) / dense.Dot(got.Data, got.Data)
	var square float64
	for i, v := range want {
		square += math.Pow(v-scale*got.Data[i], 2)
	}
	return math.Sqrt(square / dense.Dot(want, want))
}

// The error is about a tenth on few inputs; where rows are few for
// the number of inputs, the lattice has gaps, and more rows fill them.
func TestFilterIsNearTheKernel(t *testing.T) {
	for _, d := range []int{1, 2, 3} {
		for _, family := range []covariance.Family{covariance.RBF, covariance.Matern52} {
			if e := offBy(t, family, 400, d); !(e < 0.2) {
				t.Errorf("%s, %d inputs: off by %.3f", family, d, e)
			}
		}
	}
	few, many := offBy(t, covariance.RBF, 100, 6), offBy(t, covariance.RBF, 1000, 6)
	t.Logf("6 inputs: off by %.3f with 100 rows, %.3f with 1000", few, many)
	if !(many < 0.8*few) {
		t.Errorf("off by %.3f with 100 rows, %.3f with 1000", few, many)
	}
}
