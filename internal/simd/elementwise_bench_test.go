package simd

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkElements measures the kernels that are not products, in elements a
// nanosecond, on each tier, with their data in the first or second cache.
func BenchmarkElements(b *testing.B) {
	r := newRand(1)
	const m, n = 21, 128
	const size = m * n
	vector := func() []float32 { return newMatrix(1, size, size, r.Float32).data }
	x, y, z, u := vector(), vector(), vector(), vector()
	exponent := make([]int32, n)
	const wide = 21
	a, c, d := newLine(wide, r.Float64).data, newLine(wide, r.Float64).data, newLine(wide, r.Float64).data
	w, dw := newMatrix(1, wide*wide, wide*wide, r.Float32).data, newMatrix(1, wide*wide, wide*wide, r.Float32).data
	step := AdamStep{Rate: 1e-9, Beta1: 0.9, Beta2: 0.999, Correction2: 1, Epsilon: 1e-8}
	for _, k := range []struct {
		name     string
		elements int
		run      func(t *tier)
	}{
		{"Bernstein20", size, func(t *tier) { t.Bernstein(x, y, m-1, n, n) }},
		{"ScaledSquare", size, func(t *tier) { t.ScaledSquare(x, y, z, m, n, n) }},
		{"Rescale", size, func(t *tier) { t.Rescale(x, z[:n], exponent, m, n, n) }},
		{"Scale", size, func(t *tier) { t.Scale(x, z[:n], m, n, n) }},
		{"Exp", size, func(t *tier) { t.Exp(x, y) }},
		{"Adam", size, func(t *tier) { t.Adam(x, y, z, u, step) }},
		{"AdamBlocks", size, func(t *tier) { t.AdamBlocks(x, y, z, u, step) }},
		{"Smooth61", 61 * 44, func(t *tier) { t.Smooth(x, y, 44, 61, true, true, 1e-9) }},
		{"PathForward", wide * wide, func(t *tier) { t.PathForward(d, a, c, w, 2) }},
		{"PathBackward", wide * wide, func(t *tier) { t.PathBackward(d, a, w, 2) }},
		{"PathGradientMean", wide * wide, func(t *tier) { t.PathGradientMean(dw, w, a, c) }},
		{"PathGradientVariance", wide * wide, func(t *tier) { t.PathGradientVariance(dw, w, a, c, 0.1) }},
	} {
		for _, tier := range tiers {
			b.Run(fmt.Sprintf("%s/%s", k.name, tier.name), func(b *testing.B) {
				const calls = 100
				best := time.Duration(1<<63 - 1)
				for range b.N {
					start := time.Now()
					for range calls {
						k.run(tier)
					}
					best = min(best, time.Since(start))
				}
				b.ReportMetric(float64(k.elements*calls)/float64(best.Nanoseconds()), "elements/ns")
			})
		}
	}
}
