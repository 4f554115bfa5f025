package surface

import (
	"context"
	"math/rand/v2"
	"testing"

	"beziergp/internal/simd"
)

// What goes through once more takes no memory once more: of points of which coordinates are
// unknown, too, and of pairs.
func TestMemoryIsMadeOnce(t *testing.T) {
	const d, n = 7, 40
	rng := rand.New(rand.NewPCG(12, 1))
	q := mixture(t, d, rng)
	x, z := mixedPoints(n, d, 9, rng), mixedPoints(n, d, 9, rng)
	pool := simd.NewPool(1)
	defer pool.Close()
	evaluator, blender := NewEvaluator(q, pool), NewBlender(q, pool)
	along := NewAlong(q, []float32{0, 0.5}, pool)
	dst, settings, ctx := make([]float64, n*d), blender.here(), context.Background()
	for name, f := range map[string]func() error{
		"moments":    func() error { return evaluator.Moments(ctx, x, dst[:n], dst[n:2*n]) },
		"covariance": func() error { return evaluator.Covariance(ctx, x, z, dst[:n]) },
		"values":     func() error { return along.Means(ctx, x, dst[:2*n]) },
		"slopes":     func() error { return blender.Slopes(ctx, x, z, settings, nil, dst) },
	} {
		var err error
		if got := testing.AllocsPerRun(3, func() { err = f() }); err != nil || got != 0 {
			t.Errorf("%s: %v allocations, error %v", name, got, err)
		}
	}
}
