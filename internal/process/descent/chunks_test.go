package descent

import (
	"math/rand/v2"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
	"beziergp/internal/testkit"
)

// Batches of more levels than are brought in at a time find and leave the weights of each. Levels
// without averages weigh the same.
func TestSlotsOfManyLevels(t *testing.T) {
	const rows, levels = 2*chunk + 9, manyLevels*(2*chunk+9) + 1
	indicator, err := basis.NewIndicator(levels)
	if err != nil {
		t.Fatal(err)
	}
	spline, err := basis.NewSpline(5)
	if err != nil {
		t.Fatal(err)
	}
	g := surface.Group{Part: surface.MeanOnly, Bases: []basis.Basis{indicator, spline}}
	if g.Ensemble, err = buttress.New([]int{levels, 5}, surface.Supports(g.Bases), [][]int{{0, 1}, {1, 0}}); err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(g)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := categories(s, rows)
	for _, c := range all {
		for i, l := range c.all {
			testkit.Close(t, "share of a level", float64(l.share), 1./levels, 1e-6, 0)
			if l.slot != -1 {
				t.Fatalf("level %d has a slot", i)
			}
		}
	}
	rng := rand.New(rand.NewPCG(9, 1))
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.6 + 0.2*rng.NormFloat64())
	}
	var b elbo.Batch
	for _, level := range rng.Perm(levels)[:rows] {
		b.X, b.Y = append(b.X, float32(level), rng.Float32()), append(b.Y, -rng.Float32())
	}
	again := func() elbo.Batch { // slots are written over the levels
		return elbo.Batch{X: append([]float32(nil), b.X...), Y: b.Y}
	}
	for _, workers := range []int{1, 3} {
		pool := simd.NewPool(workers)
		own := append([]float32(nil), params...)
		slotted, err := newSlotted(s, own, rows, 2, 0, optim.Beta2, pool)
		if err != nil {
			t.Fatal(err)
		}
		whole := elbo.NewMean(s, squared, pool)
		loss := func(rate float64) float64 {
			batch := again()
			slotted.begin(rate, batch)
			return elbo.NewMean(slotted.surface, squared, pool).Evaluate(slotted.params, 0, batch, slotted.gradient, slotted.move)
		}
		scratch := make([]float32, s.Size())
		before := whole.Evaluate(params, 0, again(), scratch, nil)
		testkit.Close(t, "loss before", loss(0.01), before, 1e-4, 0)
		after := loss(0)
		slotted.end()
		testkit.Close(t, "loss after", after, whole.Evaluate(own, 0, again(), scratch, nil), 1e-4, 0)
		if !(after < before) {
			t.Errorf("a step takes the loss from %g to %g", before, after)
		}
		pool.Close()
	}
}

// The mean of the weights between two categories, which stands in for unknown levels, follows them.
func TestMeanOfCouples(t *testing.T) {
	s := leveled(t, surface.MeanOnly, [][]int{{0, 2, 3, 4, 1}, {3, 2, 0, 1, 4}}, 1, 1, false)
	pool := simd.NewPool(1)
	defer pool.Close()
	rng := rand.New(rand.NewPCG(10, 1))
	params := make([]float32, s.Size())
	for i := range params {
		params[i] = float32(0.6 + 0.2*rng.NormFloat64())
	}
	slotted, err := newSlotted(s, params, 9, 5, 0.05, optim.Beta2, pool)
	if err != nil {
		t.Fatal(err)
	}
	objective := elbo.NewMean(slotted.surface, squared, pool)
	for range 6 {
		b := leveledBatch(9, 0, 2, 1, rng)
		slotted.begin(0.05, b)
		objective.Evaluate(slotted.params, 0, b, slotted.gradient, slotted.move)
	}
	found := 0
	for _, own := range slotted.buttresses {
		for _, p := range own.couples {
			var mean float64
			for i, from := range p.from.all {
				for j, to := range p.to.all {
					mean += float64(p.whole[i*len(p.to.all)+j]) * float64(from.share) * float64(to.share)
				}
			}
			testkit.Close(t, "mean", p.mean, mean, 1e-5, 0)
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d pairs of categories", found)
	}
}
