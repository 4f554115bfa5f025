package surface

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// Derivatives are central differences of the moments, at points of which some coordinates are
// unknown too. Splines and polynomials are smooth, so that a step across a knot does no harm.
func TestGradientsAgreeWithCentralDifferences(t *testing.T) {
	for _, local := range []bool{false, true} {
		const d, n = 7, 70
		rng := rand.New(rand.NewPCG(6, 1))
		s, err := New(mixed(t, d, local, Whole), mixed(t, d, false, MeanOnly))
		if err != nil {
			t.Fatal(err)
		}
		params := make([]float32, s.Size())
		for i := range params {
			params[i] = float32(0.7 + 0.3*rng.NormFloat64())
		}
		q := posterior(t, s, params)
		x := mixedPoints(n, d, 9, rng)
		const h = 1.0 / 4096
		for i := range x {
			if basis.Ordered(s.Group(0).Bases[i%d]) {
				x[i] = min(max(x[i], h), 1-h)
			}
		}
		var first []float64
		for _, workers := range []int{1, 3} {
			mean, variance := make([]float64, n*d), make([]float64, n*d)
			pool := simd.NewPool(workers)
			if err := NewGradient(q, pool).Gradients(context.Background(), x, mean, variance); err != nil {
				t.Fatal(err)
			}
			pool.Close()
			if first != nil && !slices.Equal(first, append(mean, variance...)) {
				t.Error("workers change the bits")
			}
			first = append(slices.Clone(mean), variance...)
		}
		for i := range d {
			high, low := slices.Clone(x), slices.Clone(x)
			if basis.Ordered(s.Group(0).Bases[i]) {
				for p := range n {
					high[p*d+i] += h
					low[p*d+i] -= h
				}
			}
			highMean, highVariance := moments(t, q, high, 1)
			lowMean, lowVariance := moments(t, q, low, 1)
			width, most, mostVariance := make([]float64, n), 0.0, 0.0
			for p := range n {
				width[p] = float64(high[p*d+i]) - float64(low[p*d+i])
				most, mostVariance = max(most, math.Abs(first[p*d+i])), max(mostVariance, math.Abs(first[n*d+p*d+i]))
			}
			for p := range n {
				if !(width[p] > 0) { // a category, or unknown
					if first[p*d+i] != 0 || first[n*d+p*d+i] != 0 {
						t.Errorf("input %d, point %d: a derivative where there is none", i, p)
					}
					continue
				}
				testkit.Close(t, "mean", first[p*d+i], (highMean[p]-lowMean[p])/width[p], 0.02, 0.01*most)
				testkit.Close(t, fmt.Sprintf("variance by %d at %v", i, x[p*d+i]), first[n*d+p*d+i], (highVariance[p]-lowVariance[p])/width[p], 0.02, 0.01*mostVariance)
			}
		}
	}
}
