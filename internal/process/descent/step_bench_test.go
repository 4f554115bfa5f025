package descent

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// BenchmarkStep measures whole steps of 512 rows, nine inputs and twenty orderings: of
// splines of so many nodes, and with a category of so many levels in the place of one;
// of eight inputs, with so many outputs. The best of many: others may use the machine.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct{ nodes, levels, d, outputs int }{
		{16, 0, 9, 1}, {32, 0, 9, 1}, {64, 0, 9, 1}, {16, 8, 9, 1}, {16, 65536, 9, 1},
		{32, 0, 8, 1}, {32, 0, 8, 2}, {32, 0, 8, 10}, {32, 0, 8, 100},
	} {
		b.Run(fmt.Sprintf("nodes=%d,levels=%d,inputs=%d,outputs=%d", c.nodes, c.levels, c.d, c.outputs), func(b *testing.B) {
			const rows = 512
			d := c.d
			g := surface.Group{Part: surface.MeanOnly}
			var widths []int
			for input := range d {
				spline, err := basis.NewSpline(c.nodes)
				var own basis.Basis = spline
				if input == 0 && c.levels > 0 {
					own, err = basis.NewIndicator(c.levels)
				}
				if err != nil {
					b.Fatal(err)
				}
				g.Bases, widths = append(g.Bases, own), append(widths, own.Nodes())
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var err error
			if g.Ensemble, err = buttress.NewOutputs(widths, surface.Supports(g.Bases), buttress.RandomOrderings(d, 20, rng), c.outputs); err != nil {
				b.Fatal(err)
			}
			s, err := surface.New(g)
			if err != nil {
				b.Fatal(err)
			}
			params := make([]float32, s.Size())
			Start(g, params, 0.2, 0.02, rng)
			pool := simd.NewPool(1)
			defer pool.Close()
			weights, err := newSlotted(s, params, rows, d, 1e-4, optim.Beta2, pool)
			if err != nil {
				b.Fatal(err)
			}
			objective := elbo.NewOutputs(weights.surface, squaredOutputs, pool)
			if c.outputs == 1 {
				objective = elbo.NewMean(weights.surface, squared, pool)
			}
			var batches [8]elbo.Batch
			for i := range batches {
				for range rows {
					for input := range d {
						v := rng.Float32()
						if input == 0 && c.levels > 0 {
							v = float32(rng.IntN(c.levels))
						}
						batches[i].X = append(batches[i].X, v)
					}
					batches[i].Y = append(batches[i].Y, rng.Float32())
				}
			}
			own := elbo.Batch{X: make([]float32, rows*d)}
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				own.Y = batches[weights.step%8].Y
				copy(own.X, batches[weights.step%8].X)
				weights.begin(1e-4, own)
				objective.Evaluate(weights.params, 0, own, weights.gradient, weights.move)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Nanoseconds())/1e3, "µs/best")
			b.ReportMetric(float64(best.Nanoseconds())/rows/float64(d)/20, "ns/point+layer")
		})
	}
}

// BenchmarkMove measures what a step does beside the passes, on weights in the second
// cache or beyond.
func BenchmarkMove(b *testing.B) {
	for _, nodes := range []int{16, 31, 61, 64} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			const d = 9
			g := surface.Group{Part: surface.MeanOnly}
			var widths []int
			spline, err := basis.NewSpline(nodes)
			if err != nil {
				b.Fatal(err)
			}
			for range d {
				g.Bases, widths = append(g.Bases, spline), append(widths, nodes)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			if g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), buttress.RandomOrderings(d, 20, rng)); err != nil {
				b.Fatal(err)
			}
			s, err := surface.New(g)
			if err != nil {
				b.Fatal(err)
			}
			pool := simd.NewPool(1)
			defer pool.Close()
			weights, err := newSlotted(s, make([]float32, s.Size()), 512, d, 1e-4, optim.Beta2, pool)
			if err != nil {
				b.Fatal(err)
			}
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				for range penaltyEvery {
					weights.begin(1e-4, elbo.Batch{})
					for k := range 20 {
						weights.move(k)
					}
				}
				best = min(best, time.Since(start)/penaltyEvery)
			}
			b.ReportMetric(float64(best.Nanoseconds())/float64(s.Size()), "ns/weight")
		})
	}
}
