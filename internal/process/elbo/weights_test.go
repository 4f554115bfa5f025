package elbo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
	"beziergp/likelihood"
)

// A row of weight 3 is worth three rows, in every tile, on every worker.
func TestWeightsOfTheBoundAreRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	const n, d = 300, 2
	s := newSurface(t, []int{2, 3}, 2, rng)
	if s.TilePoints() >= n {
		t.Fatalf("a tile of %d points holds all rows", s.TilePoints())
	}
	params, x, y := normals(s.Size(), 0.5, rng), uniforms(n*d, rng), normals(n, 1, rng)
	var weights, moreX, moreY []float32
	for p := range n {
		w := 1 + rng.IntN(3)
		weights = append(weights, float32(w))
		for range w {
			moreX, moreY = append(moreX, x[p*d:(p+1)*d]...), append(moreY, y[p])
		}
	}
	want, wantGradient := evaluate(s, likelihood.Gaussian{}, len(moreY), 1, params, -1, moreX, moreY)
	for _, workers := range []int{1, 2} {
		pool := simd.NewPool(workers)
		gradient := make([]float32, len(params))
		got := NewBound(s, likelihood.Gaussian{}, n, pool).Evaluate(params, -1, Batch{X: x, Y: y, Weights: weights}, gradient)
		pool.Close()
		testkit.Close(t, "loss", got.Loss, want.Loss, 1e-5, 0)
		testkit.Close(t, "variance", got.Variance, want.Variance, 1e-5, 0)
		testkit.Close(t, "normaliser", got.LogNormaliser, 0.5*(math.Log(2*math.Pi)-1)*float64(len(moreY)), 1e-12, 0)
		for i, g := range wantGradient {
			testkit.Close(t, fmt.Sprint("gradient ", i), float64(gradient[i]), float64(g), 1e-3, 1e-3)
		}
	}
}

func TestDivergencesOfGroupsAdd(t *testing.T) {
	terms := Terms{KL: []KL{{0.5, 1}, {0.25, 2}}}
	testkit.Close(t, "divergence", terms.Divergence(), 0.5*math.E+0.25*math.E*math.E, 1e-14, 0)
}
