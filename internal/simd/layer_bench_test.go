package simd

import (
	"fmt"
	"testing"
)

// reportRate reports a benchmark's arithmetic, in all and of the tier's peak.
func reportRate(b *testing.B, t *tier, flops float64) {
	rate := flops * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate/1e9, "GFLOP/s")
	if peak := Peak(t.name); peak > 0 {
		b.ReportMetric(100*rate/peak, "%peak")
	}
}

// benchShapes are calls as training makes them.
func benchShapes(b *testing.B, run func(b *testing.B, t *tier, m, n int)) {
	for _, tier := range tiers {
		for _, m := range []int{4, 6, 21} {
			for _, n := range []int{32, 64, 128, 256} {
				b.Run(fmt.Sprintf("%s/m=%d/n=%d", tier.name, m, n), func(b *testing.B) { run(b, tier, m, n) })
			}
		}
	}
}

func BenchmarkLayer(b *testing.B) {
	r := newRand(1)
	benchShapes(b, func(b *testing.B, t *tier, m, n int) {
		phi, w, src := newMatrix(m, n, n, normal(r)), newMatrix(m, m, m, normal(r)), newMatrix(m, n, n, normal(r))
		dst := newMatrix(m, n, n, normal(r))
		for b.Loop() {
			t.Layer(dst.data, phi.data, w.data, src.data, m, 1, m, m, n, n)
		}
		reportRate(b, t, float64(2*m*m*n))
	})
}

func BenchmarkOuter(b *testing.B) {
	r := newRand(1)
	benchShapes(b, func(b *testing.B, t *tier, m, n int) {
		src, u, dw := newMatrix(m, n, n, normal(r)), newMatrix(m, n, n, normal(r)), newMatrix(m, m, m, normal(r))
		for b.Loop() {
			t.Outer(dw.data, src.data, u.data, m, m, n, n)
		}
		reportRate(b, t, float64(2*m*m*n))
	})
}
