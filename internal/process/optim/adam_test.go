package optim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// TestAdamFollowsAlgorithmOne holds the optimiser against the paper's pseudo code
// in float64.
func TestAdamFollowsAlgorithmOne(t *testing.T) {
	const n, rate = 40000, 0.01
	rng := rand.New(rand.NewPCG(1, 1))
	params := make([]float32, n)
	for i := range params {
		params[i] = rng.Float32()
	}
	want, m, v := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, p := range params {
		want[i] = float64(p)
	}
	pool := simd.NewPool(2)
	defer pool.Close()
	adam, gradient := NewAdam(1, 1, 20000, n), make([]float32, n)
	for step := 1; step <= 20; step++ {
		for i := range gradient {
			gradient[i] = float32(rng.NormFloat64() * math.Pow(10, float64(i%9-4)))
			g := float64(gradient[i])
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			mHat, vHat := m[i]/(1-math.Pow(0.9, float64(step))), v[i]/(1-math.Pow(0.999, float64(step)))
			want[i] -= rate * mHat / (math.Sqrt(vHat) + 1e-8)
		}
		adam.Step(params, gradient, rate, pool)
	}
	for i := range params {
		testkit.Close(t, "parameter", float64(params[i]), want[i], 1e-5, 1e-5)
	}
}

func TestAdamIsTheSameOnAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int, ends ...int) []float32 {
		pool := simd.NewPool(workers)
		defer pool.Close()
		params, gradient := make([]float32, 50000), make([]float32, 50000)
		adam := NewAdam(ends...)
		for step := range 3 {
			for i := range gradient {
				gradient[i] = float32(math.Sin(float64(i + step)))
			}
			adam.Step(params, gradient, 0.1, pool)
		}
		return params
	}
	one := run(1, 50000)
	if !slices.Equal(one, run(4, 50000)) {
		t.Error("one worker and four disagree")
	}
	if !slices.Equal(one, run(2, 7, 8000, 50000)) {
		t.Error("one block and three disagree")
	}
}

// Some blocks alone are moved as all together move them, and nothing else is touched.
func TestOnlySomeBlocks(t *testing.T) {
	pool := simd.NewPool(2)
	defer pool.Close()
	ends := []int{3, 9000, 9005, 20000}
	all, some := NewAdam(ends...), NewAdam(ends...)
	some.Only([]int{1, 3})
	gradient := make([]float32, 20000)
	for i := range gradient {
		gradient[i] = float32(math.Sin(float64(i)))
	}
	a, b := make([]float32, 20000), make([]float32, 20000)
	for range 2 {
		all.Step(a, gradient, 0.1, pool)
		some.Step(b, gradient, 0.1, pool)
	}
	for i := range a {
		want, m := a[i], all.M[i]
		if i < 3 || i >= 9000 && i < 9005 {
			want, m = 0, 0
		}
		if b[i] != want || some.M[i] != m {
			t.Fatalf("parameter %d is %g with the moment %g, want %g and %g", i, b[i], some.M[i], want, m)
		}
	}
}
