package elbo

import (
	"context"
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/likelihood"
)

// A step of training and a block of predictions allocate nothing once their
// memory is made.
func TestTheSteadyStateAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	gaussian := likelihood.Gaussian{}
	for _, shape := range []struct {
		d, buttresses int
		law           Likelihood
	}{
		{3, 4, gaussian}, {40, 4, gaussian}, // 40 layers are rescaled
		{3, 9, gaussian}, // workers share out buttresses, not tiles
		{3, 4, general{gaussian}}, {3, 9, general{gaussian}},
	} {
		d := shape.d
		orders := make([]int, d)
		for i := range orders {
			orders[i] = 3
		}
		s := newSurface(t, orders, shape.buttresses, rng)
		const n = 300
		x, y := uniforms(n*d, rng), normals(n, 1, rng)
		params, gradient := make([]float32, s.Size()), make([]float32, s.Size())
		pool := simd.NewPool(2)
		defer pool.Close()
		b, adam := NewBound(s, shape.law, n, pool), optim.NewAdam(s.Ends()...)
		step := func() {
			b.Evaluate(params, -3, Batch{X: x, Y: y}, gradient)
			adam.Step(params, gradient, 1e-3, pool)
		}
		if allocations := testing.AllocsPerRun(20, step); allocations > 0 {
			t.Errorf("%+v: a step allocates %g times", shape, allocations)
		}
		q, err := surface.NewPosterior(s, params)
		if err != nil {
			t.Fatal(err)
		}
		alone := simd.NewPool(1) // an evaluator's worker makes its memory with its first tile
		defer alone.Close()
		e := surface.NewEvaluator(q, alone)
		mean, variance := make([]float64, n), make([]float64, n)
		predict := func() {
			if err := e.Moments(context.Background(), x, mean, variance); err != nil {
				t.Fatal(err)
			}
		}
		if allocations := testing.AllocsPerRun(20, predict); allocations > 0 {
			t.Errorf("%+v: a block of predictions allocates %g times", shape, allocations)
		}
	}
}
