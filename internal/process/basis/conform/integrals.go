package conform

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"beziergp/internal/testkit"
)

// average calls add with coordinates and weights whose sums are averages over the domain:
// Gauss–Legendre on every interval, exact for products of two functions.
func (s *suite) average(add func(t, weight float64)) {
	if s.Levels > 0 {
		for i := range s.Levels {
			add(float64(i), 1/float64(s.Levels))
		}
		return
	}
	intervals := len(s.Breaks) - 1
	// Degree 2m − 2 on one interval, 6 on many. A multiple of four: the weights of gonum's
	// rule of 26 points add up to 0.989 (v0.17.0).
	points := 4 * (2 + s.m/intervals/4)
	x, w := make([]float64, points), make([]float64, points)
	for k := range intervals {
		quad.Legendre{}.FixedLocations(x, w, s.Breaks[k], s.Breaks[k+1])
		for j := range x {
			add(x[j], w[j])
		}
	}
}

// integrals: Mean and Gram by quadrature of the reference.
func (s *suite) integrals(t *testing.T) {
	mean, gram := make([]float64, s.m), mat.NewSymDense(s.m, nil)
	s.average(func(at, weight float64) {
		values := s.Traits.Reference(at)
		for i, a := range values {
			if a == 0 {
				continue
			}
			mean[i] += weight * a
			for j, b := range values[i:] {
				if b != 0 {
					gram.SetSym(i, i+j, gram.At(i, i+j)+weight*a*b)
				}
			}
		}
	})
	got, product := s.Basis.Mean(), s.Basis.Gram()
	if len(got) != s.m || product.SymmetricDim() != s.m {
		t.Fatalf("%d averages, %d of products, for %d functions", len(got), product.SymmetricDim(), s.m)
	}
	for i := range s.m {
		testkit.Close(t, "average", got[i], mean[i], 1e-10, 0)
		for j := range s.m {
			testkit.Close(t, "average product", product.At(i, j), gram.At(i, j), 1e-9, 1e-16)
		}
	}
}

// prior: Σ ς_i φ_i(t)² = 1 at the nodes, ς_i > 0.
func (s *suite) prior(t *testing.T) {
	variances, err := s.Basis.PriorVariance()
	if s.NoPrior {
		if err == nil {
			t.Error("there are prior variances")
		}
		return
	}
	if err != nil || len(variances) != s.m {
		t.Fatalf("%d prior variances for %d functions, error %v", len(variances), s.m, err)
	}
	for i, v := range variances {
		if !(v > 0) {
			t.Errorf("ς_%d = %g", i, v)
		}
	}
	for _, node := range s.Traits.Nodes {
		var sum float64
		for i, v := range s.Traits.Reference(node) {
			sum += variances[i] * v * v
		}
		if math.Abs(sum-1) > 1e-8 {
			t.Errorf("prior variance %g at %g", sum, node)
		}
	}
}
