package surface

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/simd"
)

// A difference by an input is that of E f at two points, which have the other inputs in common.
// Coordinates may be missing on all sides.
func TestDifferencesAreThoseOfMoments(t *testing.T) {
	const d, n = 7, 2*blendPoints - 1
	rng := rand.New(rand.NewPCG(9, 1))
	q := mixture(t, d, rng)
	x, from, to := mixedPoints(n, d, 9, rng), mixedPoints(n, d, 9, rng), mixedPoints(n, d, 9, rng)
	want := make([]float64, n*d)
	for i := range d {
		high, _ := moments(t, q, put(x, d, i, func(p int) float32 { return to[p*d+i] }), 1)
		low, _ := moments(t, q, put(x, d, i, func(p int) float32 { return from[p*d+i] }), 1)
		for p := range n {
			want[p*d+i] = high[p] - low[p]
		}
	}
	var first []float64
	for _, workers := range []int{1, 3} {
		pool := simd.NewPool(workers)
		e, got := NewBlender(q, pool), rubbish(n*d)
		if err := e.Differences(context.Background(), x, from, to, got); err != nil {
			t.Fatal(err)
		}
		pool.Close()
		closeAll(t, "difference", got, want)
		if first != nil && !slices.Equal(got, first) {
			t.Error("workers change the bits")
		}
		first = got
	}
}
