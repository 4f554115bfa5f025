package optim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/testkit"
)

// Some blocks of matrices, one of them with second moments a weight, beside Adam in
// float64: for each 32 weights by their mean square.
func TestGroupedFollowsAdam(t *testing.T) {
	blocks := [][]Matrix{
		{{At: 0, Size: 5}, {At: 5, Size: 35}},
		{{At: 40, Size: 3, Single: true}, {At: 43, Size: 120}, {At: 163, Size: 80, Single: true}},
	}
	const n, rate = 243, 0.01
	rng := rand.New(rand.NewPCG(1, 2))
	params, gradient := make([]float32, n), make([]float32, n)
	want, m, v := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range params {
		params[i] = rng.Float32()
		want[i] = float64(params[i])
	}
	r := NewGrouped(blocks, 0.99)
	for step := 1; step <= 20; step++ {
		for i := range gradient {
			gradient[i] = float32(rng.NormFloat64() * math.Pow(10, float64(i%9-4)))
		}
		square := make([]float64, n)
		for _, w := range slices.Concat(blocks...) {
			for i := range w.Size {
				g := float64(gradient[w.At+i])
				if w.Single {
					square[w.At+i] = g * g
					continue
				}
				from, to := i/32*32, min(i/32*32+32, w.Size)
				for j := from; j < to; j++ {
					square[w.At+j] += g * g / float64(to-from)
				}
			}
		}
		for i, g := range gradient {
			m[i] = 0.9*m[i] + 0.1*float64(g)
			v[i] = 0.99*v[i] + 0.01*square[i]
			mHat, vHat := m[i]/(1-math.Pow(0.9, float64(step))), v[i]/(1-math.Pow(0.99, float64(step)))
			want[i] -= rate * mHat / (math.Sqrt(vHat) + 1e-8)
		}
		r.Begin(rate)
		for _, block := range rng.Perm(len(blocks)) {
			r.Move(block, params, gradient)
		}
		if slices.ContainsFunc(gradient, func(g float32) bool { return g != 0 }) {
			t.Fatal("the gradient is not cleared")
		}
	}
	for i := range params {
		testkit.Close(t, "parameter", float64(params[i]), want[i], 1e-5, 1e-5)
	}
}
