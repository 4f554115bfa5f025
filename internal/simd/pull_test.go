package simd

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
)

// Weights are pulled towards the mean of a row, or of a column, and all tiers agree to the bit on
// processors whose Go rounds a product before it adds it.
func TestPulls(t *testing.T) {
	r := newRand(64)
	generic := tiers[len(tiers)-1]
	for _, n := range counts {
		for _, rows := range []int{1, 2, 5} {
			if n == 0 {
				continue
			}
			w, dw := newMatrix(rows, n, n, normal(r)), newMatrix(rows, n, n, normal(r))
			for name, pull := range map[string]func(t *tier, dw, w []float32, n int, lambda float32){"rows": (*tier).PullToMean, "columns": (*tier).PullToMeanRow} {
				want := slices.Clone(dw.data)
				pull(generic, want, w.data, n, 0.3)
				for i := range rows {
					for j := range n {
						var sum float64
						count := n
						if name == "columns" {
							count = rows
						}
						for k := range count {
							at := i*n + k
							if name == "columns" {
								at = k*n + j
							}
							sum += float64(w.data[at])
						}
						v := float64(w.data[i*n+j])
						near(t, name, want[i*n+j], float64(dw.data[i*n+j])+0.3*(v-sum/float64(count)), 8+math.Abs(v))
					}
				}
				for _, tier := range tiers {
					name := fmt.Sprintf("%s %s %d×%d", tier.name, name, rows, n)
					got := dw.clone()
					pull(tier, got.data, w.data, n, 0.3)
					got.checkGuards(t, name)
					for i, v := range got.data {
						if runtime.GOARCH == "amd64" && math.Float32bits(v) != math.Float32bits(want[i]) {
							t.Fatalf("%s: %v at %d, want %v", name, v, i, want[i])
						}
					}
				}
			}
		}
	}
}

func BenchmarkPulls(b *testing.B) {
	r := newRand(65)
	const rows, n = 256, 61
	w, dw := newMatrix(rows, n, n, normal(r)), newMatrix(rows, n, n, normal(r))
	for _, tier := range tiers {
		b.Run(tier.name+"/rows", func(b *testing.B) {
			for b.Loop() {
				tier.PullToMean(dw.data, w.data, n, 1e-9)
			}
		})
		b.Run(tier.name+"/columns", func(b *testing.B) {
			for b.Loop() {
				tier.PullToMeanRow(dw.data, w.data, n, 1e-9)
			}
		})
	}
}
