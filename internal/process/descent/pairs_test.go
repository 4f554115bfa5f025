package descent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"beziergp/internal/process/basis"
	"beziergp/internal/process/buttress"
	"beziergp/internal/process/elbo"
	"beziergp/internal/process/optim"
	"beziergp/internal/process/surface"
	"beziergp/internal/simd"
)

// pairedSurface is one over a number, categories of 40 and 45 levels, and a number of 35 steps.
func pairedSurface(t *testing.T, orderings [][]int) *surface.Surface {
	t.Helper()
	number, err := basis.NewSpline(5)
	if err != nil {
		t.Fatal(err)
	}
	bases := []basis.Basis{number}
	for _, levels := range []int{40, 45} {
		b, err := basis.NewIndicator(levels)
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, b)
	}
	steps, err := basis.NewSteps(35)
	if err != nil {
		t.Fatal(err)
	}
	g := surface.Group{Part: surface.MeanOnly}
	var widths []int
	for _, b := range append(bases, steps) {
		averaged, err := basis.NewAveraged(b, b.Mean())
		if err != nil {
			t.Fatal(err)
		}
		g.Bases, widths = append(g.Bases, averaged), append(widths, b.Nodes())
	}
	if g.Ensemble, err = buttress.New(widths, surface.Supports(g.Bases), orderings); err != nil {
		t.Fatal(err)
	}
	s, err := surface.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Layers between categories, and between one and steps, take the steps of Adam on all weights, though those of the
// mini-batch alone are moved: with a penalty and without, and where rows lack an input, which have all weights.
func TestPairsFollowAllWeights(t *testing.T) {
	orderings := [][]int{{0, 1, 2, 3}, {2, 1, 3, 0}, {3, 2, 0, 1}}
	const rows, inputs, rate, steps = 12, 4, 0.002, 2*pairsPenaltyEvery + 40
	for name, c := range map[string]struct{ lambda, lacking float64 }{"plain": {}, "penalty": {lambda: 0.02}, "lacking": {lacking: 0.01}, "both": {0.02, 0.01}} {
		if testing.Short() && name != "both" {
			continue // the race detector makes the weights of all steps long
		}
		s := pairedSurface(t, orderings)
		rng := rand.New(rand.NewPCG(9, 1))
		start := make([]float32, s.Size())
		for i := range start {
			start[i] = float32(0.6 + 0.2*rng.NormFloat64())
		}
		var ends [][]float32
		for _, workers := range []int{1, 3} {
			pool := simd.NewPool(workers)
			params := slices.Clone(start)
			slotted, err := newSlotted(s, params, rows, inputs, c.lambda, optim.Beta2, pool)
			if err != nil {
				t.Fatal(err)
			}
			var found int
			for _, own := range slotted.buttresses {
				found += len(own.pairs)
			}
			if found != 5 || slotted.surface != s {
				t.Fatalf("%d layers are of pairs", found)
			}
			objective := elbo.NewMean(s, squared, pool)
			draw := rand.New(rand.NewPCG(7, 2))
			for range steps {
				slotted.begin(rate, pairedBatch(rows, c.lacking, draw))
				objective.Evaluate(slotted.params, 0, slotted.batch, slotted.gradient, slotted.move)
			}
			slotted.end()
			if slices.ContainsFunc(slotted.gradient, func(g float32) bool { return g != 0 }) {
				t.Errorf("%s: a slope is left over", name)
			}
			ends = append(ends, params)
			pool.Close()
		}
		if !slices.Equal(ends[0], ends[1]) {
			t.Errorf("%s: one worker and three disagree", name)
		}
		want := allWeights(s, start, c.lambda, c.lacking, rate, rows, steps)
		var square, moved float64
		for i, w := range ends[0] {
			square += math.Pow(float64(w)-want[i], 2)
			moved += math.Pow(want[i]-float64(start[i]), 2)
		}
		if square > 1e-3*moved {
			t.Errorf("%s: weights are %g from those of all steps, which moved them by %g", name, math.Sqrt(square), math.Sqrt(moved))
		}
	}
}

func pairedBatch(n int, lacking float64, rng *rand.Rand) (b elbo.Batch) {
	for range n {
		row := []float32{rng.Float32(), float32(rng.IntN(40)), float32(rng.IntN(45)), rng.Float32()}
		for i := range row {
			if rng.Float64() < lacking {
				row[i] = float32(math.NaN())
			}
		}
		b.X, b.Y = append(b.X, row...), append(b.Y, -rng.Float32())
	}
	return b
}

// allWeights returns the weights after steps of Adam in float64 on all of them.
func allWeights(s *surface.Surface, start []float32, lambda, lacking, rate float64, rows, steps int) []float64 {
	pool := simd.NewPool(1)
	defer pool.Close()
	objective := elbo.NewMean(s, squared, pool)
	rng := rand.New(rand.NewPCG(7, 2))
	params, gradient := slices.Clone(start), make([]float32, s.Size())
	want, m, v := make([]float64, len(start)), make([]float64, len(start)), make([]float64, len(start))
	for i, p := range start {
		want[i] = float64(p)
	}
	bases := s.Group(0).Bases
	for step := 1; step <= steps; step++ {
		clear(gradient)
		objective.Evaluate(params, 0, pairedBatch(rows, lacking, rng), gradient, nil)
		at := 0
		for _, ordering := range s.Group(0).Ensemble.Orderings() {
			from, ordered := 1, true
			for _, input := range ordering {
				to, size := bases[input].Nodes(), from*bases[input].Nodes()
				every := penaltyEvery
				if size > manyPairs*rows && from > 5 && input > 0 {
					every = pairsPenaltyEvery
				}
				if lambda > 0 && step%every == 0 {
					elbo.SmoothLayer(params[at:at+size], gradient[at:at+size], from, ordered, basis.Ordered(bases[input]), float32(float64(every)*lambda))
				}
				at, from, ordered = at+size, to, basis.Ordered(bases[input])
			}
		}
		at = 0
		for _, ordering := range s.Group(0).Ensemble.Orderings() {
			from, before := 1, true
			for _, input := range ordering {
				size, ordered := from*bases[input].Nodes(), basis.Ordered(bases[input])
				group := 1
				if before && ordered && size > smallLayer {
					group = simd.AdamBlock
				}
				for first := 0; first < size; first += group {
					own := gradient[at+first : at+min(first+group, size)]
					var square float64
					for _, g := range own {
						square += float64(g) * float64(g) / float64(len(own))
					}
					for k, g := range own {
						i := at + first + k
						m[i] = 0.9*m[i] + 0.1*float64(g)
						v[i] = optim.Beta2*v[i] + (1-optim.Beta2)*square
						want[i] -= rate * m[i] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(v[i]/(1-math.Pow(optim.Beta2, float64(step)))) + 1e-8)
						params[i] = float32(want[i])
					}
				}
				at, from, before = at+size, bases[input].Nodes(), ordered
			}
		}
	}
	return want
}
