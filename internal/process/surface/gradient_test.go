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
		const d, n = 7, 2*gradientPoints - 1 // the last tile lacks a point
		rng := rand.New(rand.NewPCG(6, 1))
		q := weighted(t, rng, mixed(t, d, local, Whole), mixed(t, d, false, MeanOnly))
		x := mixedPoints(n, d, 9, rng)
		const h = 1.0 / 4096
		for i := range x {
			if basis.Ordered(q.Group(0).Bases[i%d]) {
				x[i] = min(max(x[i], h), 1-h)
			}
		}
		var first []float64
		for _, workers := range []int{1, 3} {
			mean, variance := rubbish(n*d), rubbish(n*d)
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
			if basis.Ordered(q.Group(0).Bases[i]) {
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

// Either kind of derivative may be asked for alone, and of rows alone, of which some, all or no
// coordinates are unknown.
func TestGradientsOfOneKindAndOfOneRow(t *testing.T) {
	const d, n = 7, 8
	rng := rand.New(rand.NewPCG(7, 1))
	q := mixture(t, d, rng)
	x := mixedPoints(n, d, 4, rng)
	for i := range d {
		x[i], x[d+i] = float32(math.NaN()), float32(i%2)
	}
	pool := simd.NewPool(1)
	defer pool.Close()
	gradients := func(x []float32, mean, variance []float64) {
		t.Helper()
		if err := NewGradient(q, pool).Gradients(context.Background(), x, mean, variance); err != nil {
			t.Fatal(err)
		}
	}
	mean, variance := rubbish(n*d), rubbish(n*d)
	gradients(x, mean, variance)
	for i := range d {
		if mean[i] != 0 || variance[i] != 0 {
			t.Errorf("of an unknown point the derivatives by %d are %v and %v", i, mean[i], variance[i])
		}
	}
	own := rubbish(n * d)
	gradients(x, own, nil)
	if !slices.Equal(own, mean) {
		t.Error("the mean's derivatives are others without the variance's")
	}
	own = rubbish(n * d)
	gradients(x, nil, own)
	if !slices.Equal(own, variance) {
		t.Error("the variance's derivatives are others without the mean's")
	}
	for p := range n {
		ownMean, ownVariance := rubbish(d), rubbish(d)
		gradients(x[p*d:(p+1)*d], ownMean, ownVariance)
		if !slices.Equal(ownMean, mean[p*d:(p+1)*d]) || !slices.Equal(ownVariance, variance[p*d:(p+1)*d]) {
			t.Errorf("row %d alone has others than among rows", p)
		}
	}
}
